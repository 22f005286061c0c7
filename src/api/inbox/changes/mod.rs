//! Changes of requests: moves and assignments, one or many at a time, and their undo.

mod body;
pub(super) mod edits;
pub(super) mod refusal;

use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use super::dto::RequestItem;
use super::errors::{UNKNOWN, unknown_request};
use crate::desk::Desk;
use crate::tags::Tag;
use body::{BulkChange, BulkUndoBody, RequestChange, UndoBody};
use domain::request::due_time::AnswerTimes;
use domain::request::quote::{Status, refused_move};
use http::request::error_responses::AdminResult;
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;
use refusal::{explain, problem};
use store::inbox::changes::bulk_part::BulkPart;

/// A request that was not changed.
#[derive(Object)]
struct RefusedChange {
    /// As given.
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

/// A request after a change.
#[derive(Object)]
pub(super) struct ChangedRequest {
    #[oai(flatten)]
    request: RequestItem,
    /// The event of the change, to undo it; null if nothing was changed.
    event: Option<i64>,
}

impl ChangedRequest {
    /// The answer to a change that is not refused.
    pub(super) fn of(
        times: AnswerTimes,
        changed: store::Result<store::inbox::changes::ChangedRequest>,
    ) -> AdminResult<Self> {
        let changed = changed.map_err(unknown_request)?;
        Ok(Json(Self::new(changed, times)))
    }

    pub(super) fn new(changed: store::inbox::changes::ChangedRequest, times: AnswerTimes) -> Self {
        Self {
            request: RequestItem::new(*changed.request, times),
            event: changed.event,
        }
    }
}

/// The answer to a change, or the problem of its refusal. `illegal` is the reason for a move that
/// is not possible from the current status.
pub(super) fn changed(
    times: AnswerTimes,
    changed: store::Result<store::inbox::changes::Changed>,
    illegal: impl Fn(Status) -> String,
) -> AdminResult<ChangedRequest> {
    let changed = changed.map_err(unknown_request)?;
    let changed = changed.map_err(|refusal| problem(refusal, illegal))?;
    Ok(Json(ChangedRequest::new(changed, times)))
}

/// The changing calls of the inbox.
pub struct ChangesApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl ChangesApi {
    /// Move or assign a request
    ///
    /// Both are checked in the transaction that writes them, and if one is refused, nothing is
    /// changed: 409 with `current_status` for a move that is no longer legal, 409 with the code
    /// `already_taken` if another admin has taken the request.
    #[oai(path = "/:id", method = "patch", operation_id = "changeRequest")]
    async fn change(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<RequestChange>,
    ) -> AdminResult<ChangedRequest> {
        let change = body.0.parse()?;
        let next = change.status;
        let result = desk
            .store
            .change_request(id.0, change, desk.actor(), desk.now)
            .await;
        changed(desk.times, result, |present| refused_move(present, next))
    }

    /// Move or assign many requests
    ///
    /// In one transaction. Refused requests are named, the others are changed. `continue` is `undo`
    /// of a bulk change of yours that this one continues: both are undone together.
    /// The response names the changed and the refused requests.
    #[oai(path = "/bulk", method = "post", operation_id = "changeRequests")]
    async fn change_many(
        &self,
        desk: Desk,
        body: StrictJson<BulkChange>,
    ) -> AdminResult<BulkChangeResult> {
        let continued = body.0.r#continue.as_deref().map(str::parse).transpose();
        let continued = continued.map_err(|_| wrong_token("continue"))?;
        let (change, ids) = body.0.parse()?;
        let next = change.status;
        let result = desk
            .store
            .change_requests(ids, continued, change, desk.actor(), desk.now);
        let result = result
            .await
            .map_err(|error| Problem::of(error, || wrong_token("continue")))?;
        let refused = result.refused.into_iter().map(|refused| {
            let id = refused.id;
            match refused.refusal {
                Some((request, why)) => {
                    let problem = problem(why, |present| refused_move(present, next));
                    RefusedChange {
                        id,
                        reference: Some(request.reference),
                        detail: problem.detail().to_owned(),
                    }
                }
                None => RefusedChange {
                    id,
                    reference: None,
                    detail: UNKNOWN.to_owned(),
                },
            }
        });
        Ok(Json(BulkChangeResult {
            refused: refused.collect(),
            changed: result.changed,
            undo: result.bulk.map(|bulk| bulk.to_string()),
        }))
    }

    /// Undo one's own last change of a request
    ///
    /// A move, an assignment, a logged call, a follow-up, an outcome, a discard, a deleted note or
    /// a removed file, at most a minute old; a reply or a release, at most ten seconds old. 409 if
    /// a later change replaces it, with the name of its author.
    #[oai(path = "/:id/undo", method = "post", operation_id = "undoChange")]
    async fn undo(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<UndoBody>,
    ) -> AdminResult<ChangedRequest> {
        let undone = desk
            .store
            .undo(id.0, body.0.event, desk.actor(), desk.now)
            .await;
        match undone.map_err(unknown_request)? {
            Ok(request) => {
                let undone = store::inbox::changes::ChangedRequest {
                    request,
                    event: None,
                };
                Ok(Json(ChangedRequest::new(undone, desk.times)))
            }
            Err(refusal) => Err(Problem::conflict(explain(&refusal)).into()),
        }
    }

    /// Undo a bulk change
    ///
    /// At most a minute old, 500 requests at a time: `undo` of the answer is the token of the rest.
    /// Requests that were changed since are named and stay unchanged.
    /// The response names the changed and the refused requests.
    #[oai(path = "/undo", method = "post", operation_id = "undoBulkChange")]
    async fn undo_many(
        &self,
        desk: Desk,
        body: StrictJson<BulkUndoBody>,
    ) -> AdminResult<BulkChangeResult> {
        let part = BulkPart::parse(&body.0.token);
        let part = part.ok_or_else(|| wrong_token("token"))?;
        let undone = desk.store.undo_bulk(part, desk.actor(), desk.now).await;
        let undone = undone.map_err(|error| Problem::of(error, || wrong_token("token")))?;
        let refused = undone
            .refused
            .into_iter()
            .map(|(request, why)| RefusedChange {
                id: request.id,
                reference: Some(request.reference),
                detail: explain(&why),
            });
        Ok(Json(BulkChangeResult {
            refused: refused.collect(),
            changed: undone.undone,
            undo: undone.next.map(|part| part.to_string()),
        }))
    }
}

fn wrong_token(field: &str) -> Problem {
    let detail = format!("`{field}` is the value of `undo` of your bulk change.");
    invalid(field, detail)
}
