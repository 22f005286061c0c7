//! Saves and discards the draft of a section, and publishes one section at a time.

use poem::http::StatusCode;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use serde_json::Value;

use super::errors::{conflict, failure};
use super::parts::Content;
use crate::desk::{Admin, Desk, RecentAdmin};
use crate::tags::Tag;
use domain::clock::Time;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::Problem;
use http::request::strict_json::StrictJson;
use http::request::success_responses::NoContent;
use store::content::Stored;

/// The latest time of a schedule: a year from now.
const MAX_SECONDS: i64 = 366 * 86_400;

/// A section to keep as a draft.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "NewSiteDraft")]
struct NewDraft {
    /// The number of the draft that it replaces; 0 if there is none.
    number: i64,
    /// The whole section.
    value: Any<Value>,
}

/// A saved draft.
#[derive(Object)]
struct SiteDraft {
    /// Its number.
    number: i64,
}

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

/// The calls about drafts.
pub struct DraftApi;

#[OpenApi(prefix_path = "/api/admin/site", tag = "Tag::Site")]
impl DraftApi {
    /// Save a section as a draft
    ///
    /// 422 names each field that breaks a rule, as a JSON pointer. 409 if the section was edited
    /// concurrently: send the number of that draft to replace it.
    #[oai(
        path = "/drafts/:section",
        method = "put",
        operation_id = "saveSiteDraft"
    )]
    async fn save(
        &self,
        desk: Admin<Content<'_>>,
        section: Path<String>,
        body: StrictJson<NewDraft>,
    ) -> AdminResult<SiteDraft> {
        let NewDraft { number, value } = body.0;
        let (section, value) = (section.0, value.0);
        let defaults = desk.publisher.defaults().map_err(failure)?;
        let Some(default) = defaults.get(&section) else {
            return Err(Problem::missing("There is no such section.").into());
        };
        let faults = desk.publisher.rules.check(&section, &value, default);
        if !faults.is_empty() {
            return Err(Problem::content(faults).into());
        }
        let (by, now) = (desk.me(), desk.now);
        let saved = desk
            .store
            .save_content_draft(section.clone(), number, value, by, now);
        match saved.await? {
            Stored::Ok(number) => Ok(Json(SiteDraft { number })),
            Stored::Conflict => Err(edited_concurrently(&desk, &section).await?.into()),
        }
    }

    /// Discard the draft of a section
    #[oai(
        path = "/drafts/:section",
        method = "delete",
        operation_id = "discardSiteDraft"
    )]
    async fn discard(
        &self,
        desk: Admin<Content<'_>>,
        section: Path<String>,
        /// The number of the draft.
        number: Query<i64>,
    ) -> Result<NoContent, AdminError> {
        let discarded = desk
            .store
            .discard_content_draft(section.0.clone(), number.0);
        match discarded.await? {
            Stored::Ok(_) => Ok(NoContent::Done),
            Stored::Conflict => Err(edited_concurrently(&desk, &section.0).await?.into()),
        }
    }

    /// Publish the draft of a section at a time
    ///
    /// Later changes of the draft are published with it. Publishing or discarding the draft ends
    /// the schedule. 422 if the time is past or more than a year away; 409 if the draft has changed
    /// since it was read.
    #[oai(
        path = "/schedule/:section",
        method = "put",
        operation_id = "scheduleSiteDraft"
    )]
    async fn schedule(
        &self,
        desk: RecentAdmin<Content<'_>>,
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
            Stored::Ok(_) => Ok(NoContent::Done),
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
        path = "/schedule/:section",
        method = "delete",
        operation_id = "unscheduleSiteDraft"
    )]
    async fn unschedule(
        &self,
        desk: Admin<Content<'_>>,
        section: Path<String>,
    ) -> Result<NoContent, AdminError> {
        match desk.store.unschedule_content(section.0).await? {
            true => Ok(NoContent::Done),
            false => Err(Problem::missing("This section is not scheduled.").into()),
        }
    }
}

/// 409 that names the account that saved or published the section since it was read.
async fn edited_concurrently(desk: &Desk<Content<'_>>, section: &str) -> Result<Problem, Problem> {
    let drafts = desk.store.content_drafts().await?;
    let draft = drafts.into_iter().find(|draft| draft.section == section);
    let change = match draft {
        Some(draft) => format!(
            "{} has saved this section since you opened it.",
            draft.by.as_deref().unwrap_or("Another admin")
        ),
        None => {
            "The draft of this section was published or discarded since you opened it.".to_owned()
        }
    };
    let detail = format!("{change} Nothing you typed is lost: save yours over it, or show theirs.");
    Ok(conflict(&detail))
}
