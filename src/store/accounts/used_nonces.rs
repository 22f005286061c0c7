//! Used one-time values: digests of wallets' messages and of nonces of id_tokens, and the ids of
//! tokens of signed upload URLs.

use rusqlite::Connection;

use crate::{Result, query};
use domain::clock::Time;

/// Marks `digest` as used until `expires_at`; returns whether it was unused.
pub fn mark_used(conn: &Connection, digest: &str, expires_at: Time) -> Result<bool> {
    let sql = "INSERT OR IGNORE INTO spent (digest, expires_at) VALUES (?1, ?2)";
    let rows = query::execute(conn, sql, [digest, &expires_at.to_string()])?;
    Ok(rows == 1)
}

/// Whether `digest` is marked as used.
pub fn is_used(conn: &Connection, digest: &str) -> Result<bool> {
    query::exists(conn, "SELECT 1 FROM spent WHERE digest = ?1", [digest])
}

/// Deletes what expired before `before`.
pub fn prune(conn: &Connection, before: Time) -> Result<usize> {
    let sql = "DELETE FROM spent WHERE expires_at < ?1";
    query::execute(conn, sql, [before.to_string()])
}
