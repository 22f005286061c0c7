//! Audit rows: written in the transaction of the action that they record, read by operators only.

use rusqlite::{Connection, Row, params};

use crate::database::row;
use crate::{Result, query};
use domain::account::Metadata;
use domain::clock::Time;
use domain::ids;

#[derive(Clone, Debug, PartialEq)]
pub struct AuditRow {
    /// When it happened.
    pub at: Time,
    /// The action, as in `sign_in` or `role_granted`.
    pub action: String,
    /// The actor: a user's id, `operator` (a command on the host) or `stranger` (a client without
    /// an account).
    pub actor: String,
    /// The subject: an id, or the keyed hash of an address without an account.
    pub subject_id: Option<String>,
    /// The keyed hash of the client's address.
    pub client: Option<String>,
    /// Details, never a secret.
    pub detail: Metadata,
}

/// A row to insert. The fields are those of [`AuditRow`].
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    pub action: &'a str,
    pub actor: &'a str,
    pub subject_id: Option<&'a str>,
    pub client: Option<&'a str>,
    pub detail: &'a Metadata,
}

/// Inserts one row.
pub fn record(conn: &Connection, entry: &Entry<'_>, now: Time) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO audit (id, at, action, actor, subject_id, client, detail)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        ids::new(now).to_string(),
        now.to_string(),
        entry.action,
        entry.actor,
        entry.subject_id,
        entry.client,
        row::text(entry.detail)?
    ])?;
    Ok(())
}

pub fn newest(conn: &Connection, limit: u32) -> Result<Vec<AuditRow>> {
    let sql = "SELECT at, action, actor, subject_id, client, detail FROM audit
        ORDER BY at DESC, id DESC LIMIT ?1";
    query::all(conn, sql, [limit], read)
}

/// Deletes rows older than `before`.
pub fn prune(conn: &Connection, before: Time) -> Result<usize> {
    Ok(conn
        .prepare_cached("DELETE FROM audit WHERE at < ?1")?
        .execute([before.to_string()])?)
}

fn read(found: &Row<'_>) -> rusqlite::Result<AuditRow> {
    Ok(AuditRow {
        at: row::time(found, "at")?,
        action: found.get("action")?,
        actor: found.get("actor")?,
        subject_id: found.get("subject_id")?,
        client: found.get("client")?,
        detail: row::json(found, "detail")?,
    })
}
