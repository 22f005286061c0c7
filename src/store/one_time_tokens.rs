//! What mailed codes and links prove, one row a slot. What a code is worth is decided in `auth::links`.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Result, row};
use crate::domain::clock::Time;

/// A row.
#[derive(Clone, Debug)]
pub struct OneTimeToken {
    /// Whose.
    pub user_id: String,
    /// `confirmation`, `recovery`, `email_change_current`, `email_change_new` or `reauthentication`.
    pub slot: String,
    /// What was sent.
    pub kind: String,
    /// Where it was sent.
    pub address: String,
    /// Makes the token another one each time.
    pub nonce: String,
    /// The digest of the link token.
    pub digest: String,
    /// The browser that waits for it.
    pub flow_id: Option<String>,
    /// Wrong codes so far.
    pub wrong: u32,
    /// Its end.
    pub expires_at: Time,
}

const COLUMNS: &str = "user_id, slot, kind, address, nonce, digest, flow_id, wrong, expires_at";

/// Writes a token in the place of the slot's last one.
pub(crate) fn put(conn: &Connection, token: &OneTimeToken, now: Time) -> Result<()> {
    conn.prepare_cached(&format!(
        "INSERT OR REPLACE INTO one_time_tokens ({COLUMNS}, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
    ))?
    .execute(params![
        token.user_id,
        token.slot,
        token.kind,
        token.address,
        token.nonce,
        token.digest,
        token.flow_id,
        token.wrong,
        token.expires_at.to_string(),
        now.to_string()
    ])?;
    Ok(())
}

/// What lies in a user's slot.
pub(crate) fn in_slot(
    conn: &Connection,
    user_id: &str,
    slot: &str,
) -> Result<Option<OneTimeToken>> {
    Ok(conn
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM one_time_tokens WHERE user_id = ?1 AND slot = ?2"
        ))?
        .query_row([user_id, slot], read)
        .optional()?)
}

/// What was sent to an address into a slot, whoever asked for it.
pub(crate) fn sent_to(conn: &Connection, address: &str, slot: &str) -> Result<Vec<OneTimeToken>> {
    let tokens = conn
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM one_time_tokens WHERE address = ?1 AND slot = ?2"
        ))?
        .query_map([address, slot], read)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(tokens)
}

/// The token with this digest.
pub(crate) fn by_digest(conn: &Connection, digest: &str) -> Result<Option<OneTimeToken>> {
    Ok(conn
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM one_time_tokens WHERE digest = ?1"
        ))?
        .query_row([digest], read)
        .optional()?)
}

/// A wrong code was tried.
pub(crate) fn count_wrong(conn: &Connection, user_id: &str, slot: &str) -> Result<()> {
    conn.prepare_cached(
        "UPDATE one_time_tokens SET wrong = wrong + 1 WHERE user_id = ?1 AND slot = ?2",
    )?
    .execute([user_id, slot])?;
    Ok(())
}

/// Empties a slot.
pub(crate) fn delete(conn: &Connection, user_id: &str, slot: &str) -> Result<()> {
    conn.prepare_cached("DELETE FROM one_time_tokens WHERE user_id = ?1 AND slot = ?2")?
        .execute([user_id, slot])?;
    Ok(())
}

/// Empties all of a user's slots.
pub(crate) fn delete_all(conn: &Connection, user_id: &str) -> Result<()> {
    conn.prepare_cached("DELETE FROM one_time_tokens WHERE user_id = ?1")?
        .execute([user_id])?;
    Ok(())
}

/// Forgets what ended before `before`.
pub(crate) fn prune(conn: &Connection, before: Time) -> Result<usize> {
    Ok(conn
        .prepare_cached("DELETE FROM one_time_tokens WHERE expires_at < ?1")?
        .execute([before.to_string()])?)
}

fn read(found: &Row<'_>) -> rusqlite::Result<OneTimeToken> {
    Ok(OneTimeToken {
        user_id: found.get("user_id")?,
        slot: found.get("slot")?,
        kind: found.get("kind")?,
        address: found.get("address")?,
        nonce: found.get("nonce")?,
        digest: found.get("digest")?,
        flow_id: found.get("flow_id")?,
        wrong: found.get("wrong")?,
        expires_at: row::time(found, "expires_at")?,
    })
}
