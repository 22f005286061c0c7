//! The history of requests: one event for each change, written in the transaction of the change.

use rusqlite::{Connection, params};

use super::waits;
use crate::database::row;
use crate::{Error, Result, query};
use domain::clock::Time;
use domain::ids;
use domain::request::event::Event;
use domain::request::waits::may_change;
use domain::request::{Request, RequestKind};

pub(crate) use super::event_row::by_id;
pub use super::event_row::of_request;

/// An event to record.
#[derive(Clone, Copy, Debug)]
pub struct NewEvent<'a> {
    /// The request's `seq`.
    pub seq: i64,
    pub kind: RequestKind,
    /// The user id of the actor; `None` for the server.
    pub actor: Option<&'a str>,
    pub event: &'a Event,
    /// The same number in all events of one bulk change.
    pub bulk: Option<i64>,
}

/// Inserts one event, and computes what waits then; returns its id. Call it inside the `write` job
/// of the change, after it.
pub fn record(conn: &Connection, event: &NewEvent<'_>, now: Time) -> Result<i64> {
    let id = next_id(conn, now)?;
    row::insert_row!(conn, "events", {
        id: id,
        seq: event.seq,
        kind: event.kind.as_str(),
        at: now.to_string(),
        actor: event.actor,
        verb: event.event.verb().as_str(),
        detail: event.event.detail().map_err(|_| Error::Failed)?.to_string(),
        bulk: event.bulk,
    })?;
    if may_change(event.event) {
        waits::recompute(conn, event.seq)?;
    }
    Ok(id)
}

/// Inserts one event of a request; returns its id. `actor` is a user's id, `None` for the server.
pub fn add(
    conn: &Connection,
    request: &Request,
    actor: Option<&str>,
    event: &Event,
    now: Time,
) -> Result<i64> {
    let event = NewEvent {
        seq: request.seq,
        kind: request.kind,
        actor,
        event,
        bulk: None,
    };
    record(conn, &event, now)
}

pub(crate) fn next_id(conn: &Connection, now: Time) -> Result<i64> {
    let last: Option<i64> = query::one(conn, "SELECT max(id) FROM events", [], |row| row.get(0))?;
    let first = ids::first_seq(now);
    Ok(last.map_or(first, |last| first.max(last + 1)))
}

/// Whether this user has made a bulk change with this number.
pub(crate) fn is_bulk_of(conn: &Connection, bulk: i64, actor: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM events WHERE bulk = ?1 AND actor = ?2";
    query::exists(conn, sql, params![bulk, actor])
}

/// The time of the last event of a bulk change.
pub(crate) fn end_of_bulk(conn: &Connection, bulk: i64) -> Result<Time> {
    let sql = "SELECT at FROM events WHERE bulk = ?1 ORDER BY id DESC LIMIT 1";
    query::one(conn, sql, [bulk], |found| row::column(found, "at"))
}

/// The events of one request in a bulk change.
pub(crate) struct BulkEvents {
    /// The request's `seq`.
    pub seq: i64,
    /// Newest first.
    pub ids: Vec<i64>,
}

/// The events of a user's bulk change, of up to `limit` requests whose `seq` is above `after`.
pub(crate) fn of_bulk(
    conn: &Connection,
    bulk: i64,
    actor: &str,
    after: i64,
    limit: usize,
) -> Result<Vec<BulkEvents>> {
    let mut find = conn.prepare_cached(
        "SELECT seq, id FROM events WHERE bulk = ?1 AND actor = ?2 AND seq > ?3
         ORDER BY seq, id DESC",
    )?;
    let mut rows = find.query(params![bulk, actor, after])?;
    let mut requests: Vec<BulkEvents> = Vec::new();
    while let Some(row) = rows.next()? {
        let (seq, id) = (row.get(0)?, row.get(1)?);
        let is_full = requests.len() == limit;
        match requests.last_mut() {
            Some(last) if last.seq == seq => last.ids.push(id),
            _ if is_full => break,
            _ => requests.push(BulkEvents { seq, ids: vec![id] }),
        }
    }
    Ok(requests)
}
