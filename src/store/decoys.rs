//! What is written for a request that mails nothing, because its address has no account or nothing waits for it: the rows that the others write, in tables of their
//! own, so that nobody tells them apart by the time (`auth::emails`).

use rusqlite::{Connection, params};

use super::{Result, row};
use crate::domain::clock::Time;
use crate::domain::notice::Notice;

/// As long as a mail's notice, without a word of it.
pub(crate) fn enqueue(conn: &Connection, notice: &Notice, now: Time) -> Result<()> {
    let body = "-".repeat(row::text(notice)?.len());
    insert(conn, &body, now)
}

/// As many rows as a new account has: the user, its identity and what is recorded of it.
pub(crate) fn account(conn: &Connection, now: Time) -> Result<()> {
    for _ in 0..3 {
        insert(conn, &"-".repeat(200), now)?;
    }
    Ok(())
}

/// The mark that a mail leaves on its user.
pub(crate) fn mark_sent(conn: &Connection, now: Time) -> Result<()> {
    conn.prepare_cached("UPDATE decoy_user SET sent_at = ?1")?
        .execute([now.to_string()])?;
    Ok(())
}

fn insert(conn: &Connection, body: &str, now: Time) -> Result<()> {
    let last: Option<i64> = conn
        .prepare_cached("SELECT max(id) FROM decoys")?
        .query_row([], |row| row.get(0))?;
    conn.prepare_cached("INSERT INTO decoys (id, due_at, body) VALUES (?1, ?2, ?3)")?
        .execute(params![last.unwrap_or(0) + 1, now.to_string(), body])?;
    Ok(())
}

/// Forgets them all.
pub(crate) fn prune(conn: &Connection) -> Result<usize> {
    Ok(conn.prepare_cached("DELETE FROM decoys")?.execute([])?)
}
