//! Requests: the common parts of quote requests and contact messages.

pub mod attribution;
pub mod contact;
pub mod due_time;
pub mod edited;
pub mod emailed;
pub mod event;
pub mod history;
pub mod merge;
pub mod outcome;
pub mod quote;
pub mod reference;
pub mod status_link;
pub mod waits;

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use super::account::Person;
use super::clock::Time;
use super::form::{ExtraFields, Form, Forms};
use super::request::attribution::Attribution;
use super::request::outcome::Outcome;
use super::request::quote::{Quote, Status};
use super::spam;

crate::text_enum! {
    /// The kind of a request.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
    #[oai(rename_all = "snake_case")]
    pub enum RequestKind {
        /// A quote request.
        Quote = "quote",
        /// A contact message.
        Message = "message",
    }
}

crate::text_enum! {
    /// How a request came.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum)]
    #[oai(rename_all = "snake_case")]
    pub enum RequestSource {
        /// By a form of the site.
        #[default]
        Web = "web",
        /// Typed by an admin during a call.
        Phone = "phone",
    }
}

/// A signal of spam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Object)]
pub struct HeldReason {
    /// The name of the signal.
    pub signal: String,
    /// Its points.
    pub points: u32,
    /// A description of the finding.
    pub detail: String,
}

/// A reminder of a request, which needs no attention until then.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
pub struct FollowUp {
    /// RFC 3339 UTC with milliseconds.
    pub at: Time,
    /// The admin to be reminded.
    pub by: Person,
    /// Whether the time of the reminder has come.
    pub due: bool,
}

/// The outcome of a request that is closed or won.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
pub struct RequestOutcome {
    pub outcome: Outcome,
    /// Why it was lost: `price`, `competitor`, `timing`, `no_answer`, `cannot_serve` or `other`.
    pub reason: Option<String>,
    /// The office's remark.
    pub words: Option<String>,
    /// In dollars and cents, as in `1250.00`.
    pub value: Option<String>,
    /// `month` or `total`.
    pub per: Option<String>,
    /// When it was won: its offer was accepted, or that was entered first.
    pub won_at: Option<Time>,
}

/// A quote request or a contact message, as it is stored and as the desk gets it.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
pub struct Request {
    /// Its position in the order of all requests; unique across both kinds.
    #[oai(skip)]
    pub seq: i64,
    /// UUIDv7.
    pub id: String,
    pub kind: RequestKind,
    /// Short, for use on the phone, as `GP-2K7Q`.
    pub reference: String,
    /// When it was received, RFC 3339 UTC with milliseconds.
    pub created_at: Time,
    /// When its status or assignee last changed.
    pub updated_at: Time,
    pub status: Status,
    /// `web`, or `phone` if an admin typed it during a call.
    pub source: RequestSource,
    pub first_name: String,
    /// May be empty if an admin typed the request.
    pub last_name: String,
    /// Empty if the customer gave none on the phone.
    pub email: String,
    pub phone: String,
    pub company: Option<String>,
    /// The service's value, as in `fire-watch`.
    pub service: String,
    /// The location to be guarded; null for a message.
    pub location: Option<String>,
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
    pub extra_fields: ExtraFields,
    /// When the customer was answered: by a reply, or by a call that reached them. With
    /// `emergency_contact`, by a call only. Null until then.
    pub answered_at: Option<Time>,
    /// When the first reply was delivered; null until then.
    pub emailed_at: Option<Time>,
    /// The event of a reply that could not be delivered, unless the customer was reached since.
    #[oai(skip)]
    pub failed_reply: Option<i64>,
    /// The event of the customer's oldest message that was not answered. It counts once the request
    /// was answered a first time.
    #[oai(skip)]
    pub unanswered: Option<i64>,
    /// Whether there is a message that nobody has opened, or whose author could not be verified and
    /// that nobody has answered or set aside.
    pub unread: bool,
    /// The assignee; null if unassigned.
    pub assignee: Option<Person>,
    /// The reminder; null if there is none.
    pub follow_up: Option<FollowUp>,
    /// The outcome; null until it is recorded, and while it is open unless it is won.
    pub outcome: Option<RequestOutcome>,
    /// Why it is held as spam; `None` unless it is held.
    #[oai(skip)]
    pub held: Option<Vec<HeldReason>>,
    /// The signals of spam of a request that is not held, if there are any.
    #[oai(skip)]
    pub signals: Option<Vec<HeldReason>>,
    /// The `seq` of the request into which it was merged.
    #[oai(skip)]
    pub merged_into: Option<i64>,
}

impl Request {
    /// First and last name. A request that was typed at the desk may have no last name.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
            .trim_end()
            .to_owned()
    }

    /// Whether it causes no email to the address it names: it was not held, because its visitor
    /// asks for a call right away, but its trap is filled or its points would hold any other
    /// request. An acknowledgement would be a way to send email to strangers.
    pub fn is_unanswerable(&self) -> bool {
        let signals = self.signals.as_deref().unwrap_or_default();
        let points: u32 = signals.iter().map(|signal| signal.points).sum();
        let is_trapped = signals.iter().any(|found| found.signal == spam::TRAP);
        self.emergency_contact && (is_trapped || points >= u32::from(spam::HOLD_AT))
    }

    /// The form of its kind.
    pub fn form<'a>(&self, forms: &'a Forms) -> &'a Form {
        match self.kind {
            RequestKind::Quote => &forms.quote,
            RequestKind::Message => &forms.contact,
        }
    }

    /// The service as its form names it.
    pub fn service_label<'a>(&'a self, forms: &'a Forms) -> &'a str {
        let field = match self.kind {
            RequestKind::Quote => "service_type",
            RequestKind::Message => "service",
        };
        self.form(forms).label(field, &self.service)
    }

    /// The user id of the assignee.
    pub fn assignee_id(&self) -> Option<&str> {
        self.assignee.as_ref().map(|person| person.id.as_str())
    }

    /// Whether its reminder's time has come.
    pub fn is_follow_up_due(&self) -> bool {
        self.follow_up.as_ref().is_some_and(|reminder| reminder.due)
    }

    /// Whether the customer is not answered, and the request is neither completed nor cancelled.
    pub fn awaits_answer(&self) -> bool {
        self.status.is_open() && self.answered_at.is_none()
    }

    /// Whether the visitor waits for a call: they asked for one right away, and no call has reached
    /// them. An email is no call.
    pub fn awaits_call(&self) -> bool {
        self.emergency_contact && self.held.is_none() && self.awaits_answer()
    }

    /// Whether an answer is due: the first one, or that to a further message.
    pub fn has_due_time(&self) -> bool {
        let waits = self.awaits_answer() || self.unanswered_message().is_some();
        waits && self.status.is_open() && self.held.is_none()
    }

    /// The event of the unanswered message that the clock counts; `None` before the first answer.
    pub fn unanswered_message(&self) -> Option<i64> {
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
            reference: request.reference,
        }
    }
}
