//! Wire type of an event in the history of a request.

use poem_openapi::Object;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type};
use serde_json::Value;

use crate::desk::Desk;
use domain::account::Person;
use domain::clock::Time;
use domain::request;
use domain::request::event::{Event, Nothing};
use domain::request::history::HistoryEvent;
use domain::request::merge::is_undone_where_shown;

/// What all events of a request have.
#[derive(Object)]
struct EventOfRequest {
    /// Later events have higher ids; 0 for `received`.
    id: i64,
    /// The reference of the duplicate of whose history it is; null for the request itself.
    duplicate: Option<String>,
    at: Time,
    /// The actor; null for the visitor and the server.
    actor: Option<Person>,
    /// The time until which you can undo it; null if you cannot.
    undoable_until: Option<Time>,
    /// Whether it answers the customer: a reply or an offer that was neither undone nor failed, or
    /// a call that reached them.
    answers: bool,
}

/// An event of a request, with its verb and its detail.
pub struct RequestEvent {
    of_request: EventOfRequest,
    event: Event,
}

impl RequestEvent {
    /// The event as `viewer` sees it; `history` is all of the request.
    pub fn new(event: HistoryEvent, history: &[HistoryEvent], viewer: &str, now: Time) -> Self {
        let undoable_until = event.undoable_until(viewer, history, now);
        let answers = event.is_answer() && !event.is_undone(history);
        Self {
            of_request: EventOfRequest {
                id: event.id,
                duplicate: None,
                at: event.at,
                actor: event.actor,
                undoable_until,
                answers,
            },
            event: event.event,
        }
    }

    /// The event as the caller of the desk sees it.
    pub fn of_caller<P>(desk: &Desk<P>, event: HistoryEvent, history: &[HistoryEvent]) -> Self {
        Self::new(event, history, &desk.caller.user.id, desk.now)
    }

    /// The event as part of the history of the request in which its own one is shown.
    pub fn of_duplicate(mut self, reference: &str) -> Self {
        self.of_request.duplicate = Some(reference.to_owned());
        if !is_undone_where_shown(&self.event) {
            self.of_request.undoable_until = None;
        }
        self
    }

    /// The first event of each history.
    pub fn received(request: &request::Request) -> Self {
        Self {
            of_request: EventOfRequest {
                id: 0,
                duplicate: None,
                at: request.created_at,
                actor: None,
                undoable_until: None,
                answers: false,
            },
            event: Event::Received(Nothing {}),
        }
    }
}

impl Type for RequestEvent {
    domain::described!(
        "RequestEvent".into(),
        MetaSchemaRef::Reference("RequestEvent".into())
    );

    fn register(registry: &mut Registry) {
        EventOfRequest::register(registry);
        Event::register(registry);
        registry.create_schema::<Self, _>(Self::name().into_owned(), |_| MetaSchema {
            description: Some("An event of a request, with its verb and its detail."),
            all_of: vec![EventOfRequest::schema_ref(), Event::schema_ref()],
            ..MetaSchema::ANY
        });
    }
}

/// No call takes an event; the framework asks this of each member of an object.
impl ParseFromJSON for RequestEvent {
    fn parse_from_json(_: Option<Value>) -> ParseResult<Self> {
        Err(ParseError::custom("an event is only read"))
    }
}

impl ToJSON for RequestEvent {
    fn to_json(&self) -> Option<Value> {
        let (mut all, event) = (self.of_request.to_json()?, self.event.to_json()?);
        if let (Value::Object(all), Value::Object(event)) = (&mut all, event) {
            all.extend(event);
        }
        Some(all)
    }
}
