//! Wire types of the inbox's calls.

pub mod detail;
pub mod event;

use poem_openapi::Object;
use poem_openapi::types::MaybeUndefined;

use domain::clock::Time;
use domain::offer::place::Place;
use domain::request::due_time::AnswerTimes;
use domain::request::{HeldReason, Request};
use domain::{ids, us_state};
use store::request::sent_offers::SentOffer;

/// A quote request or a contact message.
#[derive(Object)]
pub struct RequestItem {
    #[oai(flatten)]
    pub request: Request,
    /// The time zone (IANA) of most of the state that the location names; null if it names none.
    pub time_zone: Option<String>,
    /// When the next answer is due: the first one, or that to a further message. Null if none is:
    /// the customer was answered and has not written since, or it is closed or held.
    pub due_at: Option<Time>,
    /// Whether the customer waits for a call: they asked for one right away, and no call has
    /// reached them.
    pub awaits_call: bool,
    /// Whether a reply could not be delivered, and the customer was not reached since; false once
    /// the request is closed.
    pub reply_failed: bool,
    /// When the customer wrote the oldest message since the first answer that was not answered;
    /// null if none waits.
    pub waiting_since: Option<Time>,
    /// Whether the customer has sent an earlier request, by the email address or the phone number;
    /// in lists only.
    pub asked_before: Option<bool>,
    /// Whether you have a draft of a reply, a call or a note about it; in lists only.
    pub drafted: Option<bool>,
    /// The offer that was sent last, in lists and with its history only; null if there is none.
    pub offer: MaybeUndefined<SentOffer>,
    /// Whether it is held as spam.
    pub held: bool,
    /// Whether it is not held, but got no acknowledgement for its signals of spam.
    pub unacknowledged: bool,
    /// The signals of spam that were found, whether it is held or not.
    pub held_reasons: Vec<HeldReason>,
}

impl RequestItem {
    /// The item of a request whose answer is due after `times`.
    pub fn new(request: Request, times: AnswerTimes) -> Self {
        let state = request
            .location
            .as_deref()
            .and_then(|location| Place::of_location(location).state);
        let reasons = request.held.clone().or_else(|| request.signals.clone());
        Self {
            time_zone: state.map(|code| us_state::time_zone(code).to_owned()),
            due_at: request.has_due_time().then(|| times.due_of(&request)),
            awaits_call: request.awaits_call(),
            reply_failed: request.failed_reply.is_some() && request.status.is_open(),
            waiting_since: request.unanswered_message().map(ids::time_of_seq),
            asked_before: None,
            drafted: None,
            offer: MaybeUndefined::Undefined,
            held: request.held.is_some(),
            unacknowledged: request.is_unanswerable(),
            held_reasons: reasons.unwrap_or_default(),
            request,
        }
    }
}
