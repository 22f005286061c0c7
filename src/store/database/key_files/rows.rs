//! The fingerprints of key files, and the rows that depend on the keys.

use rusqlite::{Connection, OptionalExtension};

use super::{KeyFile, KnownKeys};
use crate::{Result, query};

/// The record of `file` in the database.
pub fn known_keys(conn: &Connection, file: KeyFile) -> Result<KnownKeys> {
    let fingerprint = "SELECT fingerprint FROM key_files WHERE name = ?1";
    let fingerprint = conn.query_row(fingerprint, [file.name()], |row| row.get(0));
    Ok(match fingerprint.optional()? {
        Some(fingerprint) => KnownKeys::Fingerprint(fingerprint),
        None if file == KeyFile::Auth && has_users(conn)? => KnownKeys::Used,
        None => KnownKeys::Unused,
    })
}

/// Accounts depend on the keys of their second factors and links.
fn has_users(conn: &Connection) -> Result<bool> {
    Ok(conn.query_row("SELECT EXISTS (SELECT 1 FROM users)", [], |row| row.get(0))?)
}

/// Records the fingerprint of the current keys.
pub fn record_fingerprint(conn: &Connection, file: KeyFile, fingerprint: &str) -> Result<()> {
    let sql = "INSERT INTO key_files (name, fingerprint) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET fingerprint = ?2";
    query::run(conn, sql, [file.name(), fingerprint])
}

/// The number of rows deleted because they depended on lost keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeletedDependents {
    pub sessions: usize,
    /// Users who lost their second factor.
    pub people: i64,
    /// Unsent emails whose code can no longer be decrypted.
    pub emails: usize,
}

/// Deletes the rows that cannot be used without the lost keys of `file`.
pub fn delete_dependents(conn: &Connection, file: KeyFile) -> Result<DeletedDependents> {
    conn.execute("DELETE FROM known_clients", [])?;
    if file == KeyFile::Address {
        return Ok(DeletedDependents::default());
    }
    let people = "SELECT count(DISTINCT user_id) FROM factors WHERE status = 'verified'";
    let people = conn.query_row(people, [], |row| row.get(0))?;
    for table in [
        "factors",
        "recovery_codes",
        "one_time_tokens",
        "flows",
        "buckets",
    ] {
        conn.execute(&format!("DELETE FROM {table}"), [])?;
    }
    let emails = "UPDATE outbox SET state = 'failed', lease = NULL, notice = '',
           last_error = 'its code was sealed with keys that are lost'
         WHERE kind = 'account' AND state <> 'sent' AND notice <> ''";
    Ok(DeletedDependents {
        emails: conn.execute(emails, [])?,
        sessions: conn.execute("DELETE FROM sessions", [])?,
        people,
    })
}
