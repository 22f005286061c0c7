//! The provider identities of users.

use rusqlite::{Connection, Row, params};

use crate::database::row::{self, read_row};
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
    let at = now.to_string();
    row::insert_row!(conn, "identities", {
        id: ids::new(now).to_string(), user_id: user_id, provider: identity.provider,
        subject: identity.subject, identity_data: row::text(&identity.data)?, email: identity.email,
        last_sign_in_at: at, created_at: at, updated_at: at,
    })?;
    Ok(())
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
    let values = params![id, row::text(data)?, email, now.to_string()];
    query::run(conn, sql, values)
}

/// Unlinks an identity.
pub fn delete(conn: &Connection, id: &str) -> Result<()> {
    query::run(conn, "DELETE FROM identities WHERE id = ?1", [id])
}

fn read(row: &Row<'_>) -> rusqlite::Result<Identity> {
    read_row!(row => Identity {
        id, user_id, provider, subject, data: "identity_data", email, last_sign_in_at, created_at,
        updated_at,
    })
}
