//! The outbox's rows: written with the fact they tell of, claimed by a lease, kept until the letter has left.

use rusqlite::{Connection, params};

use super::{Error, Result};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::domain::notice::Notice;

/// Writes `notice` to be told as soon as possible. Call it inside the `write` job of the fact it tells of.
///
/// # Errors
/// What the database says.
pub(super) fn enqueue(conn: &Connection, notice: &Notice, now: Time) -> Result<()> {
    let body = serde_json::to_string(notice).map_err(|_| Error::Failed)?;
    let now_text = now.to_string();
    conn.prepare_cached("INSERT INTO outbox (id, created_at, kind, subject_id, notice, due_at) VALUES (?1, ?2, ?3, ?4, ?5, ?2)")?
        .execute(params![ids::new(now).to_string(), now_text, notice.kind(), notice.subject_id(), body])?;
    Ok(())
}
