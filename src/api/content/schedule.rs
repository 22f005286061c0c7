//! Publication of a section at a time.

use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::errors::conflict;
use crate::require_admin::Admin;
use crate::tags::Tag;
use domain::clock::Time;
use http::AppState;
use http::request::error_responses::AdminError;
use http::request::problem::Problem;
use http::request::strict_json::StrictJson;
use http::request::success_responses::NoContent;
use store::Stored;

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
        app: Data<&Arc<AppState>>,
        admin: Admin,
        section: Path<String>,
        body: StrictJson<NewSchedule>,
    ) -> Result<NoContent, AdminError> {
        let NewSchedule { number, at } = body.0;
        let now = app.clock.now();
        let at = Time::parse(&at).filter(|at| *at > now && *at <= now.plus_seconds(MAX_SECONDS));
        let Some(at) = at else {
            let detail = "Choose a time from now on, within a year.";
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail).into());
        };
        let by = admin.0.user.id;
        let scheduled = app.store.schedule_content(section.0, number, at, by);
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
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        section: Path<String>,
    ) -> Result<NoContent, AdminError> {
        match app.store.unschedule_content(section.0).await? {
            true => Ok(NoContent),
            false => {
                let detail = "This section is not scheduled.";
                Err(Problem::new(StatusCode::NOT_FOUND, detail).into())
            }
        }
    }
}
