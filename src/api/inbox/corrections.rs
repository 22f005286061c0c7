//! Changes beside the three moves: corrections of a status, removal of files, duplicates that are
//! merged and separated, and requests held as spam.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::changes::{ChangedRequest, changed};
use super::dto::event::RequestEvent;
use crate::desk::Desk;
use crate::tags::Tag;
use domain::request::event::Correction;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::{Problem, cleaned, invalid};
use http::request::strict_json::StrictJson;
use http::request::success_responses::Created;

/// Maximum length of a reason, in code points.
const MAX_REASON: usize = 500;

/// A correction.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewCorrection {
    correction: Correction,
    /// 1 to 500 characters, for the history.
    reason: String,
}

/// A file to remove.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRemoval {
    /// Its key.
    key: String,
}

/// The other request.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherRequest {
    /// Its id or reference.
    request: String,
}

/// The other request, and which of the two stays.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct Merge {
    /// Its id or reference.
    request: String,
    /// The id of the one that stays, where both have been answered by email.
    #[serde(default)]
    keep: Option<String>,
}

/// The correcting calls.
pub struct CorrectionsApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl CorrectionsApi {
    /// Reopen or withdraw a request
    ///
    /// A completed request is in progress again, and a cancelled one returns to its earlier status.
    /// A request in progress that is withdrawn is cancelled. 409 with `current_status` for another
    /// status.
    #[oai(
        path = "/:id/corrections",
        method = "post",
        operation_id = "correctRequest"
    )]
    async fn correct(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<NewCorrection>,
    ) -> AdminResult<ChangedRequest> {
        let correction = body.0.correction;
        let missing = || invalid("reason", "Give a reason for the correction.");
        let reason = cleaned("reason", &body.0.reason, MAX_REASON)?.ok_or_else(missing)?;
        let corrected =
            desk.store
                .correct_request(id.0, correction, reason, desk.actor(), desk.now);
        let verb = correction.as_str();
        changed(desk.times, corrected.await, |present| {
            format!("This request is {present}; you cannot {verb} it.")
        })
    }

    /// Remove a file of a quote request
    ///
    /// It can be undone for a minute; then the file is deleted.
    #[oai(
        path = "/:id/files/remove",
        method = "post",
        operation_id = "removeRequestFile"
    )]
    async fn remove_file(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<FileRemoval>,
    ) -> Result<Created<RequestEvent>, AdminError> {
        let event = desk
            .store
            .remove_file(id.0, body.0.key, desk.actor(), desk.now)
            .await;
        let event = event.map_err(|error| {
            Problem::of(error, || {
                invalid(
                    "key",
                    "This request has no such file: it may have been removed.",
                )
            })
        })?;
        let history = [event.clone()];
        Ok(Created::of(RequestEvent::of_caller(&desk, event, &history)))
    }

    /// Merge two requests
    ///
    /// Both must be open. An emergency that waits for a call stays, else the one with an email
    /// that did not arrive, else the one whose number the customer has from our emails, else the
    /// older one. The other leaves the lists, is shown in it, and its id and
    /// reference lead there. It can be undone for a minute, and separated later. 409 with the
    /// reason if they cannot be merged.
    /// The response is the request that stays, or in which the other one was shown.
    #[oai(path = "/:id/merge", method = "post", operation_id = "mergeRequests")]
    async fn merge(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<Merge>,
    ) -> AdminResult<ChangedRequest> {
        let Merge { request, keep } = body.0;
        let merged = desk
            .store
            .merge_requests(id.0, request, keep, desk.actor(), desk.now)
            .await;
        ChangedRequest::of(desk.times, merged)
    }

    /// Separate a duplicate
    ///
    /// It returns to the lists, unchanged. 404 if it is not merged
    /// into this request.
    /// The response is the request that stays, or in which the other one was shown.
    #[oai(
        path = "/:id/separate",
        method = "post",
        operation_id = "separateRequest"
    )]
    async fn separate(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<OtherRequest>,
    ) -> AdminResult<ChangedRequest> {
        let duplicate = body.0.request;
        let separated = desk
            .store
            .separate_request(id.0, duplicate, desk.actor(), desk.now)
            .await;
        ChangedRequest::of(desk.times, separated)
    }

    /// Mark a request as spam
    ///
    /// It is held from now on, whatever its status, and is deleted with the other held ones. It can
    /// be undone for a minute, and be released later. 409 if it is held already.
    #[oai(path = "/:id/spam", method = "post", operation_id = "markAsSpam")]
    async fn mark(&self, desk: Desk, id: Path<String>) -> AdminResult<ChangedRequest> {
        let marked = desk.store.mark_spam(id.0, desk.actor(), desk.now).await;
        ChangedRequest::of(desk.times, marked)
    }

    /// Release a held request
    ///
    /// It joins the others: its emails are sent in ten seconds, and the time to answer counts from
    /// its receipt. One that an admin has marked as spam sends none, and has its earlier status.
    /// 409 if it is not held.
    #[oai(
        path = "/:id/release",
        method = "post",
        operation_id = "releaseRequest"
    )]
    async fn release(&self, desk: Desk, id: Path<String>) -> AdminResult<ChangedRequest> {
        let released = desk.store.release(id.0, desk.actor(), desk.now).await;
        ChangedRequest::of(desk.times, released)
    }

    /// Discard a held request
    ///
    /// It is cancelled, sends no emails, and is deleted with the other held ones. Until then it can
    /// be released. 409 if it is not held.
    #[oai(
        path = "/:id/discard",
        method = "post",
        operation_id = "discardRequest"
    )]
    async fn discard(&self, desk: Desk, id: Path<String>) -> AdminResult<ChangedRequest> {
        let discarded = desk.store.discard(id.0, desk.actor(), desk.now).await;
        ChangedRequest::of(desk.times, discarded)
    }
}
