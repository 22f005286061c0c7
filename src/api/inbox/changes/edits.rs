//! Edits of what a request says, and contact messages that become quote requests.

use std::sync::Arc;

use poem_openapi::param::Path;
use poem_openapi::types::ToJSON;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use serde_json::Value;

use super::super::errors::unknown_request;
use super::{ChangedRequest, changed};
use crate::desk::Desk;
use crate::tags::Tag;
use domain::form::{Forms, RawValue};
use domain::request::RequestKind;
use domain::request::edited::{self, FIELDS, FieldTexts, RequestEdit};
use domain::request::quote::{earliest_start, refused_move};
use http::request::error_responses::AdminResult;
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;

/// Fields of a request; those that are absent are not changed. An empty text deletes a value.
#[derive(Default, Object, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RequestFields {
    first_name: Option<String>,
    last_name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    company: Option<String>,
    service: Option<String>,
    /// Of a quote request.
    location: Option<String>,
    /// Of a quote request, `YYYY-MM-DD`.
    start_date: Option<String>,
    /// Of a quote request.
    duration: Option<String>,
}

/// An edit of a request.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestFieldsChange {
    /// The new values.
    to: RequestFields,
    /// The values that you have seen: a field that has another one by now is not changed.
    from: Option<RequestFields>,
}

/// The editing calls.
pub struct EditsApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl EditsApi {
    /// Edit what a request says
    ///
    /// Validated by the rules of its form, except that last name, email address, phone number,
    /// place, start and duration may be empty, as long as an address or a number remains, and that
    /// free texts may contain semicolons, double dashes and quotes. The history keeps both values.
    /// Emails to the customer that were not delivered yet go to the new address. It can be undone
    /// for a minute. `event` is null if the fields have these values already.
    #[oai(path = "/:id/fields", method = "patch", operation_id = "editRequest")]
    async fn edit(
        &self,
        desk: Desk<&Arc<Forms>>,
        id: Path<String>,
        body: StrictJson<RequestFieldsChange>,
    ) -> AdminResult<ChangedRequest> {
        let request = desk.store.request(id.0.clone()).await;
        let kind = request.map_err(unknown_request)?.kind;
        let to = body.0.to.to_json().unwrap_or_default();
        no_other_fields(&to, kind)?;
        let given = |field: &str| to[field].as_str().map(RawValue::Text);
        let form = edited::form(&desk, kind);
        let parsed = edited::parse(form, kind, given, &earliest_start(desk.now));
        let to = parsed.map_err(|errors| Problem::invalid(form.outcome("invalid"), errors))?;
        let from = body.0.from.to_json().unwrap_or_default();
        let from = seen(&from, kind);
        let edit = RequestEdit { kind, from, to };
        let edited = desk
            .store
            .edit_request(id.0, edit, desk.actor(), desk.now)
            .await;
        changed(desk.times, edited, |present| refused_move(present, None))
    }

    /// Make a quote request of a contact message
    ///
    /// It keeps its id, reference, history, messages, files and reminder, and can have files and
    /// offers from then on. Place, start and duration are empty; the service is the one of the
    /// quote form that says the same, or `other`. It can be undone for a minute, unless one of them
    /// was filled in or it has got a file or an offer. `event` is null if it is a quote request.
    #[oai(
        path = "/:id/quote",
        method = "post",
        operation_id = "makeQuoteOfMessage"
    )]
    async fn make(&self, desk: Desk, id: Path<String>) -> AdminResult<ChangedRequest> {
        let made = desk.store.make_quote(id.0, desk.actor(), desk.now).await;
        changed(desk.times, made, |present| refused_move(present, None))
    }
}

/// Refuses fields that requests of this kind do not have.
fn no_other_fields(given: &Value, kind: RequestKind) -> Result<(), Problem> {
    let is_other = |name: &&str| edited::fields(kind).all(|field| field != *name);
    let mut others = FIELDS.into_iter().filter(is_other);
    match others.find(|name| given[*name].is_string()) {
        Some(unknown) => Err(invalid(unknown, "This request has no such field to edit.")),
        None => Ok(()),
    }
}

/// The values that the editor has seen.
fn seen(given: &Value, kind: RequestKind) -> FieldTexts {
    let value = |field| Some((field, given[field].as_str()?.to_owned()));
    edited::fields(kind).filter_map(value).collect()
}
