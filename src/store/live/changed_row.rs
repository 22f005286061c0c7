//! The rows whose changes open dashboards are told of, and the change that each of them is.

use rusqlite::{Connection, OptionalExtension};

use crate::domain::live::{LiveChange, LiveEvent};

/// A change to be published.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    Quotes,
    /// A new contact message.
    Messages,
    Events,
    /// An event whose email was delivered, has failed, or is waiting again.
    Deliveries,
}

/// The change of a row; `None` if the row was rolled back or deleted since.
pub(super) fn read(
    conn: &Connection,
    table: Table,
    row: i64,
) -> rusqlite::Result<Option<LiveEvent>> {
    let (seq, kind, verb, actor_id, assignee_id, reminds_id) = match table {
        Table::Quotes => (
            row,
            "quote".to_owned(),
            "received".to_owned(),
            None,
            None,
            None,
        ),
        Table::Messages => (
            row,
            "message".to_owned(),
            "received".to_owned(),
            None,
            None,
            None,
        ),
        Table::Events | Table::Deliveries => {
            let mut find = conn.prepare_cached(
                "SELECT seq, kind, verb, actor, iif(verb = 'assigned', detail ->> 'to', NULL),
                   iif(verb = 'follow_up_due', detail ->> 'by', NULL)
                 FROM events WHERE id = ?1",
            )?;
            let found = find.query_row([row], |row| {
                Ok((
                    row.get(0)?,
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(4)?,
                    row.get(5)?,
                ))
            });
            match found.optional()? {
                Some((seq, kind, ..)) if table == Table::Deliveries => {
                    (seq, kind, "delivery".to_owned(), None, None, None)
                }
                Some(event) => event,
                None => return Ok(None),
            }
        }
    };
    let (kind, sql) = match kind.as_str() {
        "quote" => (
            "quote",
            "SELECT id, status, held IS NOT NULL, emergency_contact FROM quotes WHERE seq = ?1",
        ),
        _ => (
            "message",
            "SELECT id, status, held IS NOT NULL, 0 FROM contact_messages WHERE seq = ?1",
        ),
    };
    let is_new = matches!(table, Table::Quotes | Table::Messages);
    let request = conn
        .prepare_cached(sql)?
        .query_row([seq], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .optional()?;
    // A held request is announced by its `held` event.
    let announced = request.filter(|(_, _, is_held, _)| !(is_new && *is_held));
    Ok(announced.map(|(id, status, _, emergency)| {
        LiveEvent::Change(LiveChange {
            id,
            kind,
            verb,
            actor_id,
            assignee_id,
            reminds_id,
            emergency,
            status,
        })
    }))
}
