//! Messages of customers: which were read, and which need no answer.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;

use super::changes::ChangedRequest;
use super::errors::unknown_request;
use crate::desk::Desk;
use crate::tags::Tag;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::success_responses::NoContent;

/// The calls.
pub struct MessagesApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Emails")]
impl MessagesApi {
    /// Mark the messages of a request as read
    ///
    /// For everyone: a message is unread until one person has opened its request. One whose author
    /// could not be verified starts no clock: it stays unread until the request is answered or
    /// closed, or the message is set aside.
    #[oai(path = "/:id/read", method = "post", operation_id = "markRead")]
    async fn read(&self, desk: Desk, id: Path<String>) -> Result<NoContent, AdminError> {
        let (reader, now) = (desk.me(), desk.now);
        let done = desk.store.mark_read(id.0, reader, now).await;
        done.map_err(unknown_request)?;
        Ok(NoContent)
    }

    /// Set the messages of a request aside: they need no answer
    ///
    /// The clock of the next answer stops. It can be undone for a minute. `event` is null if no
    /// message waits.
    #[oai(
        path = "/:id/set-aside",
        method = "post",
        operation_id = "setMessagesAside"
    )]
    async fn set_aside(&self, desk: Desk, id: Path<String>) -> AdminResult<ChangedRequest> {
        let done = desk.store.set_aside(id.0, desk.actor(), desk.now).await;
        Ok(Json(ChangedRequest::new(
            done.map_err(unknown_request)?,
            &desk,
        )))
    }
}
