//! Follow-ups: reminders of a request.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde_json::Value;

use super::actor::actor;
use super::changes::{ChangedRequest, changed};
use super::errors::unknown_request;
use crate::AppState;
use crate::api::tags::Tag;
use crate::request::client_address::Client;
use crate::request::error_responses::AdminError;
use crate::request::problem::{Problem, invalid};
use crate::request::require_admin::Admin;
use crate::request::strict_json::{StrictJson, UniqueKeys};
use domain::clock::Time;
use domain::request::quote::refused_move;

/// Maximum distance of the time, in seconds: a year and a day.
const MAX_SECONDS: i64 = 367 * 24 * 60 * 60;

/// The time of a reminder.
#[derive(Object)]
#[oai(rename = "FollowUpChange")]
struct FollowUpBody {
    /// RFC 3339, up to a year from now; null to end the follow-up.
    at: Option<String>,
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
        app: Data<&Arc<AppState>>,
        admin: Admin,
        client: Client,
        id: Path<String>,
        body: StrictJson<UniqueKeys, FollowUpBody>,
    ) -> Result<Json<ChangedRequest>, AdminError> {
        let now = app.clock.now();
        let at = parse_time(&body.0, "at", now)?;
        let done = app.store.follow_up(id.0, at, actor(admin, client), now);
        let done = done.await.map_err(unknown_request)?;
        let done = changed(&app, done, |present| refused_move(present, None))?;
        Ok(Json(done))
    }
}

/// A time in the future; `None` if the member is absent or null.
pub(super) fn parse_time(
    body: &UniqueKeys,
    member: &str,
    now: Time,
) -> Result<Option<Time>, Problem> {
    let at = match body.0.get(member) {
        None | Some(Value::Null) => return Ok(None),
        Some(at) => at.as_str().and_then(Time::parse),
    };
    let wrong = || {
        invalid(
            member,
            "Choose a day and a time, as in 2026-11-21T15:00:00Z.",
        )
    };
    let at = at.ok_or_else(wrong)?;
    if at <= now {
        return Err(invalid(member, "This time has passed. Choose a later one."));
    }
    if at > now.plus_seconds(MAX_SECONDS) {
        return Err(invalid(member, "Choose a time within a year."));
    }
    Ok(Some(at))
}
