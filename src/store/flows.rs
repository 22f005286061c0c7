//! Browsers that are under way: at a provider (kept under the digest of a state), or about to exchange a code (under the code's digest). Each row works once.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Result, row};
use crate::domain::account::Facts;
use crate::domain::clock::Time;
use crate::domain::ids;

/// One browser under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Whose session it will be, once that is known.
    pub user_id: Option<String>,
    /// What the session will say of how it was proved.
    pub method: String,
    /// What the browser committed itself to (PKCE); none where it takes the session in its address.
    pub code_challenge: Option<String>,
    /// Where the browser goes in the end; checked already.
    pub redirect_to: Option<String>,
    /// What else is needed to go on.
    pub details: Facts,
    /// From then on it is of no use.
    pub expires_at: Time,
}

/// Under which secret a row is found again; only its digest is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// The state that a provider sends back.
    State(String),
    /// The code that a browser exchanges.
    Code(String),
}

impl Key {
    const fn column(&self) -> &'static str {
        match self {
            Self::State(_) => "state_digest",
            Self::Code(_) => "code_digest",
        }
    }

    fn digest(&self) -> &str {
        match self {
            Self::State(digest) | Self::Code(digest) => digest,
        }
    }
}

/// Remembers a browser; forgets those that never came back.
pub(crate) fn insert(conn: &Connection, flow: &Flow, key: &Key, now: Time) -> Result<()> {
    conn.prepare_cached("DELETE FROM flows WHERE expires_at < ?1")?
        .execute([now.plus_seconds(-3600).to_string()])?;
    conn.prepare_cached(&format!(
        "INSERT INTO flows (id, user_id, method, code_challenge, redirect_to, details, created_at, expires_at, {})
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        key.column()
    ))?
    .execute(params![
        ids::new(now).to_string(),
        flow.user_id,
        flow.method,
        flow.code_challenge,
        flow.redirect_to,
        row::text(&flow.details)?,
        now.to_string(),
        flow.expires_at.to_string(),
        key.digest()
    ])?;
    Ok(())
}

/// Takes a row out: whoever asks again finds nothing.
pub(crate) fn take(conn: &Connection, key: &Key) -> Result<Option<Flow>> {
    Ok(conn
        .prepare_cached(&format!(
            "DELETE FROM flows WHERE {} = ?1
             RETURNING user_id, method, code_challenge, redirect_to, details, expires_at",
            key.column()
        ))?
        .query_row([key.digest()], read)
        .optional()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Flow> {
    Ok(Flow {
        user_id: row.get("user_id")?,
        method: row.get("method")?,
        code_challenge: row.get("code_challenge")?,
        redirect_to: row.get("redirect_to")?,
        details: row::facts(row, "details")?,
        expires_at: row::time(row, "expires_at")?,
    })
}
