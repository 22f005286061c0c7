//! Changes of requests: moves and assignments, one or many at a time, and their undo.

use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi};
use serde_json::Value;

use super::dto::RequestItem;
use super::params::invalid;
use super::{Tag, mover, unknown_request};
use crate::domain::quote::Status;
use crate::domain::request::Request;
use crate::http::App;
use crate::http::admin_api::parse_status;
use crate::http::client_address::Client;
use crate::http::error_responses::AdminError;
use crate::http::guard::Admin;
use crate::http::problem::{Person, Problem};
use crate::http::strict_json::{StrictJson, UniqueKeys};
use crate::store::{Assign, Refusal, RequestUpdate, UndoRefusal};

/// Requests of one bulk change.
const MAX_BULK: usize = 500;

/// What to change; absent members stay as they are.
#[derive(Object)]
struct RequestChange {
    /// `in_progress` (accept), `cancelled` (reject) or `completed` (complete).
    status: Option<String>,
    /// `me` to take it unless somebody else has, a user id to hand it over, null to release it.
    assignee: Option<String>,
}

/// A change of many requests.
#[derive(Object)]
struct BulkChange {
    /// 1 to 500 ids or references.
    ids: Vec<String>,
    /// As for one request.
    status: Option<String>,
    /// As for one request.
    assignee: Option<String>,
}

/// A request that was not changed.
#[derive(Object)]
struct RefusedChange {
    /// As it was given.
    id: String,
    /// Its reference; null if there is no such request.
    reference: Option<String>,
    /// Why.
    detail: String,
}

/// The result of a bulk change.
#[derive(Object)]
struct BulkChangeResult {
    /// The ids of the changed requests.
    changed: Vec<String>,
    refused: Vec<RefusedChange>,
    /// Give it as `token` to undo the change within a minute; null if nothing was changed.
    undo: Option<String>,
}

/// What to undo.
#[derive(Object)]
struct UndoBody {
    /// The id of one's own event; absent: the last one.
    event: Option<i64>,
}

/// The bulk change to undo.
#[derive(Object)]
struct BulkUndoBody {
    /// `undo` of the bulk change.
    token: String,
}

#[derive(ApiResponse)]
enum ChangedResponse {
    /// The request after the change.
    #[oai(status = 200)]
    Ok(Json<RequestItem>),
}

#[derive(ApiResponse)]
enum BulkResponse {
    /// What was changed and what was not.
    #[oai(status = 200)]
    Ok(Json<BulkChangeResult>),
}

/// The changing calls of the inbox.
pub struct ChangesApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Desk")]
impl ChangesApi {
    /// Move or assign a request
    ///
    /// Both are checked in the transaction that writes them, and if one is refused, nothing is
    /// changed: 409 with `current_status` for a move that is not legal any more, 409 with the code
    /// `already_taken` if somebody else has taken the request.
    #[oai(path = "/inbox/:id", method = "patch", operation_id = "changeRequest")]
    async fn change(
        &self,
        app: Data<&Arc<App>>,
        admin: Admin,
        client: Client,
        id: Path<String>,
        body: StrictJson<UniqueKeys, RequestChange>,
    ) -> Result<ChangedResponse, AdminError> {
        let change = parse_change(&body.0)?;
        let next = change.status;
        let by = mover(admin, client);
        let now = app.clock.now();
        let changed = app.store.change_request(id.0, change, by, now).await;
        match changed.map_err(unknown_request)? {
            Ok(request) => Ok(respond(&app, *request)),
            Err(refusal) => Err(problem(refusal, next).into()),
        }
    }

    /// Move or assign many requests
    ///
    /// In one transaction. Refused ones are named, the others are changed.
    #[oai(path = "/inbox/bulk", method = "post", operation_id = "changeRequests")]
    async fn change_many(
        &self,
        app: Data<&Arc<App>>,
        admin: Admin,
        client: Client,
        body: StrictJson<UniqueKeys, BulkChange>,
    ) -> Result<BulkResponse, AdminError> {
        let change = parse_change(&body.0)?;
        let ids = parse_ids(&body.0)?;
        let next = change.status;
        let by = mover(admin, client);
        let now = app.clock.now();
        let result = app.store.change_requests(ids, change, by, now).await?;
        let refused = result
            .refused
            .into_iter()
            .map(|(id, request, refusal)| RefusedChange {
                reference: request.map(|request| request.reference),
                detail: match refusal {
                    Some(refusal) => problem(refusal, next).detail().to_owned(),
                    None => UNKNOWN.to_owned(),
                },
                id,
            });
        Ok(BulkResponse::Ok(Json(BulkChangeResult {
            refused: refused.collect(),
            changed: result.changed,
            undo: result.bulk.map(|bulk| bulk.to_string()),
        })))
    }

    /// Undo one's own last change of a request
    ///
    /// A move, an assignment or a logged call, at most a minute old; 409 if the same was changed
    /// since, with the name of who did it.
    #[oai(path = "/inbox/:id/undo", method = "post", operation_id = "undoChange")]
    async fn undo(
        &self,
        app: Data<&Arc<App>>,
        admin: Admin,
        client: Client,
        id: Path<String>,
        body: StrictJson<UniqueKeys, UndoBody>,
    ) -> Result<ChangedResponse, AdminError> {
        let event = match body.0.0.get("event") {
            None | Some(Value::Null) => None,
            Some(event) => Some(event.as_i64().ok_or_else(|| {
                invalid("event", "`event` is the id of an event of this request.")
            })?),
        };
        let by = mover(admin, client);
        let now = app.clock.now();
        let undone = app.store.undo(id.0, event, by, now).await;
        match undone.map_err(unknown_request)? {
            Ok(request) => Ok(respond(&app, *request)),
            Err(refusal) => Err(Problem::new(StatusCode::CONFLICT, explain(&refusal)).into()),
        }
    }

    /// Undo a bulk change
    ///
    /// At most a minute old. Requests that somebody has changed since stay as they are and are
    /// named.
    #[oai(path = "/inbox/undo", method = "post", operation_id = "undoBulkChange")]
    async fn undo_many(
        &self,
        app: Data<&Arc<App>>,
        admin: Admin,
        client: Client,
        body: StrictJson<UniqueKeys, BulkUndoBody>,
    ) -> Result<BulkResponse, AdminError> {
        let token = body.0.text("token").and_then(|token| token.parse().ok());
        let wrong = || {
            invalid(
                "token",
                "`token` is the value of `undo` of your bulk change.",
            )
        };
        let bulk = token.ok_or_else(wrong)?;
        let by = mover(admin, client);
        let undone = app.store.undo_bulk(bulk, by, app.clock.now()).await;
        let undone = undone.map_err(|error| match error {
            crate::store::Error::Missing => wrong(),
            other => other.into(),
        })?;
        let refused = undone
            .refused
            .into_iter()
            .map(|(request, why)| RefusedChange {
                id: request.id,
                reference: Some(request.reference),
                detail: explain(&why),
            });
        Ok(BulkResponse::Ok(Json(BulkChangeResult {
            refused: refused.collect(),
            changed: undone.undone,
            undo: None,
        })))
    }
}

const UNKNOWN: &str = "There is no request with this id or reference.";

fn respond(app: &App, request: Request) -> ChangedResponse {
    ChangedResponse::Ok(Json(RequestItem::new(request, app.answer_times)))
}

fn parse_change(body: &UniqueKeys) -> Result<RequestUpdate, Problem> {
    let status = match body.0.get("status") {
        None | Some(Value::Null) => None,
        Some(status) => Some(parse_status(status.as_str().unwrap_or_default())?),
    };
    let assign = match body.0.get("assignee") {
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

fn parse_ids(body: &UniqueKeys) -> Result<Vec<String>, Problem> {
    let ids = body.0.get("ids").and_then(Value::as_array);
    let ids = ids.filter(|ids| (1..=MAX_BULK).contains(&ids.len()));
    let texts = ids.and_then(|ids| {
        let texts = ids.iter().map(|id| id.as_str().map(str::to_owned));
        texts.collect::<Option<Vec<_>>>()
    });
    texts.ok_or_else(|| invalid("ids", "`ids` is a list of 1 to 500 ids."))
}

/// The problem of a refused change.
fn problem(refusal: Refusal, next: Option<Status>) -> Problem {
    match refusal {
        Refusal::Move { present } => {
            let next = next.map(Status::as_str).unwrap_or_default();
            let detail = format!("This request is {present}; it cannot become {next}.");
            Problem::conflict(detail, present.as_str())
        }
        Refusal::Taken { user_id, email } => {
            let name = email.as_deref().unwrap_or("Somebody else");
            let detail = format!("{name} has taken this request.");
            Problem::new(StatusCode::CONFLICT, detail).with_assignee(Person { id: user_id, email })
        }
        Refusal::UnknownPerson => unknown_person(),
        Refusal::Held => {
            let detail = "This request is held as spam. Release it first.";
            Problem::new(StatusCode::CONFLICT, detail).with_code("held")
        }
    }
}

fn unknown_person() -> Problem {
    let detail = "There is no admin with this id. Choose a person of the list.";
    invalid("assignee", detail)
}

fn explain(refusal: &UndoRefusal) -> String {
    match refusal {
        UndoRefusal::Nothing => "You have changed nothing here that can be undone.".to_owned(),
        UndoRefusal::TooLate => "This can be undone for a minute only.".to_owned(),
        UndoRefusal::ChangedSince { by } => {
            let name = by.as_deref().unwrap_or("Somebody");
            format!("{name} has changed this request since, so it stays as it is.")
        }
    }
}
