//! The rows whose changes open dashboards are notified of, and the change that each of them is.

use rusqlite::{Connection, OptionalExtension, params};

use crate::database::row::read_row;
use domain::live::{LiveChange, LiveEvent};

/// A change to be published.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    /// A new request.
    Requests,
    Events,
    /// An event whose email was delivered, has failed, or is waiting again.
    Deliveries,
}

/// What an event says of its request.
struct Change {
    seq: i64,
    verb: String,
    actor_id: Option<String>,
    assignee_id: Option<String>,
    reminds_id: Option<String>,
}

impl Change {
    fn of(seq: i64, verb: &str) -> Self {
        Self {
            seq,
            verb: verb.to_owned(),
            actor_id: None,
            assignee_id: None,
            reminds_id: None,
        }
    }
}

/// The change of a row; `None` if the row was rolled back or deleted since.
pub(super) fn read(
    conn: &Connection,
    table: Table,
    row: i64,
) -> rusqlite::Result<Option<LiveEvent>> {
    let change = match table {
        Table::Requests => Change::of(row, "received"),
        Table::Events | Table::Deliveries => match of_event(conn, row)? {
            Some(event) if table == Table::Deliveries => Change::of(event.seq, "delivery"),
            Some(event) => event,
            None => return Ok(None),
        },
    };
    let mut find = conn.prepare_cached(
        "SELECT id, kind, emergency_contact, status FROM requests
         WHERE seq = ?1 AND NOT (?2 AND held IS NOT NULL)",
    )?;
    // A held request is announced by its `held` event.
    let is_new = table == Table::Requests;
    let found = find.query_row(params![change.seq, is_new], |row| {
        Ok(LiveEvent::Change(LiveChange {
            id: row.get(0)?,
            kind: match row.get_ref(1)?.as_str()? {
                "message" => "message",
                _ => "quote",
            },
            verb: change.verb,
            actor_id: change.actor_id,
            assignee_id: change.assignee_id,
            reminds_id: change.reminds_id,
            emergency: row.get(2)?,
            status: row.get(3)?,
        }))
    });
    found.optional()
}

fn of_event(conn: &Connection, id: i64) -> rusqlite::Result<Option<Change>> {
    let mut find = conn.prepare_cached(
        "SELECT seq, verb, actor, iif(verb = 'assigned', detail ->> 'to', NULL) AS assignee,
           iif(verb = 'follow_up_due', detail ->> 'by', NULL) AS reminds
         FROM events WHERE id = ?1",
    )?;
    let found = find.query_row([id], |row| {
        read_row!(row => Change {
            seq, verb, actor_id: "actor", assignee_id: "assignee", reminds_id: "reminds",
        })
    });
    found.optional()
}
