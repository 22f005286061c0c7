//! Acknowledgements to visitors. Each request is acknowledged; one email lists those of an address
//! that come within a minute, or after five emails of an hour: a form sends no flood to others.

use rusqlite::{Connection, params};

use super::IMMEDIATELY;
use crate::database::row;
use crate::request::emails::record;
use crate::{Error, Result, outbox, query};
use domain::clock::{HOUR_MS, MINUTE_MS, Time};
use domain::email::email_address::mailbox_of;
use domain::email::notice::Notice;
use domain::on_call::bounds::window_allowed;
use domain::request::Request;

/// Emails to one address in an hour.
const AN_HOUR: u32 = 5;

/// Adds a request to the email that waits for its address, or enqueues one.
pub(super) fn enqueue(
    conn: &Connection,
    request: &Request,
    created_at: Time,
    now: Time,
) -> Result<()> {
    let address = mailbox_of(&request.email);
    let hour_ago = now.plus_millis(-HOUR_MS).to_string();
    query::execute(conn, "DELETE FROM acknowledged WHERE at <= ?1", [hour_ago])?;
    let waiting = "SELECT id, notice FROM acknowledged JOIN outbox ON id = email
        WHERE address = ?1 AND at > ?2 AND due_at > ?2 AND state = 'due' AND attempts = 0";
    let key = params![address, now.to_string()];
    let waiting: Option<(i64, String)> = query::optional(conn, waiting, key, |row| row.try_into())?;
    if let Some((id, notice)) = waiting {
        let mut notice = serde_json::from_str(&notice).map_err(|_| Error::Failed)?;
        if let Notice::Acknowledgement { also, .. } = &mut notice {
            also.push(request.id.clone());
        }
        record(conn, request, &notice, id, now)?;
        let sql = "UPDATE outbox SET notice = ?2 WHERE id = ?1";
        return query::run(conn, sql, params![id, row::text(&notice)?]);
    }
    let sent = "SELECT at FROM acknowledged WHERE address = ?1 ORDER BY at DESC";
    let sent: Vec<_> = query::all(conn, sent, [&address], |found| row::column(found, "at"))?;
    let due = window_allowed(1, MINUTE_MS, &sent, now);
    let due = due.max(window_allowed(AN_HOUR, HOUR_MS, &sent, now));
    let notice = Notice::received(request.id.clone());
    let id = outbox::next_id(conn, created_at)?;
    let event = record(conn, request, &notice, id, now)?;
    let not_before = if due > now { due } else { IMMEDIATELY };
    outbox::insert(conn, id, &notice, created_at, not_before, Some(event))?;
    let sql = "INSERT OR REPLACE INTO acknowledged (address, at, email) VALUES (?1, ?2, ?3)";
    query::run(conn, sql, params![address, due.to_string(), id])
}
