//! PKCE flows, and sign-ins that wait for a provider's redirect. The rules are in
//! `auth::sign_in::pkce`.

use rusqlite::{Connection, Row};

use crate::database::row::{self, read_row};
use crate::{Result, query};
use domain::account::Metadata;
use domain::clock::Time;

#[derive(Clone, Debug)]
pub struct Flow {
    /// UUIDv7 text.
    pub id: String,
    /// The user, once known.
    pub user_id: Option<String>,
    /// The sign-in method, as in `magiclink` or `oauth`.
    pub method: String,
    /// The S256 challenge; none if the tokens are returned in the URL fragment instead of a code.
    pub code_challenge: Option<String>,
    /// The final redirect; validated before.
    pub redirect_to: Option<String>,
    /// The digest of the `state` parameter.
    pub state_digest: Option<String>,
    /// Data specific to the method.
    pub details: Metadata,
    /// The digest of the code, once issued.
    pub code_digest: Option<String>,
    pub expires_at: Time,
}

const COLUMNS: &str = "id, user_id, method, code_challenge, redirect_to, state_digest, details, \
    code_digest, expires_at";

pub fn insert(conn: &Connection, flow: &Flow, now: Time) -> Result<()> {
    row::insert_row!(conn, "flows", {
        id: flow.id, user_id: flow.user_id, method: flow.method,
        code_challenge: flow.code_challenge, redirect_to: flow.redirect_to,
        state_digest: flow.state_digest, details: row::text(&flow.details)?,
        code_digest: flow.code_digest, expires_at: flow.expires_at.to_string(),
        created_at: now.to_string(),
    })?;
    Ok(())
}

/// The flow whose code has this digest.
pub fn by_code(conn: &Connection, digest: &str) -> Result<Option<Flow>> {
    one(conn, "code_digest", digest)
}

/// The flow whose state has this digest.
pub fn by_state(conn: &Connection, digest: &str) -> Result<Option<Flow>> {
    one(conn, "state_digest", digest)
}

fn one(conn: &Connection, column: &str, key: &str) -> Result<Option<Flow>> {
    let sql = format!("SELECT {COLUMNS} FROM flows WHERE {column} = ?1");
    query::optional(conn, &sql, [key], read)
}

/// Sets the user, the code and a new expiry; clears the state.
pub fn set_code(
    conn: &Connection,
    id: &str,
    user_id: &str,
    method: &str,
    code_digest: &str,
    expires_at: Time,
) -> Result<bool> {
    let sql = "UPDATE flows SET user_id = ?2, method = ?3, code_digest = ?4, expires_at = ?5,
        state_digest = NULL
        WHERE id = ?1";
    let values = [id, user_id, method, code_digest, &expires_at.to_string()];
    let rows = query::execute(conn, sql, values)?;
    Ok(rows == 1)
}

/// Deletes a flow; returns whether it existed.
pub fn delete(conn: &Connection, id: &str) -> Result<bool> {
    let rows = query::execute(conn, "DELETE FROM flows WHERE id = ?1", [id])?;
    Ok(rows == 1)
}

pub fn delete_all(conn: &Connection, user_id: &str) -> Result<()> {
    query::run(conn, "DELETE FROM flows WHERE user_id = ?1", [user_id])
}

/// Deletes flows that expired before `before`.
pub fn prune(conn: &Connection, before: Time) -> Result<usize> {
    let sql = "DELETE FROM flows WHERE expires_at < ?1";
    query::execute(conn, sql, [before.to_string()])
}

fn read(found: &Row<'_>) -> rusqlite::Result<Flow> {
    read_row!(found => Flow {
        id, user_id, method, code_challenge, redirect_to, state_digest, details, code_digest,
        expires_at,
    })
}
