//! Passing a customer's message on to a colleague.

use poem::http::StatusCode;
use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::dto::detail::Event;
use crate::desk::Desk;
use crate::tags::Tag;
use domain::email::email_address::EmailAddress;
use domain::text::clean;
use http::request::error_responses::AdminError;
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;
use http::request::success_responses::Created;

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
pub struct ForwardApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Emails")]
impl ForwardApi {
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
    ) -> Result<Created<Event>, AdminError> {
        let to: Result<EmailAddress, _> = body.0.to.parse();
        let to = to.map_err(|_| invalid("to", "Type an email address."))?;
        let note = clean(body.0.note.as_deref().unwrap_or_default(), true);
        if note.chars().count() > MAX_NOTE {
            return Err(invalid("note", "The note has at most 2,000 characters.").into());
        }
        let unknown = || Problem::new(StatusCode::NOT_FOUND, "There is no such message.");
        let message = event.parse().map_err(|_| unknown())?;
        let to = to.as_str().to_owned();
        let stored = desk
            .store
            .forward_message(id.0, message, to, note, desk.actor(), desk.now);
        let stored = stored.await.map_err(|error| match error {
            store::Error::Missing => unknown(),
            other => other.into(),
        })?;
        Ok(Created(Event::of_caller(&desk, stored, &[])))
    }
}
