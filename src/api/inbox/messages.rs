//! Messages of customers: which were read, which need no answer, and which are passed on to a
//! colleague.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::changes::ChangedRequest;
use super::dto::event::RequestEvent;
use super::errors::unknown_request;
use crate::desk::Desk;
use crate::tags::Tag;
use domain::email::email_address::EmailAddress;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::{Problem, cleaned, invalid};
use http::request::strict_json::StrictJson;
use http::request::success_responses::{Created, NoContent};

/// Maximum code points of a note.
const MAX_NOTE: usize = 2000;

/// To whom a message is passed on.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct Forward {
    /// An email address.
    to: String,
    /// Words of yours above the message, up to 2,000 characters.
    note: Option<String>,
}

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
        Ok(NoContent::Done)
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
        ChangedRequest::of(desk.times, done)
    }

    /// Forward a message to a colleague
    ///
    /// `event` is the id of an event `wrote` or `auto_replied` of the request.
    /// The email is sent at once.
    #[oai(
        path = "/:id/messages/:event/forward",
        method = "post",
        operation_id = "forwardMessage"
    )]
    async fn forward(
        &self,
        desk: Desk,
        id: Path<String>,
        event: Path<String>,
        body: StrictJson<Forward>,
    ) -> Result<Created<RequestEvent>, AdminError> {
        let to: Result<EmailAddress, _> = body.0.to.parse();
        let to = to.map_err(|_| invalid("to", "Type an email address."))?;
        let note = cleaned("note", body.0.note.as_deref().unwrap_or_default(), MAX_NOTE)?;
        let note = note.unwrap_or_default();
        let unknown = || Problem::missing("There is no such message.");
        let message = event.parse().map_err(|_| unknown())?;
        let to = to.as_str().to_owned();
        let stored = desk
            .store
            .forward_message(id.0, message, to, note, desk.actor(), desk.now);
        let stored = stored.await.map_err(|error| Problem::of(error, unknown))?;
        Ok(Created::of(RequestEvent::of_caller(&desk, stored, &[])))
    }
}
