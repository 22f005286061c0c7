//! The provider identities of users.

use poem_openapi::types::Any;
use rusqlite::{Connection, Row, params};

use crate::database::row;
use crate::{Result, query};
use domain::account::{Identity, Metadata};
use domain::clock::Time;
use domain::ids;

/// An identity to insert.
#[derive(Clone, Debug)]
pub struct NewIdentity {
    /// `email`, a provider's id, `sso:…` or `web3`.
    pub provider: String,
    /// The provider's id of the user (`sub`).
    pub subject: String,
    /// The claims of the provider.
    pub data: Metadata,
    /// The email address from the provider.
    pub email: Option<String>,
}

const COLUMNS: &str =
    "id, user_id, provider, subject, identity_data, email, last_sign_in_at, created_at, updated_at";

/// Links `identity` to a user.
pub fn insert(conn: &Connection, user_id: &str, identity: &NewIdentity, now: Time) -> Result<()> {
    let sql = "INSERT INTO identities (id, user_id, provider, subject, identity_data, email,
        last_sign_in_at, created_at, updated_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?7)";
    let values = params![
        ids::new(now).to_string(),
        user_id,
        identity.provider,
        identity.subject,
        row::text(&identity.data)?,
        identity.email,
        now.to_string()
    ];
    query::execute(conn, sql, values).map(drop)
}

/// A user's identities, oldest first.
pub fn of_user(conn: &Connection, user_id: &str) -> Result<Vec<Identity>> {
    let sql =
        format!("SELECT {COLUMNS} FROM identities WHERE user_id = ?1 ORDER BY created_at, id");
    query::all(conn, &sql, [user_id], read)
}

/// The identity with the provider's id of the user.
pub fn by_subject(conn: &Connection, provider: &str, subject: &str) -> Result<Option<Identity>> {
    let sql = format!("SELECT {COLUMNS} FROM identities WHERE provider = ?1 AND subject = ?2");
    query::optional(conn, &sql, [provider, subject], read)
}

/// Updates the claims of a provider at a sign-in.
pub fn refresh(
    conn: &Connection,
    id: &str,
    data: &Metadata,
    email: Option<&str>,
    now: Time,
) -> Result<()> {
    let sql = "UPDATE identities SET identity_data = ?2, email = ?3, last_sign_in_at = ?4,
        updated_at = ?4 WHERE id = ?1";
    query::execute(
        conn,
        sql,
        params![id, row::text(data)?, email, now.to_string()],
    )
    .map(drop)
}

/// Unlinks an identity.
pub fn delete(conn: &Connection, id: &str) -> Result<()> {
    query::execute(conn, "DELETE FROM identities WHERE id = ?1", [id]).map(drop)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Identity> {
    Ok(Identity {
        id: row.get("id")?,
        user_id: row.get("user_id")?,
        provider: row.get("provider")?,
        subject: row.get("subject")?,
        data: Any(row::json(row, "identity_data")?),
        email: row.get("email")?,
        last_sign_in_at: row::optional_time(row, "last_sign_in_at")?,
        created_at: row::time(row, "created_at")?,
        updated_at: row::time(row, "updated_at")?,
    })
}
