//! The writes of which changes consist: a column, the event, and for a move the row of the audit.

use rusqlite::{Connection, params};
use serde_json::json;

use crate::Result;
use crate::accounts::actor::Actor;
use crate::accounts::audit;
use crate::request::acceptances;
use crate::request::events;
use crate::request::events::NewEvent;
use domain::account::Metadata;
use domain::clock::Time;
use domain::offer::place::Place;
use domain::phone;
use domain::request::event::{Event, Moved, Verb};
use domain::request::history::HistoryEvent;
use domain::request::{Request, RequestKind};

impl Actor {
    /// The origin of a change that is not part of a bulk change.
    pub(crate) fn at(&self, now: Time) -> Origin<'_> {
        Origin {
            by: self,
            bulk: None,
            now,
        }
    }
}

/// Where a change comes from.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub by: &'a Actor,
    /// The number of the bulk change that it is part of.
    pub bulk: Option<i64>,
    pub now: Time,
}

/// Moves a request, with its audit row and its event, which it returns. The caller indexes it
/// again.
pub(crate) fn move_to(
    conn: &Connection,
    request: &Request,
    moved: Moved,
    origin: Origin<'_>,
) -> Result<HistoryEvent> {
    let next = moved.to;
    set(conn, request, "status", Some(next.as_str()))?;
    set(conn, request, "updated_at", Some(&origin.now.to_string()))?;
    let event = record(conn, request, Event::Moved(moved), origin)?;
    acceptances::close(conn, request.seq, next, event.id)?;
    Ok(event)
}

/// Sets one column of a request, and the one that is derived from it. After a change of a text, the
/// caller indexes the request again (`search::index`).
pub(crate) fn set(
    conn: &Connection,
    request: &Request,
    column: &'static str,
    value: Option<&str>,
) -> Result<()> {
    conn.prepare_cached(&format!("UPDATE requests SET {column} = ?2 WHERE seq = ?1"))?
        .execute(params![request.seq, value])?;
    match column {
        "location" => {
            let state = value.and_then(|location| Place::of_location(location).state);
            set(conn, request, "state", state)
        }
        "phone" => set(
            conn,
            request,
            "number",
            value.and_then(phone::e164).as_deref(),
        ),
        _ => Ok(()),
    }
}

/// Records an event, and for a move the row of the audit.
pub(crate) fn record(
    conn: &Connection,
    request: &Request,
    event: Event,
    origin: Origin<'_>,
) -> Result<HistoryEvent> {
    let Origin { by, bulk, now } = origin;
    let moved = match &event {
        Event::Moved(moved) => Some((json!(moved.from), json!(moved.to))),
        Event::Undone(undone) if undone.verb == Verb::Moved => {
            Some((undone.from.0.clone(), undone.to.0.clone()))
        }
        _ => None,
    };
    if let Some((from, to)) = moved {
        let entry = audit::Entry {
            action: match request.kind {
                RequestKind::Quote => "quote_moved",
                RequestKind::Message => "message_moved",
            },
            actor: &by.user_id,
            subject_id: Some(&request.id),
            client: Some(&by.client),
            detail: &Metadata::from_iter([("from".to_owned(), from), ("to".to_owned(), to)]),
        };
        audit::record(conn, &entry, now)?;
    }
    let new = NewEvent {
        seq: request.seq,
        kind: request.kind,
        actor: Some(&by.user_id),
        event: &event,
        bulk,
    };
    let id = events::record(conn, &new, now)?;
    events::by_id(conn, id)
}
