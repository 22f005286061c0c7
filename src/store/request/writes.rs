//! The writes of which changes consist: a column, the event, and for a move the row of the audit.

use rusqlite::{Connection, params};
use serde_json::{Value, json};

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
use domain::request::event::Event;
use domain::request::quote::Status;
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

/// Moves a request, with its audit row and its event, which it returns. `more` is what the event
/// says beside the two statuses. The caller indexes it again.
pub(crate) fn move_to(
    conn: &Connection,
    request: &Request,
    next: Status,
    more: &[(&str, &str)],
    origin: Origin<'_>,
) -> Result<Event> {
    set(conn, request, "status", Some(next.as_str()))?;
    set(conn, request, "updated_at", Some(&origin.now.to_string()))?;
    let mut detail = json!({ "from": request.status, "to": next });
    for (key, value) in more {
        detail[key] = json!(value);
    }
    let event = record(conn, request, "moved", detail, origin)?;
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
    verb: &str,
    detail: Value,
    origin: Origin<'_>,
) -> Result<Event> {
    let Origin { by, bulk, now } = origin;
    let detail = match detail {
        Value::Object(detail) => detail,
        _ => Metadata::new(),
    };
    if verb == "moved" || detail.get("verb") == Some(&json!("moved")) {
        let entry = audit::Entry {
            action: match request.kind {
                RequestKind::Quote => "quote_moved",
                RequestKind::Message => "message_moved",
            },
            actor: &by.user_id,
            subject_id: Some(&request.id),
            client: Some(&by.client),
            detail: &Metadata::from_iter(
                ["from", "to"].map(|key| (key.to_owned(), detail[key].clone())),
            ),
        };
        audit::record(conn, &entry, now)?;
    }
    let event = NewEvent {
        seq: request.seq,
        kind: request.kind,
        actor: Some(&by.user_id),
        verb,
        detail: &detail,
        bulk,
    };
    let id = events::record(conn, &event, now)?;
    events::by_id(conn, id)
}
