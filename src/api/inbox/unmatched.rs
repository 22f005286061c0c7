//! Emails of customers that belong to no request.

use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::dto::event::RequestEvent;
use super::errors::unknown_request;
use crate::desk::Desk;
use crate::tags::Tag;
use domain::request::contact::NewContact;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::{Problem, bad_parameter, invalid};
use http::request::strict_json::StrictJson;
use http::request::success_responses::{Created, NoContent};
use store::conversation::unmatched::{EmailedRequest, UnmatchedEmail};

/// Emails in one answer.
const MAX_EMAILS: u32 = 200;

/// Emails that belong to no request.
#[derive(Object)]
struct UnmatchedEmails {
    /// Newest first, at most 200.
    emails: Vec<UnmatchedEmail>,
    /// Emails of people that wait.
    count: u64,
    /// Emails of programs.
    automatic: u64,
    /// Emails of people that were discarded.
    discarded: u64,
}

/// Where an email belongs.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct AttachEmail {
    /// The id or the reference of the request.
    request: String,
}

/// A new request.
#[derive(Object)]
pub(super) struct MadeRequest {
    pub id: String,
}

/// The calls.
pub struct UnmatchedApi;

#[OpenApi(prefix_path = "/api/admin/unmatched", tag = "Tag::Emails")]
impl UnmatchedApi {
    /// List emails that belong to no request
    #[oai(path = "/", method = "get", operation_id = "listUnmatched")]
    async fn list(
        &self,
        desk: Desk,
        /// `automatic`: those of programs; `discarded`: those of people that were discarded.
        show: Query<Option<String>>,
    ) -> AdminResult<UnmatchedEmails> {
        let (automatic, discarded) = match show.0.as_deref().unwrap_or_default() {
            "" => (false, false),
            "automatic" => (true, false),
            "discarded" => (false, true),
            _ => {
                let detail = "`show` is automatic or discarded.";
                return Err(bad_parameter("show", detail).into());
            }
        };
        let store = &desk.store;
        let emails = store.unmatched_emails(automatic, discarded, MAX_EMAILS);
        let counts = store.count_unmatched().await?;
        Ok(Json(UnmatchedEmails {
            emails: emails.await?,
            count: counts.people,
            automatic: counts.automatic,
            discarded: counts.discarded,
        }))
    }

    /// Attach an email to a request
    ///
    /// You vouch for its author: if its address is the customer's, the clock of the next answer
    /// starts.
    #[oai(path = "/:id/attach", method = "post", operation_id = "attachEmail")]
    async fn attach(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<AttachEmail>,
    ) -> Result<Created<RequestEvent>, AdminError> {
        let request = body.0.request.trim().to_owned();
        if request.is_empty() {
            return Err(invalid("request", "Type the reference of the request.").into());
        }
        let known = desk.store.unmatched_email(id.0.clone()).await;
        known.map_err(unknown_email)?;
        let event = desk
            .store
            .attach_email(id.0, request, desk.actor(), desk.now)
            .await;
        let event = event.map_err(|error| match error {
            store::Error::Missing => invalid("request", "There is no request with this reference."),
            other => unknown_request(other),
        })?;
        Ok(Created::of(RequestEvent::of_caller(&desk, event, &[])))
    }

    /// Make a contact message of an email
    ///
    /// No email is sent for it.
    #[oai(
        path = "/:id/request",
        method = "post",
        operation_id = "makeRequestOfEmail"
    )]
    async fn make(&self, desk: Desk, id: Path<String>) -> Result<Created<MadeRequest>, AdminError> {
        let email = desk.store.unmatched_email(id.0.clone()).await;
        let email = email.map_err(unknown_email)?;
        let (address, name) = email.answered();
        let words = [address, name, email.text("subject"), email.text("text")];
        let Some(contact) = NewContact::of_email(words) else {
            let detail = "This email has no author who can be answered. Attach it to a request.";
            return Err(Problem::conflict(detail).into());
        };
        let new = EmailedRequest::Message(contact);
        let made = desk
            .store
            .request_of_email(id.0, new, desk.actor(), desk.now)
            .await;
        let id = made.map_err(unknown_email)?;
        Ok(Created::of(MadeRequest { id }))
    }

    /// Discard an email
    ///
    /// It is deleted with discarded spam, after 30 days.
    #[oai(path = "/:id/discard", method = "post", operation_id = "discardEmail")]
    async fn discard(&self, desk: Desk, id: Path<String>) -> Result<NoContent, AdminError> {
        let done = desk
            .store
            .discard_email(id.0, true, desk.actor(), desk.now)
            .await;
        done.map_err(unknown_email)?;
        Ok(NoContent::Done)
    }

    /// Take a discarded email back
    #[oai(path = "/:id/restore", method = "post", operation_id = "restoreEmail")]
    async fn restore(&self, desk: Desk, id: Path<String>) -> Result<NoContent, AdminError> {
        let done = desk
            .store
            .discard_email(id.0, false, desk.actor(), desk.now)
            .await;
        done.map_err(unknown_email)?;
        Ok(NoContent::Done)
    }
}

pub(super) fn unknown_email(error: store::Error) -> Problem {
    Problem::of(error, || {
        Problem::missing("There is no such email: a colleague may have attached it.")
    })
}
