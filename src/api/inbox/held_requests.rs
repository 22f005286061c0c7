//! Requests held as spam: mark, release and discard.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::changes::ChangedRequest;
use crate::desk::Desk;
use crate::tags::Tag;
use http::request::error_responses::AdminResult;

/// The calls for held requests.
pub struct HeldApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl HeldApi {
    /// Mark a request as spam
    ///
    /// It is held from now on, whatever its status, and is deleted with the other held ones. It can
    /// be undone for a minute, and be released later. 409 if it is held already.
    #[oai(path = "/:id/spam", method = "post", operation_id = "markAsSpam")]
    async fn mark(&self, desk: Desk, id: Path<String>) -> AdminResult<ChangedRequest> {
        let marked = desk.store.mark_spam(id.0, desk.actor(), desk.now).await;
        ChangedRequest::of(&desk, marked)
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
        ChangedRequest::of(&desk, released)
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
        ChangedRequest::of(&desk, discarded)
    }
}
