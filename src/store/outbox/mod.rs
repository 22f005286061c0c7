//! The rows of the outbox, inserted in the transaction of the event they report. `delivery` sends
//! them; `admin` has the operators' queries.

mod acknowledgement;
pub mod admin;
pub mod delivery;
pub mod mail_outage;
pub(super) mod notice_split;
pub(super) mod retry;

use rusqlite::{Connection, params};

use super::{Result, query};
use crate::database::row;
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::ids;

/// The due time of a new row: the epoch.
const IMMEDIATELY: Time = Time::from_millis(0);

/// Inserts `notice`, due immediately. Call it inside the `write` job of the event that it reports.
pub fn enqueue(conn: &Connection, notice: &Notice, now: Time) -> Result<()> {
    enqueue_due(conn, notice, IMMEDIATELY, now)
}

/// Inserts `notice`, due at `due_at`.
pub(crate) fn enqueue_due(
    conn: &Connection,
    notice: &Notice,
    due_at: Time,
    now: Time,
) -> Result<()> {
    let id = next_id(conn, now)?;
    insert(conn, id, notice, now, due_at, None)
}

/// The id of the next row that is inserted.
pub(crate) fn next_id(conn: &Connection, now: Time) -> Result<i64> {
    let last: Option<i64> = query::one(conn, "SELECT max(id) FROM outbox", [], |row| row.get(0))?;
    let first = ids::first_seq(now);
    Ok(last.map_or(first, |last| first.max(last + 1)))
}

/// Inserts `notice` with this id, not to be sent before `due`.
pub(crate) fn insert(
    conn: &Connection,
    id: i64,
    notice: &Notice,
    now: Time,
    due: Time,
    event: Option<i64>,
) -> Result<()> {
    let sql =
        "INSERT INTO outbox (id, created_at, kind, subject_id, notice, due_at, priority, event)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let values = params![
        id,
        now.to_string(),
        notice.kind(),
        notice.subject_id(),
        row::text(notice)?,
        due.to_string(),
        notice.priority().rank(),
        event
    ];
    query::run(conn, sql, values)
}
