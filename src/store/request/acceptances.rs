//! Acceptances of offers wait for a person: a request with one needs attention until an admin has
//! confirmed it. They are the customer's word, so they wait in `unanswered`, as messages do, but no
//! answer ends it.

use rusqlite::{Connection, params};

use super::requests::family;
use super::waits;
use crate::{Result, query};
use domain::request::Request;
use domain::request::quote::Status;

/// An acceptance by the customer that no admin has confirmed; `confirmed` of its event is the event
/// that did.
pub(crate) const UNCONFIRMED: &str =
    "verb = 'offer_accepted' AND actor IS NULL AND detail ->> 'confirmed' IS NULL";

/// Confirms what the customer of a request has accepted, if the event of a move `to` a status has
/// closed it.
pub(crate) fn close(conn: &Connection, seq: i64, to: Status, event: i64) -> Result<()> {
    if to.is_open() {
        return Ok(());
    }
    let mut confirmed = 0;
    for seq in family(conn, seq)? {
        confirmed += confirm(conn, seq, None, event)?;
    }
    match confirmed {
        0 => Ok(()),
        _ => waits::recompute(conn, seq),
    }
}

/// Takes back what an event has confirmed. Call it before the undo is recorded.
pub(crate) fn undo(conn: &Connection, request: &Request, event: i64) -> Result<()> {
    for seq in family(conn, request.seq)? {
        let sql = "UPDATE events SET detail = json_remove(detail, '$.confirmed')
            WHERE seq = ?1 AND verb = 'offer_accepted' AND detail ->> 'confirmed' = ?2";
        query::execute(conn, sql, params![seq, event])?;
    }
    Ok(())
}

/// Whether the customer has accepted an offer of this request, and no admin has confirmed that.
pub(crate) fn is_unconfirmed(conn: &Connection, seq: i64, number: &str) -> Result<bool> {
    let sql = format!(
        "SELECT 1 FROM events WHERE seq = ?1 AND detail ->> 'number' = ?2 AND {UNCONFIRMED}"
    );
    query::exists(conn, &sql, params![seq, number])
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
