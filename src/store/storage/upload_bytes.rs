//! How many bytes of files visitors have sent on a day, by sender.

use rusqlite::{Connection, params};

use crate::{Result, query};

/// The bytes of `sender` on `day`.
pub fn of(conn: &Connection, day: &str, sender: &str) -> Result<u64> {
    let sql = "SELECT bytes FROM upload_bytes WHERE day = ?1 AND sender = ?2";
    let bytes: Option<i64> = query::optional(conn, sql, [day, sender], |row| row.get(0))?;
    Ok(bytes.unwrap_or(0).cast_unsigned())
}

/// Counts `bytes` more.
pub fn add(conn: &Connection, day: &str, sender: &str, bytes: u64) -> Result<()> {
    let sql = "INSERT INTO upload_bytes (day, sender, bytes) VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET bytes = bytes + ?3";
    query::run(conn, sql, params![day, sender, bytes.cast_signed()])
}

/// Deletes the rows of all days but `day`.
pub fn prune(conn: &Connection, day: &str) -> Result<usize> {
    query::execute(conn, "DELETE FROM upload_bytes WHERE day <> ?1", [day])
}
