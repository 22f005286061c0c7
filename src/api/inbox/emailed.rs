//! Quote requests made of emails.

use std::collections::BTreeMap;

use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use super::parts::Inbox;
use super::unmatched::{MadeRequest, unknown_email};
use crate::desk::Desk;
use crate::tags::Tag;
use domain::request::emailed::{self, EmailedWords};
use domain::request::quote::{NewQuote, earliest_start};
use http::forms::submit::RawForm;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::Problem;
use http::request::strict_json::{StrictJson, UniqueKeys};
use http::request::success_responses::Created;
use store::conversation::unmatched::EmailedRequest;

/// What an email says of a quote request.
#[derive(Object)]
struct EmailFields {
    /// By the names of the fields of `EmailedQuote`.
    fields: BTreeMap<String, String>,
}

/// A quote request of an email, as a person has checked it.
#[derive(Object)]
pub(super) struct EmailedQuote {
    first_name: Option<String>,
    /// May be empty.
    last_name: Option<String>,
    /// May be empty if there is a phone number.
    email: Option<String>,
    /// May be empty if there is an email address.
    phone: Option<String>,
    company: Option<String>,
    service_type: Option<String>,
    /// May be empty.
    location: Option<String>,
    /// `YYYY-MM-DD`; may be empty.
    start_date: Option<String>,
    /// May be empty.
    duration: Option<String>,
    description: Option<String>,
    emergency_contact: Option<bool>,
}

/// The calls.
pub struct EmailedApi;

#[OpenApi(prefix_path = "/api/admin/unmatched", tag = "Tag::Emails")]
impl EmailedApi {
    /// Read what an email says of a quote request
    ///
    /// Values for the fields of the form, found by plain rules, for a person to check. What the
    /// email does not say is left out.
    #[oai(path = "/:id/fields", method = "get", operation_id = "readEmailFields")]
    async fn fields(&self, desk: Desk<Inbox<'_>>, id: Path<String>) -> AdminResult<EmailFields> {
        let email = desk.store.unmatched_email(id.0).await;
        let email = email.map_err(unknown_email)?;
        let (address, name) = email.answered();
        let words = EmailedWords {
            name,
            address,
            subject: email.text("subject"),
            text: email.text("text"),
            folded: email.text("folded"),
            day: desk.time_zone.local(desk.now).date(),
        };
        let found = emailed::fields(&words).into_iter();
        let fields = found.map(|(key, value)| (key.to_owned(), value));
        Ok(Json(EmailFields {
            fields: fields.collect(),
        }))
    }

    /// Make a quote request of an email
    ///
    /// Validated by the quote form's rules, except that a first name, an address and a service are
    /// enough. No email is sent for it; the email is in its history.
    #[oai(
        path = "/:id/quote",
        method = "post",
        operation_id = "makeQuoteOfEmail"
    )]
    async fn make_quote(
        &self,
        desk: Desk<Inbox<'_>>,
        id: Path<String>,
        body: StrictJson<UniqueKeys, EmailedQuote>,
    ) -> Result<Created<MadeRequest>, AdminError> {
        let form = &desk.forms.emailed;
        let raw = RawForm::from_json(form, body.0);
        let earliest = earliest_start(desk.now);
        let quote = NewQuote::parse(form, |field| raw.entry(field), None, &earliest);
        let quote = quote.map_err(|errors| Problem::invalid(form.outcome("invalid"), errors))?;
        let new = EmailedRequest::Quote(quote);
        let made = desk
            .store
            .request_of_email(id.0, new, desk.actor(), desk.now)
            .await;
        let id = made.map_err(unknown_email)?;
        Ok(Created::of(MadeRequest { id }))
    }
}
