//! What users are reached under: address and number, whether they are proved, and a change under way.

use rusqlite::{Connection, params};

use super::Result;
use super::accounts::{set, taken};
use crate::domain::account::{EmailAddress, EmailChangeSide};
use crate::domain::clock::Time;

/// The address is proved.
pub(crate) fn confirm_email(conn: &Connection, id: &str, now: Time) -> Result<()> {
    conn.prepare_cached(
        "UPDATE users SET email_confirmed_at = coalesce(email_confirmed_at, ?2), updated_at = ?2 WHERE id = ?1",
    )?
    .execute([id, &now.to_string()])?;
    Ok(())
}

/// The number is taken for right.
pub(crate) fn confirm_phone(conn: &Connection, id: &str, now: Time) -> Result<()> {
    set(conn, "phone_confirmed_at", id, Some(&now.to_string()), now)
}

/// Another address, proved or not; ends a change under way.
pub(crate) fn set_email(
    conn: &Connection,
    id: &str,
    email: &EmailAddress,
    confirmed: bool,
    now: Time,
) -> Result<()> {
    let at = now.to_string();
    conn.prepare_cached(
        "UPDATE users SET email = ?2, email_confirmed_at = ?3, new_email = NULL, email_change_confirmed = NULL, updated_at = ?4 WHERE id = ?1",
    )?
    .execute(params![id, email.as_str(), confirmed.then_some(&at), at])
    .map_err(taken)?;
    Ok(())
}

/// Another number.
pub(crate) fn set_phone(conn: &Connection, id: &str, phone: &str, now: Time) -> Result<()> {
    conn.prepare_cached(
        "UPDATE users SET phone = ?2, phone_confirmed_at = NULL, updated_at = ?3 WHERE id = ?1",
    )?
    .execute([id, phone, &now.to_string()])
    .map_err(taken)?;
    Ok(())
}

/// Begins a change of address.
pub(crate) fn begin_email_change(
    conn: &Connection,
    id: &str,
    new_email: &EmailAddress,
    now: Time,
) -> Result<()> {
    conn.prepare_cached(
        "UPDATE users SET new_email = ?2, email_change_confirmed = NULL, updated_at = ?3 WHERE id = ?1",
    )?
    .execute([id, new_email.as_str(), &now.to_string()])?;
    Ok(())
}

/// One side of a change of address is proved.
pub(crate) fn confirm_email_change_side(
    conn: &Connection,
    id: &str,
    side: EmailChangeSide,
    now: Time,
) -> Result<()> {
    set(conn, "email_change_confirmed", id, Some(side.as_str()), now)
}
