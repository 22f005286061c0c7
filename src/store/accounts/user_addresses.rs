//! Users' email addresses and phone numbers, whether they are confirmed, and pending changes.

use rusqlite::{Connection, params};

use super::{set, unique_conflict};
use crate::{Result, query};
use domain::account::EmailChangeSide;
use domain::clock::Time;
use domain::email::email_address::EmailAddress;

/// Marks the email address as confirmed.
pub fn confirm_email(conn: &Connection, id: &str, now: Time) -> Result<()> {
    let sql = "UPDATE users SET email_confirmed_at = coalesce(email_confirmed_at, ?2),
        updated_at = ?2 WHERE id = ?1";
    query::run(conn, sql, [id, &now.to_string()])
}

/// Marks the phone number as confirmed.
pub fn confirm_phone(conn: &Connection, id: &str, now: Time) -> Result<()> {
    set(conn, "phone_confirmed_at", id, Some(&now.to_string()), now)
}

/// Sets the email address, confirmed or not; cancels a pending change.
pub fn set_email(
    conn: &Connection,
    id: &str,
    email: &EmailAddress,
    confirmed: bool,
    now: Time,
) -> Result<()> {
    let at = now.to_string();
    conn.prepare_cached(
        "UPDATE users SET email = ?2, email_confirmed_at = ?3, new_email = NULL,
         email_change_confirmed = NULL, updated_at = ?4 WHERE id = ?1",
    )?
    .execute(params![id, email.as_str(), confirmed.then_some(&at), at])
    .map_err(unique_conflict)?;
    Ok(())
}

/// Sets the phone number, unconfirmed.
pub fn set_phone(conn: &Connection, id: &str, phone: &str, now: Time) -> Result<()> {
    conn.prepare_cached(
        "UPDATE users SET phone = ?2, phone_confirmed_at = NULL, updated_at = ?3 WHERE id = ?1",
    )?
    .execute([id, phone, &now.to_string()])
    .map_err(unique_conflict)?;
    Ok(())
}

/// Starts a change of the email address.
pub fn begin_email_change(
    conn: &Connection,
    id: &str,
    new_email: &EmailAddress,
    now: Time,
) -> Result<()> {
    let sql = "UPDATE users SET new_email = ?2, email_change_confirmed = NULL, updated_at = ?3
        WHERE id = ?1";
    query::run(conn, sql, [id, new_email.as_str(), &now.to_string()])
}

/// Marks one side of a change of the email address as confirmed.
pub fn confirm_email_change_side(
    conn: &Connection,
    id: &str,
    side: EmailChangeSide,
    now: Time,
) -> Result<()> {
    set(conn, "email_change_confirmed", id, Some(side.as_str()), now)
}
