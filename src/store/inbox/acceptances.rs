//! Acceptances of offers wait for a person: a request with one needs attention until an admin has
//! confirmed it. They are the customer's word, so they wait in `unanswered`, as messages do, but no
//! answer ends it.

use rusqlite::{Connection, params};

use super::changes::writes::set;
use super::requests::family;
use super::waiting;
use crate::{Result, query};
use domain::request::Request;

/// An acceptance by the customer that no admin has confirmed; `confirmed` of its event is the event
/// that did.
pub(crate) const UNCONFIRMED: &str =
    "verb = 'offer_accepted' AND actor IS NULL AND detail ->> 'confirmed' IS NULL";

/// Confirms what the customer of a request has accepted by the event of a change that has closed
/// it.
pub(crate) fn close(conn: &Connection, request: &Request, event: i64) -> Result<()> {
    if request.status.is_open() {
        return Ok(());
    }
    let mut confirmed = 0;
    for seq in family(conn, request.seq)? {
        confirmed += confirm(conn, seq, None, event)?;
    }
    match confirmed {
        0 => Ok(()),
        _ => wait(conn, request),
    }
}

/// Takes back what an event has confirmed.
pub(crate) fn undo(conn: &Connection, request: &Request, event: i64) -> Result<()> {
    let mut undone = 0;
    for seq in family(conn, request.seq)? {
        let sql = "UPDATE events SET detail = json_remove(detail, '$.confirmed')
            WHERE seq = ?1 AND verb = 'offer_accepted' AND detail ->> 'confirmed' = ?2";
        undone += query::execute(conn, sql, params![seq, event])?;
    }
    match undone {
        0 => Ok(()),
        _ => wait(conn, request),
    }
}

/// The oldest acceptance of a request or its duplicates that no admin has confirmed.
pub(crate) fn waiting(conn: &Connection, seq: i64) -> Result<Option<i64>> {
    let sql = format!("SELECT min(id) FROM events WHERE seq = ?1 AND {UNCONFIRMED}");
    let mut oldest = None;
    for seq in family(conn, seq)? {
        let found: Option<i64> = query::one(conn, &sql, [seq], |row| row.get(0))?;
        oldest = [oldest, found].into_iter().flatten().min();
    }
    Ok(oldest)
}

/// Whether the customer has accepted an offer of this request, and no admin has confirmed that.
pub(crate) fn is_unconfirmed(conn: &Connection, seq: i64, number: &str) -> Result<bool> {
    let sql = format!(
        "SELECT 1 FROM events WHERE seq = ?1 AND detail ->> 'number' = ?2 AND {UNCONFIRMED}"
    );
    query::exists(conn, &sql, params![seq, number])
}

/// Sets what waits for a person: the oldest message since the last answer, or the oldest acceptance
/// that no admin has confirmed.
pub(crate) fn wait(conn: &Connection, request: &Request) -> Result<()> {
    let message = waiting::oldest_message(conn, request)?;
    let both = [message, waiting(conn, request.seq)?];
    let oldest = both.into_iter().flatten().min();
    let oldest = oldest.map(|event| event.to_string());
    set(conn, request, "unanswered", oldest.as_deref())
}

/// Confirms the acceptances of a request, or that of one offer; returns how many.
pub(crate) fn confirm(
    conn: &Connection,
    seq: i64,
    number: Option<&str>,
    event: i64,
) -> Result<usize> {
    let sql = format!(
        "UPDATE events SET detail = json_set(detail, '$.confirmed', ?3)
         WHERE seq = ?1 AND (?2 IS NULL OR detail ->> 'number' = ?2) AND {UNCONFIRMED}"
    );
    query::execute(conn, &sql, params![seq, number, event])
}
