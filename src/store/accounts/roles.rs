//! `user_roles`: read on every call that needs a role, never stored in a token.

use domain::account::Person;
use rusqlite::Connection;

use crate::database::row::read_row;
use crate::{Result, Store, query};
use domain::account::Role;
use domain::clock::Time;

/// The user's role.
pub fn of(conn: &Connection, user_id: &str) -> Result<Option<Role>> {
    let names = of_user(conn, user_id)?;
    Ok(names.first().and_then(|name| Role::parse(name)))
}

/// Sets the only role of the user, or none; returns the former one.
pub fn set(
    conn: &Connection,
    user_id: &str,
    role: Option<Role>,
    now: Time,
) -> Result<Option<Role>> {
    let former = of(conn, user_id)?;
    if former == role {
        return Ok(former);
    }
    query::execute(conn, "DELETE FROM user_roles WHERE user_id = ?1", [user_id])?;
    if let Some(role) = role {
        let sql = "INSERT INTO user_roles (user_id, role, created_at) VALUES (?1, ?2, ?3)";
        query::execute(conn, sql, [user_id, role.as_str(), &now.to_string()])?;
    }
    Ok(former)
}

/// The role of the user, unless the user is deleted or banned at `now`.
pub fn active(conn: &Connection, user_id: &str, now: Time) -> Result<Option<Role>> {
    let sql = "SELECT 1 FROM users
        WHERE id = ?1 AND deleted_at IS NULL AND (banned_until IS NULL OR banned_until <= ?2)";
    let is_active = query::exists(conn, sql, [user_id, &now.to_string()])?;
    if is_active {
        of(conn, user_id)
    } else {
        Ok(None)
    }
}

/// The active users with a role, by address.
pub fn people(conn: &Connection, now: Time) -> Result<Vec<Person>> {
    let sql = "SELECT id, email, display_name FROM users
        WHERE id IN (SELECT user_id FROM user_roles) AND deleted_at IS NULL
        AND (banned_until IS NULL OR banned_until <= ?1)
        ORDER BY email, id";
    let read = read_row!(Person => id, email, name: "display_name");
    query::all(conn, sql, [now.to_string()], read)
}

impl Store {
    /// The active users with a role, by address.
    pub async fn people(&self, now: Time) -> Result<Vec<Person>> {
        self.read(move |conn| people(conn, now)).await
    }
}

/// Whether another user has the role, is neither deleted nor banned at `now`, and has signed in at
/// least once: an invitation that was never accepted does not count.
pub fn another_holds(conn: &Connection, user_id: &str, role: Role, now: Time) -> Result<bool> {
    let sql = "SELECT 1 FROM user_roles JOIN users ON users.id = user_roles.user_id
        WHERE role = ?2 AND user_id <> ?1 AND deleted_at IS NULL
          AND (email_confirmed_at IS NOT NULL OR last_sign_in_at IS NOT NULL)
          AND (banned_until IS NULL OR banned_until <= ?3)";
    query::exists(conn, sql, [user_id, role.as_str(), &now.to_string()])
}

pub fn of_user(conn: &Connection, user_id: &str) -> Result<Vec<String>> {
    let sql = "SELECT role FROM user_roles WHERE user_id = ?1 ORDER BY role";
    query::all(conn, sql, [user_id], |row| row.get(0))
}
