//! `user_roles`: read on every call that needs a role, never stored in a token.

use rusqlite::Connection;

use crate::domain::account::Role;
use crate::domain::clock::Time;
use crate::store::{Result, Store};

/// Whether the user has the role now.
pub(crate) fn has(conn: &Connection, user_id: &str, role: Role) -> Result<bool> {
    Ok(conn
        .prepare_cached("SELECT 1 FROM user_roles WHERE user_id = ?1 AND role = ?2")?
        .exists([user_id, role.as_str()])?)
}

/// Grants the role; returns whether it is new.
pub(crate) fn grant(conn: &Connection, user_id: &str, role: Role, now: Time) -> Result<bool> {
    let rows = conn
        .prepare_cached(
            "INSERT OR IGNORE INTO user_roles (user_id, role, created_at) VALUES (?1, ?2, ?3)",
        )?
        .execute([user_id, role.as_str(), &now.to_string()])?;
    Ok(rows == 1)
}

/// Revokes the role; returns whether the user had it.
pub(crate) fn revoke(conn: &Connection, user_id: &str, role: Role) -> Result<bool> {
    let rows = conn
        .prepare_cached("DELETE FROM user_roles WHERE user_id = ?1 AND role = ?2")?
        .execute([user_id, role.as_str()])?;
    Ok(rows == 1)
}

/// Whether the user has the role and is neither deleted nor banned at `now`.
pub(crate) fn is_active(conn: &Connection, user_id: &str, role: Role, now: Time) -> Result<bool> {
    Ok(conn
        .prepare_cached(
            "SELECT 1 FROM user_roles JOIN users ON users.id = user_roles.user_id
             WHERE user_id = ?1 AND role = ?2 AND deleted_at IS NULL AND (banned_until IS NULL
             OR banned_until <= ?3)",
        )?
        .exists([user_id, role.as_str(), &now.to_string()])?)
}

impl Store {
    /// The active admins: their user ids, addresses and display names, by address.
    pub async fn admins(&self, now: Time) -> Result<Vec<(String, Option<String>, Option<String>)>> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(
                "SELECT id, email, display_name FROM user_roles JOIN users ON users.id = user_roles.user_id
                 WHERE role = ?1 AND deleted_at IS NULL AND (banned_until IS NULL
                 OR banned_until <= ?2)
                 ORDER BY email, id",
            )?;
            let people = find.query_map([Role::Admin.as_str(), &now.to_string()], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
            Ok(people.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }
}

/// Whether another user has the role, is neither deleted nor banned at `now`, and has signed in at
/// least once: an invitation that was never accepted does not count.
pub(crate) fn another_holds(
    conn: &Connection,
    user_id: &str,
    role: Role,
    now: Time,
) -> Result<bool> {
    Ok(conn
        .prepare_cached(
            "SELECT 1 FROM user_roles JOIN users ON users.id = user_roles.user_id
             WHERE role = ?2 AND user_id <> ?1 AND deleted_at IS NULL
               AND (email_confirmed_at IS NOT NULL OR last_sign_in_at IS NOT NULL)
               AND (banned_until IS NULL OR banned_until <= ?3)",
        )?
        .exists([user_id, role.as_str(), &now.to_string()])?)
}

pub(crate) fn of_user(conn: &Connection, user_id: &str) -> Result<Vec<String>> {
    let roles = conn
        .prepare_cached("SELECT role FROM user_roles WHERE user_id = ?1 ORDER BY role")?
        .query_map([user_id], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(roles)
}
