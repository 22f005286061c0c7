//! Reads events.

use rusqlite::{Connection, Row};

use crate::database::row::{self, read_row};
use crate::{Result, query};
use domain::request::RequestKind;
use domain::request::event::Event;
use domain::request::history::HistoryEvent;

macro_rules! select_events {
    ($condition:literal) => {
        concat!(
            "SELECT events.id, seq, kind, at, actor, users.email, users.display_name, verb, detail
             FROM events LEFT JOIN users ON users.id = actor WHERE ",
            $condition
        )
    };
}

pub(crate) fn by_id(conn: &Connection, id: i64) -> Result<HistoryEvent> {
    query::one(conn, select_events!("events.id = ?1"), [id], read)
}

/// The events of a request, oldest first.
pub fn of_request(conn: &Connection, seq: i64) -> Result<Vec<HistoryEvent>> {
    let sql = select_events!("seq = ?1 ORDER BY events.id");
    query::all(conn, sql, [seq], read)
}

fn read(found: &Row<'_>) -> rusqlite::Result<HistoryEvent> {
    let kind = found.get_ref("kind")?.as_str()?;
    let (verb, detail) = (found.get_ref("verb")?, found.get_ref("detail")?);
    let event = Event::parse(verb.as_str()?, detail.as_str()?);
    read_row!(found => HistoryEvent {
        id, seq, at;
        kind: RequestKind::parse(kind).unwrap_or(RequestKind::Quote),
        actor: row::person(found, ["actor", "email", "display_name"])?,
        event: event.map_err(|error| row::corrupt(format!("detail ({error})")))?,
    })
}
