//! The bodies of changes.

use poem::http::StatusCode;
use poem_openapi::Object;
use serde_json::Value;

use super::refusal::unknown_person;
use crate::api::quotes_api::parse_status;
use crate::request::problem::{Problem, invalid};
use crate::request::strict_json::UniqueKeys;
use domain::request::quote::Status;
use store::{Assign, RequestUpdate};

/// Requests of one bulk change.
const MAX_BULK: usize = 500;

/// The change; absent members stay unchanged.
#[derive(Object)]
pub(super) struct RequestChange {
    /// `in_progress` (accept), `cancelled` (reject) or `completed` (complete). Accepting without an
    /// `assignee` assigns the request to the caller if nobody has it.
    status: Option<String>,
    /// `me` to take it unless it is already assigned, a user id to assign it, null to release it.
    assignee: Option<String>,
}

/// A change of many requests.
#[derive(Object)]
pub(super) struct BulkChange {
    /// 1 to 500 ids or references.
    ids: Vec<String>,
    /// As for one request.
    status: Option<String>,
    /// As for one request.
    assignee: Option<String>,
    /// `undo` of a bulk change of yours that this one continues.
    r#continue: Option<String>,
}

/// The change to undo.
#[derive(Object)]
pub(super) struct UndoBody {
    /// The id of one's own event; default: the last one.
    event: Option<i64>,
}

/// The bulk change to undo.
#[derive(Object)]
pub(super) struct BulkUndoBody {
    /// `undo` of the bulk change.
    token: String,
}

pub(super) fn parse_change(body: &UniqueKeys) -> Result<RequestUpdate, Problem> {
    let status = match body.0.get("status") {
        None | Some(Value::Null) => None,
        Some(status) => Some(parse_status(status.as_str().unwrap_or_default())?),
    };
    let assign = match body.0.get("assignee") {
        None if status == Some(Status::InProgress) => Some(Assign::IfNobody),
        None => None,
        Some(Value::Null) => Some(Assign::Release),
        Some(Value::String(who)) if who == "me" => Some(Assign::Take),
        Some(Value::String(id)) => Some(Assign::To(id.clone())),
        Some(_) => return Err(unknown_person()),
    };
    if status.is_none() && assign.is_none() {
        let detail = "Give a `status`, an `assignee`, or both.";
        return Err(Problem::new(StatusCode::BAD_REQUEST, detail));
    }
    Ok(RequestUpdate { status, assign })
}

pub(super) fn parse_ids(body: &UniqueKeys) -> Result<Vec<String>, Problem> {
    let ids = body.0.get("ids").and_then(Value::as_array);
    let ids = ids.filter(|ids| (1..=MAX_BULK).contains(&ids.len()));
    let texts = ids.and_then(|ids| {
        let texts = ids.iter().map(|id| id.as_str().map(str::to_owned));
        texts.collect::<Option<Vec<_>>>()
    });
    texts.ok_or_else(|| invalid("ids", "`ids` is a list of 1 to 500 ids."))
}
