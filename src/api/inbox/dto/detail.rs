//! Wire types of one request with its history, its files and the other requests of the person.

use poem_openapi::Object;
use poem_openapi::types::Any;

use crate::desk::Desk;
use domain::account::{Metadata, Person};
use domain::clock::Time;
use domain::request::quote::Status;
use domain::request::{self, RequestKind, event, merge};
use domain::storage::ScanState;

/// Another request of the same person.
#[derive(Object)]
pub struct RelatedRequest {
    id: String,
    kind: RequestKind,
    reference: String,
    status: Status,
    created_at: Time,
    first_name: String,
    last_name: String,
    /// Whether it is held as spam.
    held: bool,
    /// The reference of the one that stays if both are merged; null where both have been answered
    /// by email, so that a person chooses.
    stays: Option<String>,
}

impl RelatedRequest {
    /// The request beside `opened`, the one that is shown.
    pub fn new(request: request::Request, opened: &request::Request) -> Self {
        let stays = match merge::have_both_emails(&request, opened) {
            true => None,
            false => Some(
                merge::kept_first(request.clone(), opened.clone(), None)
                    .0
                    .reference,
            ),
        };
        Self {
            stays,
            id: request.id,
            kind: request.kind,
            reference: request.reference,
            status: request.status,
            created_at: request.created_at,
            first_name: request.first_name,
            last_name: request.last_name,
            held: request.held.is_some(),
        }
    }
}

/// An event of a request.
#[derive(Object)]
#[oai(rename = "RequestEvent")]
pub struct Event {
    /// Later events have higher ids; 0 for `received`.
    id: i64,
    /// The reference of the duplicate of whose history it is; null for the request itself.
    duplicate: Option<String>,
    at: Time,
    /// The actor; null for the visitor and the server.
    actor: Option<Person>,
    /// `received`, `moved`, `assigned`, `noted`, `called`, `undone` …
    verb: String,
    /// `{from, to}` of a move or an assignment, `{text}` of a note, `{outcome, note}` of a call.
    detail: Any<Metadata>,
    /// The time until which you can undo it; null if you cannot.
    undoable_until: Option<Time>,
}

impl Event {
    /// The event as `viewer` sees it; `history` is all of the request.
    pub fn new(event: event::Event, history: &[event::Event], viewer: &str, now: Time) -> Self {
        let undoable_until = event.undoable_until(viewer, history, now);
        let mut event = event;
        // Stored for the undo only.
        if event.verb == "note_deleted" {
            event.detail.remove("text");
        }
        Self {
            id: event.id,
            duplicate: None,
            at: event.at,
            actor: event.actor,
            verb: event.verb,
            detail: Any(event.detail),
            undoable_until,
        }
    }

    /// The event as the caller of the desk sees it.
    pub fn of_caller(desk: &Desk, event: event::Event, history: &[event::Event]) -> Self {
        Self::new(event, history, &desk.caller.user.id, desk.now)
    }

    /// The event as part of the history of the request in which its own one is shown.
    pub fn of_duplicate(self, reference: &str) -> Self {
        Self {
            duplicate: Some(reference.to_owned()),
            undoable_until: None,
            ..self
        }
    }

    /// The first event of each history.
    pub fn received(request: &request::Request) -> Self {
        Self {
            id: 0,
            duplicate: None,
            at: request.created_at,
            actor: None,
            verb: "received".to_owned(),
            detail: Any(Metadata::new()),
            undoable_until: None,
        }
    }
}

/// A file of a request.
#[derive(Object)]
pub struct RequestFile {
    /// `quotes`, or `mail` if the customer has emailed it.
    bucket: String,
    /// Its key in the bucket.
    key: String,
    /// The name given by its sender.
    name: String,
    /// In bytes.
    size: u64,
    /// The type found in its content.
    media_type: String,
    scan: ScanState,
    /// Whether a visitor added it, not an admin.
    by_visitor: bool,
    created_at: Time,
}

impl From<store::storage::objects::Object> for RequestFile {
    fn from(file: store::storage::objects::Object) -> Self {
        Self {
            name: file.shown_name(),
            by_visitor: file.owner.is_none(),
            bucket: file.bucket_id,
            key: file.name,
            size: file.size,
            media_type: file.media_type,
            scan: file.scan,
            created_at: file.created_at,
        }
    }
}
