//! Publication of a section at a time.

use poem::http::StatusCode;
use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::errors::conflict;
use crate::desk::{Admin, RecentAdmin};
use crate::tags::Tag;
use domain::clock::Time;
use http::request::error_responses::AdminError;
use http::request::problem::Problem;
use http::request::strict_json::StrictJson;
use http::request::success_responses::NoContent;
use store::content::Stored;

/// The latest time of a schedule: a year from now.
const MAX_SECONDS: i64 = 366 * 86_400;

/// When to publish a draft.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "ScheduleSiteDraft")]
struct NewSchedule {
    /// The number of the draft.
    number: i64,
    /// The time, RFC 3339, within a year.
    at: String,
}

/// The calls about schedules.
pub struct ScheduleApi;

#[OpenApi(prefix_path = "/api/admin/site/schedule", tag = "Tag::Site")]
impl ScheduleApi {
    /// Publish the draft of a section at a time
    ///
    /// Later changes of the draft are published with it. Publishing or discarding the draft ends
    /// the schedule. 422 if the time is past or more than a year away; 409 if the draft has changed
    /// since it was read.
    #[oai(path = "/:section", method = "put", operation_id = "scheduleSiteDraft")]
    async fn schedule(
        &self,
        desk: RecentAdmin,
        section: Path<String>,
        body: StrictJson<NewSchedule>,
    ) -> Result<NoContent, AdminError> {
        let NewSchedule { number, at } = body.0;
        let allowed = desk.now.plus_millis(1)..=desk.now.plus_seconds(MAX_SECONDS);
        let at = Time::parse(&at).filter(|at| allowed.contains(at));
        let Some(at) = at else {
            let detail = "Choose a time from now on, within a year.";
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail).into());
        };
        let scheduled = desk
            .store
            .schedule_content(section.0, number, at, desk.me());
        match scheduled.await? {
            Stored::Ok(_) => Ok(NoContent),
            Stored::Conflict => Err(conflict(
                "The draft of this section was changed, published or discarded since you opened \
                 it. Check it first.",
            )
            .into()),
        }
    }

    /// Take a section off the schedule
    ///
    /// Its draft is kept.
    #[oai(
        path = "/:section",
        method = "delete",
        operation_id = "unscheduleSiteDraft"
    )]
    async fn unschedule(
        &self,
        desk: Admin,
        section: Path<String>,
    ) -> Result<NoContent, AdminError> {
        match desk.store.unschedule_content(section.0).await? {
            true => Ok(NoContent),
            false => Err(Problem::missing("This section is not scheduled.").into()),
        }
    }
}
