//! Wire types of the desk's calls.

use std::collections::HashMap;

use poem_openapi::types::Any;
use poem_openapi::{Enum, Object};

use crate::domain::account::Metadata;
use crate::domain::clock::Time;
use crate::domain::due_time::AnswerTimes;
use crate::domain::{event, request};
use crate::http::api::dto::{Attribution, QuoteStatus};
use crate::http::request::problem::Person;

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

/// A reason why a request is held as spam.
#[derive(Object)]
pub struct HeldReason {
    /// The name of the signal.
    signal: String,
    /// Its points.
    points: u32,
    /// What it found.
    detail: String,
}

/// A quote request or a contact message.
#[derive(Object)]
pub struct RequestItem {
    /// UUIDv7.
    pub id: String,
    pub kind: RequestKind,
    /// Short, to be said on the phone, as `GP-2K7Q`.
    pub reference: String,
    /// When it was received, RFC 3339 UTC with milliseconds.
    pub created_at: String,
    /// When its status or assignee last changed.
    pub updated_at: String,
    pub status: QuoteStatus,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub phone: String,
    pub company: Option<String>,
    /// The service's value, as in `fire-watch`.
    pub service: String,
    /// Where guards are wanted; null for a message.
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
    pub extra_fields: HashMap<String, String>,
    /// When the answer is due.
    pub due_at: String,
    /// When the customer was answered: by a reply, or by a call that reached them. With
    /// `emergency_contact`, by a call only. Null until then.
    pub answered_at: Option<String>,
    /// When the first reply was delivered; null until then.
    pub emailed_at: Option<String>,
    /// Whether a reply could not be delivered, and the customer was not reached since.
    pub reply_failed: bool,
    /// Who handles it; null if nobody has taken it.
    pub assignee: Option<Person>,
    /// Whether it is held as spam.
    pub held: bool,
    /// Why it is held; empty unless it is.
    pub held_reasons: Vec<HeldReason>,
}

impl RequestItem {
    /// The item of a request whose answer is due after `times`.
    pub fn new(request: request::Request, times: AnswerTimes) -> Self {
        let due_at = times.due_of(&request).to_string();
        let held = request.held.is_some();
        let reasons = request.held.unwrap_or_default().into_iter();
        Self {
            id: request.id,
            kind: request.kind.into(),
            reference: request.reference,
            created_at: request.created_at,
            updated_at: request.updated_at,
            status: request.status.into(),
            first_name: request.first_name,
            last_name: request.last_name,
            email: request.email,
            phone: request.phone,
            company: request.company,
            service: request.service,
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
            assignee: request.assignee.map(|id| Person {
                id,
                email: request.assignee_email,
            }),
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

/// Another request of the same person.
#[derive(Object)]
pub struct RelatedRequest {
    id: String,
    kind: RequestKind,
    reference: String,
    status: QuoteStatus,
    created_at: String,
    first_name: String,
    last_name: String,
}

impl From<request::Request> for RelatedRequest {
    fn from(request: request::Request) -> Self {
        Self {
            id: request.id,
            kind: request.kind.into(),
            reference: request.reference,
            status: request.status.into(),
            created_at: request.created_at,
            first_name: request.first_name,
            last_name: request.last_name,
        }
    }
}

/// What happened to a request.
#[derive(Object)]
#[oai(rename = "RequestEvent")]
pub struct Event {
    /// Later events have higher ids; 0 for `received`.
    id: i64,
    at: String,
    /// Who did it; null for the visitor and the server.
    actor: Option<Person>,
    /// `received`, `moved`, `assigned`, `noted`, `called`, `undone` …
    verb: String,
    /// `{from, to}` of a move or an assignment, `{text}` of a note, `{outcome, note}` of a call.
    detail: Any<Metadata>,
    /// Until when you can undo it; null if you cannot.
    undoable_until: Option<String>,
}

impl Event {
    /// The event as `viewer` sees it; `history` is all of the request.
    pub fn new(event: event::Event, history: &[event::Event], viewer: &str, now: Time) -> Self {
        let undoable_until = event.undoable_until(viewer, history, now);
        let mut event = event;
        // Kept for the undo only.
        if event.verb == "note_deleted" {
            event.detail.remove("text");
        }
        Self {
            id: event.id,
            at: event.at.to_string(),
            actor: event.actor.map(|id| Person {
                id,
                email: event.actor_email,
            }),
            verb: event.verb,
            detail: Any(event.detail),
            undoable_until: undoable_until.map(|until| until.to_string()),
        }
    }

    /// The first event of each history.
    pub fn received(request: &request::Request) -> Self {
        Self {
            id: 0,
            at: request.created_at.clone(),
            actor: None,
            verb: "received".to_owned(),
            detail: Any(Metadata::new()),
            undoable_until: None,
        }
    }
}

/// A file of a quote request.
#[derive(Object)]
pub struct RequestFile {
    /// Its key in the bucket `quotes`.
    key: String,
    /// What its sender calls it.
    name: String,
    /// In bytes.
    size: u64,
    /// The type found in its content.
    media_type: String,
    /// The state of the virus scan: `unscanned` (there is no scanner, or it gave no verdict),
    /// `scanning`, `clean`, `infected`. An infected file cannot be downloaded.
    scan: String,
    /// Whether the visitor has added it, and not an admin.
    by_visitor: bool,
    created_at: String,
}

impl From<crate::store::Object> for RequestFile {
    fn from(file: crate::store::Object) -> Self {
        Self {
            name: file.shown_name(),
            by_visitor: file.owner.is_none(),
            key: file.name,
            size: file.size,
            media_type: file.media_type,
            scan: file.scan,
            created_at: file.created_at,
        }
    }
}
