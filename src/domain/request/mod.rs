//! Requests: the common parts of quote requests and contact messages.

pub mod attribution;
pub mod contact;
pub mod due_time;
pub mod edited;
pub mod emailed;
pub mod event;
pub mod outcome;
pub mod quote;
pub mod reference;
pub mod status_link;

use serde::{Deserialize, Serialize};

use super::form::ExtraFields;
use super::request::attribution::Attribution;
use super::request::contact::ContactMessage;
use super::request::quote::{Quote, Status};
use super::spam;

/// The two kinds of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestKind {
    Quote,
    /// A contact message.
    Message,
}

impl RequestKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Quote, Self::Message];

    /// Its value in the database and the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Quote => "quote",
            Self::Message => "message",
        }
    }

    pub fn parse(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == value)
    }
}

/// How a request came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestSource {
    /// By a form of the site.
    #[default]
    Web,
    /// Typed by an admin during a call.
    Phone,
}

impl RequestSource {
    /// Its value in the database and the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Phone => "phone",
        }
    }
}

/// A signal of spam of a stored request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldReason {
    /// The name of the signal.
    pub signal: String,
    pub points: u32,
    /// A description of the finding.
    pub detail: String,
}

/// A stored request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its position in the order of all requests; unique across both kinds.
    pub seq: i64,
    /// Quote or message.
    pub kind: RequestKind,
    /// UUIDv7.
    pub id: String,
    /// As `GP-2K7Q`.
    pub reference: String,
    /// When it was received, RFC 3339 UTC with milliseconds.
    pub created_at: String,
    /// When its status or assignee last changed.
    pub updated_at: String,
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// The email address; empty if none was given on the phone.
    pub email: String,
    /// The phone number.
    pub phone: String,
    /// The sender's company, if given.
    pub company: Option<String>,
    /// The service's value, as in `fire-watch`.
    pub service: String,
    /// The duration's value of a quote, as in `1-month`.
    pub duration: Option<String>,
    /// The first day of a quote, `YYYY-MM-DD`.
    pub start_date: Option<String>,
    /// The location to be guarded, for a quote.
    pub location: Option<String>,
    /// The description of a quote, or the text of a message.
    pub description: Option<String>,
    pub status: Status,
    pub source: RequestSource,
    /// Whether the visitor wants a call right away, for a quote.
    pub emergency_contact: bool,
    /// Attribution of the visit.
    pub attribution: Option<Attribution>,
    /// Further fields of the form.
    pub extra_fields: ExtraFields,
    /// The user id of the assignee.
    pub assignee: Option<String>,
    /// The current address of that user.
    pub assignee_email: Option<String>,
    /// The display name of that user.
    pub assignee_name: Option<String>,
    /// When the customer was answered: by a reply, or by a call that reached them. A customer who
    /// wants a call is answered by a call only.
    pub answered_at: Option<String>,
    /// When the first reply was delivered.
    pub emailed_at: Option<String>,
    /// The event of a reply that could not be delivered, unless the customer was reached since.
    pub failed_reply: Option<i64>,
    /// The event of the customer's oldest message that was not answered. It counts once the request
    /// was answered a first time.
    pub unanswered: Option<i64>,
    /// Whether there is a message that nobody has opened, or that no clock counts and nobody has
    /// answered.
    pub unread: bool,
    /// The time of a reminder; the request needs no attention until then.
    pub follow_up_at: Option<String>,
    /// The user id of the admin to be reminded.
    pub follow_up_by: Option<String>,
    /// The current address of that user.
    pub follow_up_by_email: Option<String>,
    /// The display name of that user.
    pub follow_up_by_name: Option<String>,
    /// Whether the time of the reminder has come.
    pub follow_up_due: bool,
    /// How it ended: a value of `Outcome`; `None` while it is open.
    pub outcome: Option<String>,
    /// Why it was lost: a value of `outcome::REASONS`.
    pub outcome_reason: Option<String>,
    /// The office's remark about the outcome.
    pub outcome_words: Option<String>,
    /// Its value in dollars and cents, as in `1250.00`.
    pub outcome_value: Option<String>,
    /// `month` or `total`.
    pub outcome_per: Option<String>,
    /// Why it is held as spam; `None` unless it is held.
    pub held: Option<Vec<HeldReason>>,
    /// The signals of spam of a request that is not held, if there are any.
    pub signals: Option<Vec<HeldReason>>,
    /// The `seq` of the request into which it was merged.
    pub merged_into: Option<i64>,
}

impl Request {
    /// First and last name. A request that was typed at the desk may have no last name.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
            .trim_end()
            .to_owned()
    }

    /// Whether it causes no email to the address it names: it was not held, because it asks for a
    /// call right away, but its trap is filled or its points would hold any other request. An
    /// acknowledgement would be a way to send email to strangers.
    pub fn is_unanswerable(&self) -> bool {
        let signals = self.signals.as_deref().unwrap_or_default();
        let points: u32 = signals.iter().map(|signal| signal.points).sum();
        let is_trapped = signals.iter().any(|found| found.signal == spam::TRAP);
        self.emergency_contact && (is_trapped || points >= u32::from(spam::HOLD_AT))
    }

    /// Whether the customer is not answered, and the request is neither completed nor cancelled.
    pub fn awaits_answer(&self) -> bool {
        self.status.is_open() && self.answered_at.is_none()
    }

    /// The event of the message whose answer is awaited; `None` before the first answer.
    pub fn awaited_message(&self) -> Option<i64> {
        self.unanswered.filter(|_| self.answered_at.is_some())
    }
}

impl From<Request> for Quote {
    fn from(request: Request) -> Self {
        Self {
            id: request.id,
            created_at: request.created_at,
            updated_at: request.updated_at,
            first_name: request.first_name,
            last_name: request.last_name,
            email: request.email,
            phone: request.phone,
            company: request.company,
            service_type: request.service,
            duration: request.duration.unwrap_or_default(),
            start_date: request.start_date.unwrap_or_default(),
            location: request.location.unwrap_or_default(),
            description: request.description,
            status: request.status,
            emergency_contact: request.emergency_contact,
            attribution: request.attribution,
            extra_fields: request.extra_fields,
            reference: request.reference,
            by_phone: request.source == RequestSource::Phone,
        }
    }
}

impl From<Request> for ContactMessage {
    fn from(request: Request) -> Self {
        Self {
            id: request.id,
            created_at: request.created_at,
            first_name: request.first_name,
            last_name: request.last_name,
            email: request.email,
            phone: request.phone,
            company: request.company,
            service: request.service,
            details: request.description.unwrap_or_default(),
            attribution: request.attribution,
            extra_fields: request.extra_fields,
            reference: request.reference,
        }
    }
}
