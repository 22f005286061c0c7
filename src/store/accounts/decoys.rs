//! Decoy writes for requests that send no email, because the address has no account or there is
//! nothing to confirm. They take as long as the real writes, so that response times do not reveal
//! accounts (`auth::emails`).

use rusqlite::{Connection, params};

use crate::database::row;
use crate::{Result, query};
use domain::clock::Time;
use domain::email::notice::Notice;

/// Writes a row of the size of `notice`, without its content.
pub fn enqueue(conn: &Connection, notice: &Notice, now: Time) -> Result<()> {
    let body = "-".repeat(row::text(notice)?.len());
    insert(conn, &body, now)
}

/// Writes as many rows as a new account: the user, its identity and an audit row.
pub fn account(conn: &Connection, now: Time) -> Result<()> {
    for _ in 0..3 {
        insert(conn, &"-".repeat(200), now)?;
    }
    Ok(())
}

/// Writes like `accounts::mark_sent`.
pub fn mark_sent(conn: &Connection, now: Time) -> Result<()> {
    let sql = "UPDATE decoy_user SET sent_at = ?1";
    query::run(conn, sql, [now.to_string()])
}

fn insert(conn: &Connection, body: &str, now: Time) -> Result<()> {
    let last: Option<i64> = query::one(conn, "SELECT max(id) FROM decoys", [], |row| row.get(0))?;
    let sql = "INSERT INTO decoys (id, due_at, body) VALUES (?1, ?2, ?3)";
    let values = params![last.unwrap_or(0) + 1, now.to_string(), body];
    query::run(conn, sql, values)
}

/// Deletes all decoy rows.
pub fn prune(conn: &Connection) -> Result<usize> {
    query::execute(conn, "DELETE FROM decoys", [])
}
