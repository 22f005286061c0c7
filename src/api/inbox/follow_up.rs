//! Follow-ups: reminders of a request.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::changes::{ChangedRequest, changed};
use crate::desk::Desk;
use crate::tags::Tag;
use domain::clock::Time;
use domain::request::quote::refused_move;
use http::request::error_responses::AdminResult;
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;

/// Maximum distance of the time, in seconds: a year and a day.
const MAX_SECONDS: i64 = 367 * 24 * 60 * 60;

/// The time of a reminder.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct FollowUpChange {
    /// Up to a year from now; null to end the follow-up.
    at: Option<Time>,
}

/// The calls about follow-ups.
pub struct FollowUpApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl FollowUpApi {
    /// Be reminded of a request
    ///
    /// It needs no attention until then, and returns with a mark; a call or a reply ends the
    /// follow-up. An emergency that was not reached by phone can wait for an hour. It can be undone
    /// for a minute. 409 for a closed request.
    #[oai(path = "/:id/follow-up", method = "put", operation_id = "setFollowUp")]
    async fn set(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<FollowUpChange>,
    ) -> AdminResult<ChangedRequest> {
        let at = reminder("at", body.0.at, desk.now)?;
        let done = desk.store.follow_up(id.0, at, desk.actor(), desk.now);
        changed(&desk, done.await, |present| refused_move(present, None))
    }
}

/// Refuses a time of a reminder that has passed, or is more than a year away.
pub(super) fn reminder(member: &str, at: Option<Time>, now: Time) -> Result<Option<Time>, Problem> {
    if at.is_some_and(|at| at <= now) {
        return Err(invalid(member, "This time has passed. Choose a later one."));
    }
    if at.is_some_and(|at| at > now.plus_seconds(MAX_SECONDS)) {
        return Err(invalid(member, "Choose a time within a year."));
    }
    Ok(at)
}
