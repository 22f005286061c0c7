//! Audit rows: written in the transaction of the action that they record, read by operators only.

use rusqlite::Connection;

use crate::database::row;
use crate::{Result, query};
use domain::account::Metadata;
use domain::clock::Time;
use domain::ids;

/// A row to insert.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The action, as in `sign_in` or `role_granted`.
    pub action: &'a str,
    /// The actor: a user's id, `operator` (a command on the host) or `stranger` (a client without
    /// an account).
    pub actor: &'a str,
    /// The subject: an id, or the keyed hash of an address without an account.
    pub subject_id: Option<&'a str>,
    /// The keyed hash of the client's address.
    pub client: Option<&'a str>,
    /// Details, never a secret.
    pub detail: &'a Metadata,
}

/// Inserts one row.
pub fn record(conn: &Connection, entry: &Entry<'_>, now: Time) -> Result<()> {
    row::insert_row!(conn, "audit", {
        id: ids::new(now).to_string(), at: now.to_string(), action: entry.action,
        actor: entry.actor, subject_id: entry.subject_id, client: entry.client,
        detail: row::text(entry.detail)?,
    })?;
    Ok(())
}

/// Deletes rows older than `before`.
pub fn prune(conn: &Connection, before: Time) -> Result<usize> {
    let sql = "DELETE FROM audit WHERE at < ?1";
    query::execute(conn, sql, [before.to_string()])
}
