//! Properties of a request as words of the search index, so that a list by them skips all other
//! requests.

use sha2::{Digest, Sha256};

use super::prefix::Prefix;
use crate::domain::phone;
use crate::domain::request::RequestKind;
use crate::domain::request::outcome::Outcome;
use crate::domain::request::quote::Status;
use crate::domain::us_state;
use crate::store::inbox::columns::IndexedColumns;

/// Prefix of property words. Visitors' words with this prefix are left out, so that no text changes
/// the lists that a request is in.
const PROPERTY: &str = "qqf";

/// The status as a word of the index.
pub(in crate::store) const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Pending => "qqfpending",
        Status::InProgress => "qqfinprogress",
        Status::Completed => "qqfcompleted",
        Status::Cancelled => "qqfcancelled",
    }
}

/// In contact messages only.
pub(in crate::store) const MESSAGE: &str = "qqfmessage";
/// In requests whose customer was reached.
pub(in crate::store) const ANSWERED: &str = "qqfanswered";
/// In requests whose customer waits for an answer to a further message.
pub(in crate::store) const WRITTEN: &str = "qqfwritten";
/// In requests with an unopened message.
pub(in crate::store) const UNREAD: &str = "qqfunread";
/// In quotes that ask for a call right away.
pub(in crate::store) const EMERGENCY: &str = "qqfemergency";
/// In requests that are held as spam.
pub(in crate::store) const HELD: &str = "qqfheld";
/// In requests that were merged into another one, which are held too.
pub(in crate::store) const MERGED: &str = "qqfmerged";
/// In assigned requests.
pub(in crate::store) const ASSIGNED: &str = "qqfassigned";

/// In requests that need attention, with or without a call asked for: two short row lists, where a
/// second word would be a long one to intersect.
pub(in crate::store) const fn attention_word(emergency: bool) -> &'static str {
    match emergency {
        true => "qqfattentionemergency",
        false => "qqfattention",
    }
}

/// In requests with a reminder set for later.
pub(in crate::store) const WAITING: &str = "qqfwaiting";
/// In requests that are back from that.
pub(in crate::store) const FOLLOW_UP_DUE: &str = "qqffollowupdue";
/// In closed requests whose outcome is known.
pub(in crate::store) const OUTCOME: &str = "qqfoutcome";

/// In requests that are back because this person wanted to be reminded.
pub(in crate::store) fn follow_up_word(user_id: &str) -> String {
    format!("qqffollowup{}", alphanumeric(user_id))
}

/// In requests with this outcome.
pub(in crate::store) const fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "qqfwon",
        Outcome::Lost => "qqflost",
        Outcome::NotCustomer => "qqfnotcustomer",
    }
}

/// In requests of one person.
pub(in crate::store) fn assignee_word(user_id: &str) -> String {
    format!("qqfassignee{}", alphanumeric(user_id))
}

/// In requests for this service.
pub(in crate::store) fn service_word(service: &str) -> String {
    format!("qqfservice{}", alphanumeric(service).to_ascii_lowercase())
}

/// What the tokenizer of the index keeps together.
fn alphanumeric(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// In requests from this email address that are not held.
pub(in crate::store) fn email_word(email: &str) -> String {
    let hash = Sha256::digest(email.to_ascii_lowercase());
    format!("qqfemail{}", hex::encode(&hash[..5]))
}

/// In requests with this phone number in the international form that are not held.
pub(in crate::store) fn phone_word(e164: &str) -> String {
    let hash = Sha256::digest(e164);
    format!("qqfphone{}", hex::encode(&hash[..5]))
}

/// In quotes for a location in this state.
pub(in crate::store) fn state_word(code: &str) -> String {
    format!("qqfstate{}", code.to_ascii_lowercase())
}

/// In quotes for a location in this state with this status: one row list, where the two words would
/// be two long ones to intersect.
pub(in crate::store) fn state_status_word(code: &str, status: Status) -> String {
    let status = status_word(status).trim_start_matches(PROPERTY);
    format!("{}{status}", state_word(code))
}

/// Adds the words of the properties of a request.
pub(super) fn add_properties(request: &IndexedColumns<'_>, add: &mut impl FnMut(&str)) {
    add(status_word(request.status));
    let flags = [
        (request.kind == RequestKind::Message, MESSAGE),
        (request.needs_attention(), attention_word(request.emergency)),
        (request.emergency, EMERGENCY),
        (request.answered, ANSWERED),
        (request.unanswered.is_some(), WRITTEN),
        (request.unread, UNREAD),
        (request.held, HELD),
        (request.merged, MERGED),
        (request.assignee.is_some(), ASSIGNED),
        (request.is_waiting(), WAITING),
        (request.reminded().is_some(), FOLLOW_UP_DUE),
        (request.outcome.is_some(), OUTCOME),
    ];
    for (is_set, word) in flags {
        if is_set {
            add(word);
        }
    }
    add(&service_word(request.service));
    if let Some(user_id) = request.assignee {
        add(&assignee_word(user_id));
    }
    if let Some(user_id) = request.reminded() {
        add(&follow_up_word(user_id));
    }
    if let Some(outcome) = request.outcome.and_then(Outcome::parse) {
        add(outcome_word(outcome));
    }
    if let Some(code) = us_state::of_location(request.location) {
        add(&state_word(code));
        add(&state_status_word(code, request.status));
    }
    // Spam in the name of a customer says nothing about the customer.
    if request.held {
        return;
    }
    if !request.email.is_empty() {
        add(&email_word(request.email));
    }
    if let Some(number) = phone::e164(request.phone) {
        add(&phone_word(&number));
    }
}

/// Whether a word of a text could be mistaken for a property.
pub(super) fn is_property(word: &str) -> bool {
    let is_candidate = word.starts_with(['q', 'Q']) || !word.is_ascii();
    is_candidate && Prefix::of(PROPERTY).is_some_and(|prefix| prefix.matches(word))
}
