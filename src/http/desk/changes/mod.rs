//! Changes of requests: moves and assignments, one or many at a time, and their undo.

mod body;
mod refusal;

use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi};
use serde_json::Value;

use self::body::{BulkChange, BulkUndoBody, RequestChange, UndoBody, parse_change, parse_ids};
use self::refusal::{UNKNOWN, explain, problem};
use super::dto::RequestItem;
use super::params::invalid;
use super::{Tag, mover, unknown_request};
use crate::domain::request::Request;
use crate::http::App;
use crate::http::client_address::Client;
use crate::http::error_responses::AdminError;
use crate::http::guard::Admin;
use crate::http::problem::Problem;
use crate::http::strict_json::{StrictJson, UniqueKeys};

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

fn respond(app: &App, request: Request) -> ChangedResponse {
    ChangedResponse::Ok(Json(RequestItem::new(request, app.answer_times)))
}
