//! The hashes of users' passwords. Password rules and hashing are in `auth`.

use rusqlite::Connection;

use super::set;
use crate::{Result, query};
use domain::clock::Time;

/// The hash of a user's password, if one is set.
pub fn password_hash(conn: &Connection, id: &str) -> Result<Option<String>> {
    let sql = "SELECT password_hash FROM users WHERE id = ?1";
    Ok(query::optional(conn, sql, [id], |row| row.get(0))?.flatten())
}

pub fn set_password_hash(conn: &Connection, id: &str, hash: &str, now: Time) -> Result<()> {
    set(conn, "password_hash", id, Some(hash), now)
}

/// Replaces the hash by a new one of the same password, unless the password has changed since.
pub fn rehash(conn: &Connection, id: &str, old: &str, new: &str) -> Result<()> {
    let sql = "UPDATE users SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2";
    query::run(conn, sql, [id, old, new])
}

/// Removes the password.
pub fn drop_password(conn: &Connection, id: &str, now: Time) -> Result<()> {
    set(conn, "password_hash", id, None, now)
}
