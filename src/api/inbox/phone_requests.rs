//! Quote requests that an admin types during a call.

use std::sync::Arc;

use poem_openapi::param::Header;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::changes::ChangedRequest;
use super::emailed::EmailedQuote;
use super::outcome::reminder;
use crate::desk::Desk;
use crate::tags::Tag;
use domain::clock::Time;
use domain::form::Forms;
use domain::request::quote::{NewQuote, earliest_start};
use http::forms::submit::{self, RawForm};
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::{Problem, invalid};
use http::request::strict_json::{StrictJson, UniqueKeys};
use http::request::success_responses::Created;
use store::inbox::changes::follow_ups::MAX_EMERGENCY_WAIT_MS;
use store::inbox::drafts::RequestDraft;
use store::inbox::phone_requests::PhoneRequest;

/// A quote request by phone, as typed.
#[derive(Object)]
#[oai(rename = "PhoneRequest")]
struct PhoneBody {
    #[oai(flatten)]
    fields: EmailedQuote,
    /// Whether the customer gets the acknowledgement email; false if absent.
    acknowledge: Option<bool>,
    /// When you have promised the customer an answer, RFC 3339; absent or null for right away.
    /// Within an hour for an emergency.
    promise: Option<String>,
    /// Whether an emergency raises the alarm instead of being assigned to you; false if absent.
    alarm: Option<bool>,
}

/// The fields of the form, and what the typist decides beside them.
#[derive(Deserialize)]
struct TypedRequest {
    acknowledge: Option<bool>,
    promise: Option<Time>,
    alarm: Option<bool>,
    #[serde(flatten)]
    fields: UniqueKeys,
}

/// What you have typed about a request by phone and not sent yet.
#[derive(Object)]
struct PhoneDraft {
    /// Null if there is none.
    draft: Option<RequestDraft>,
}

/// The call that stores a request by phone.
pub struct PhoneRequestsApi;

#[OpenApi(prefix_path = "/api/admin/inbox/phone", tag = "Tag::Desk")]
impl PhoneRequestsApi {
    /// Read the draft of a request by phone
    #[oai(path = "/", method = "get", operation_id = "readPhoneDraft")]
    async fn draft(&self, desk: Desk) -> AdminResult<PhoneDraft> {
        let draft = desk.store.phone_draft(desk.me()).await?;
        Ok(Json(PhoneDraft { draft }))
    }

    /// Store a request by phone
    ///
    /// Validated by the quote form's rules, except that a phone number, a first name and a service
    /// are enough, and that free texts may contain semicolons, double dashes and quotes. There is no
    /// spam filter and no rate limit. The request is assigned to you and needs attention until its
    /// customer is answered; you are reminded at the promised time. The history names you.
    /// The same response if the same request is sent again.
    #[oai(path = "/", method = "post", operation_id = "takePhoneRequest")]
    async fn take(
        &self,
        desk: Desk<&Arc<Forms>>,
        /// A UUID that the form generates for this content. A repeated key returns the first
        /// response and stores nothing.
        #[oai(name = "Idempotency-Key")]
        key: Header<Option<String>>,
        body: StrictJson<TypedRequest, PhoneBody>,
    ) -> Result<Created<ChangedRequest>, AdminError> {
        let key = submit::key(key.0, desk.now)?;
        let promise = reminder("promise", body.0.promise, desk.now)?;
        let form = &desk.phone;
        let raw = RawForm::from_json(form, body.0.fields);
        let earliest = earliest_start(desk.now);
        let quote = NewQuote::parse(form, |field| raw.entry(field), None, &earliest);
        let quote = quote.map_err(|errors| Problem::invalid(form.outcome("invalid"), errors))?;
        let latest = desk.now.plus_millis(MAX_EMERGENCY_WAIT_MS);
        if quote.emergency_contact && promise.is_some_and(|at| at > latest) {
            let detail = "An emergency can wait for an hour at most.";
            return Err(invalid("promise", detail).into());
        }
        let request = PhoneRequest {
            quote,
            acknowledge: body.0.acknowledge.unwrap_or_default(),
            promise,
            alarm: body.0.alarm.unwrap_or_default(),
            key,
            fingerprint: raw.fingerprint(),
        };
        let stored = desk
            .store
            .take_phone_request(request, desk.actor(), desk.now);
        let stored = ChangedRequest::new(stored.await?, desk.times);
        Ok(Created::of(stored))
    }
}
