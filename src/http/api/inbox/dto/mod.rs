//! Wire types of the inbox's calls.

pub mod detail;

use std::collections::HashMap;

use poem_openapi::{Enum, Object};

use crate::api::dto::{Attribution, QuoteStatus};
use crate::request::problem::Person;
use domain::request::due_time::AnswerTimes;
use domain::{ids, request, us_state};

/// The kind of a request.
#[derive(Enum)]
#[oai(rename_all = "snake_case")]
pub enum RequestKind {
    /// A quote request.
    Quote,
    /// A contact message.
    Message,
}

impl From<request::RequestKind> for RequestKind {
    fn from(kind: request::RequestKind) -> Self {
        match kind {
            request::RequestKind::Quote => Self::Quote,
            request::RequestKind::Message => Self::Message,
        }
    }
}

/// A signal of spam.
#[derive(Object)]
pub struct HeldReason {
    /// The name of the signal.
    signal: String,
    /// Its points.
    points: u32,
    /// A description of the finding.
    detail: String,
}

/// A reminder of a request, which needs no attention until then.
#[derive(Object)]
pub struct FollowUp {
    /// RFC 3339 UTC with milliseconds.
    at: String,
    /// The admin to be reminded.
    by: Person,
    /// Whether the time of the reminder has come.
    due: bool,
}

/// The outcome of a completed or cancelled request.
#[derive(Object)]
pub struct RequestOutcome {
    /// `won`, `lost` or `not_customer`.
    outcome: String,
    /// Why it was lost: `price`, `competitor`, `timing`, `no_answer`, `cannot_serve` or `other`.
    reason: Option<String>,
    /// The office's remark.
    words: Option<String>,
    /// In dollars and cents, as in `1250.00`.
    value: Option<String>,
    /// `month` or `total`.
    per: Option<String>,
}

/// An offer that was sent, in the list of requests.
#[derive(Object)]
pub struct ListedOffer {
    /// As `GP-2K7Q-1`.
    pub number: String,
    /// `sent`, `accepted`, `declined`, `expired` or `withdrawn`.
    pub state: String,
    /// For a week if `is_weekly`, else for the term.
    pub total_cents: i64,
    pub is_weekly: bool,
    /// Whether the customer has accepted it, and nobody has confirmed that.
    pub is_unconfirmed: bool,
}

impl From<store::offers::SentOffer> for ListedOffer {
    fn from(offer: store::offers::SentOffer) -> Self {
        Self {
            number: offer.number,
            state: offer.state.as_str().to_owned(),
            total_cents: offer.total_cents,
            is_weekly: offer.is_weekly,
            is_unconfirmed: offer.is_unconfirmed,
        }
    }
}

/// A quote request or a contact message.
#[derive(Object)]
pub struct RequestItem {
    /// UUIDv7.
    pub id: String,
    pub kind: RequestKind,
    /// Short, for use on the phone, as `GP-2K7Q`.
    pub reference: String,
    /// When it was received, RFC 3339 UTC with milliseconds.
    pub created_at: String,
    /// When its status or assignee last changed.
    pub updated_at: String,
    pub status: QuoteStatus,
    /// `web`, or `phone` if an admin typed it during a call.
    pub source: String,
    pub first_name: String,
    pub last_name: String,
    /// Empty if the customer gave none on the phone.
    pub email: String,
    pub phone: String,
    pub company: Option<String>,
    /// The service's value, as in `fire-watch`.
    pub service: String,
    /// The location to be guarded; null for a message.
    pub location: Option<String>,
    /// The time zone (IANA) of most of the state that the location names; null if it names none.
    pub time_zone: Option<String>,
    /// The first day, `YYYY-MM-DD`; null for a message.
    pub start_date: Option<String>,
    /// The duration's value, as in `1-month`; null for a message.
    pub duration: Option<String>,
    /// The description of a quote, or the text of a message.
    pub description: Option<String>,
    /// Whether the visitor wants a call right away.
    pub emergency_contact: bool,
    pub attribution: Option<Attribution>,
    /// Further fields of the form by their keys; those left empty are absent.
    pub extra_fields: HashMap<String, String>,
    /// When the next answer is due: the first one, or that to a further message.
    pub due_at: String,
    /// When the customer was answered: by a reply, or by a call that reached them. With
    /// `emergency_contact`, by a call only. Null until then.
    pub answered_at: Option<String>,
    /// When the first reply was delivered; null until then.
    pub emailed_at: Option<String>,
    /// Whether a reply could not be delivered, and the customer was not reached since.
    pub reply_failed: bool,
    /// When the customer wrote the oldest message since the first answer that was not answered;
    /// null if none waits.
    pub waiting_since: Option<String>,
    /// Whether there is a message that nobody has opened, or whose author could not be verified and
    /// that nobody has answered or set aside.
    pub unread: bool,
    /// The assignee; null if unassigned.
    pub assignee: Option<Person>,
    /// The reminder; null if there is none.
    pub follow_up: Option<FollowUp>,
    /// The outcome; null while it is open, and until it is recorded.
    pub outcome: Option<RequestOutcome>,
    /// Whether the customer has sent an earlier request, by the email address or the phone number;
    /// in lists only.
    pub asked_before: Option<bool>,
    /// Whether you have a draft of a reply, a call or a note about it; in lists only.
    pub drafted: Option<bool>,
    /// The offer that was sent last, in lists and with its history only; null if there is none.
    pub offer: Option<ListedOffer>,
    /// Whether it is held as spam.
    pub held: bool,
    /// The signals of spam that were found, whether it is held or not.
    pub held_reasons: Vec<HeldReason>,
}

impl RequestItem {
    /// The item of a request whose answer is due after `times`.
    pub fn new(request: request::Request, times: AnswerTimes) -> Self {
        let due_at = times.due_of(&request).to_string();
        let waiting_since = request.awaited_message().map(ids::time_of_seq);
        let waiting_since = waiting_since.map(|at| at.to_string());
        let held = request.held.is_some();
        let state = request.location.as_deref().and_then(us_state::of_location);
        let reasons = request
            .held
            .or(request.signals)
            .unwrap_or_default()
            .into_iter();
        Self {
            id: request.id,
            kind: request.kind.into(),
            reference: request.reference,
            created_at: request.created_at,
            updated_at: request.updated_at,
            status: request.status.into(),
            source: request.source.as_str().to_owned(),
            first_name: request.first_name,
            last_name: request.last_name,
            email: request.email,
            phone: request.phone,
            company: request.company,
            service: request.service,
            time_zone: state.map(|code| us_state::time_zone(code).to_owned()),
            location: request.location,
            start_date: request.start_date,
            duration: request.duration,
            description: request.description,
            emergency_contact: request.emergency_contact,
            attribution: request.attribution.map(Attribution::from),
            extra_fields: request.extra_fields.into_iter().collect(),
            due_at,
            answered_at: request.answered_at,
            emailed_at: request.emailed_at,
            reply_failed: request.failed_reply.is_some(),
            waiting_since,
            unread: request.unread,
            assignee: request.assignee.map(|id| Person {
                id,
                email: request.assignee_email,
                name: request.assignee_name,
            }),
            follow_up: match (request.follow_up_at, request.follow_up_by) {
                (Some(at), Some(id)) => Some(FollowUp {
                    at,
                    by: Person {
                        id,
                        email: request.follow_up_by_email,
                        name: request.follow_up_by_name,
                    },
                    due: request.follow_up_due,
                }),
                _ => None,
            },
            outcome: request.outcome.map(|outcome| RequestOutcome {
                outcome,
                reason: request.outcome_reason,
                words: request.outcome_words,
                value: request.outcome_value,
                per: request.outcome_per,
            }),
            asked_before: None,
            drafted: None,
            offer: None,
            held,
            held_reasons: reasons
                .map(|reason| HeldReason {
                    signal: reason.signal,
                    points: reason.points,
                    detail: reason.detail,
                })
                .collect(),
        }
    }
}
