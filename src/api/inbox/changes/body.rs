//! The bodies of changes.

use poem::http::StatusCode;
use poem_openapi::Object;
use poem_openapi::types::MaybeUndefined;
use serde::Deserialize;

use domain::request::quote::Status;
use http::request::problem::{Problem, invalid};
use store::inbox::changes::{Assign, RequestUpdate};

/// Requests of one bulk change.
const MAX_BULK: usize = 500;

/// The change; absent members stay unchanged.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestChange {
    /// `in_progress` (accept), `cancelled` (reject) or `completed` (complete). Accepting without an
    /// `assignee` assigns the request to the caller if nobody has it.
    status: Option<Status>,
    /// `me` to take it unless it is already assigned, a user id to assign it, null to release it.
    #[serde(default)]
    assignee: MaybeUndefined<String>,
}

/// A change of many requests.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BulkChange {
    /// 1 to 500 ids or references.
    ids: Vec<String>,
    /// As for one request.
    status: Option<Status>,
    /// As for one request.
    #[serde(default)]
    assignee: MaybeUndefined<String>,
    /// `undo` of a bulk change of yours that this one continues.
    pub r#continue: Option<String>,
}

/// The change to undo.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UndoBody {
    /// The id of one's own event; default: the last one.
    pub event: Option<i64>,
}

/// The bulk change to undo.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BulkUndoBody {
    /// `undo` of the bulk change.
    pub token: String,
}

impl RequestChange {
    /// Errors: 400 for a change of nothing.
    pub fn parse(self) -> Result<RequestUpdate, Problem> {
        update(self.status, self.assignee)
    }
}

impl BulkChange {
    /// The change, and the ids of the requests.
    pub fn parse(self) -> Result<(RequestUpdate, Vec<String>), Problem> {
        if !(1..=MAX_BULK).contains(&self.ids.len()) {
            return Err(invalid("ids", "`ids` is a list of 1 to 500 ids."));
        }
        Ok((update(self.status, self.assignee)?, self.ids))
    }
}

fn update(
    status: Option<Status>,
    assignee: MaybeUndefined<String>,
) -> Result<RequestUpdate, Problem> {
    let assign = match assignee {
        MaybeUndefined::Undefined if status == Some(Status::InProgress) => Some(Assign::IfNobody),
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some(Assign::Release),
        MaybeUndefined::Value(who) if who == "me" => Some(Assign::Take),
        MaybeUndefined::Value(id) => Some(Assign::To(id)),
    };
    if status.is_none() && assign.is_none() {
        let detail = "Give a `status`, an `assignee`, or both.";
        return Err(Problem::new(StatusCode::BAD_REQUEST, detail));
    }
    Ok(RequestUpdate { status, assign })
}
