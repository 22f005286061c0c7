//! The columns of a user's row, and how they are read.

use rusqlite::{Connection, Row};

use super::{factors, identities};
use crate::Result;
use crate::database::row;
use domain::account::{EmailChangeSide, User};

pub(crate) const COLUMNS: &str = "id, email, phone, email_confirmed_at, \
    phone_confirmed_at, new_email, email_change_confirmed, app_metadata, user_metadata, \
    invited_at, confirmation_sent_at, recovery_sent_at, email_change_sent_at, \
    reauthentication_sent_at, last_sign_in_at, banned_until, deleted_at, created_at, updated_at, \
    admin_managed";

pub(crate) fn with_relations(conn: &Connection, mut user: User) -> Result<User> {
    user.identities = identities::of_user(conn, &user.id)?;
    user.factors = factors::of_user(conn, &user.id)?;
    Ok(user)
}

pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User {
        id: row.get("id")?,
        email: row.get("email")?,
        phone: row.get("phone")?,
        email_confirmed_at: row::optional_time(row, "email_confirmed_at")?,
        phone_confirmed_at: row::optional_time(row, "phone_confirmed_at")?,
        new_email: row.get("new_email")?,
        email_change_confirmed: row
            .get_ref("email_change_confirmed")?
            .as_str_or_null()?
            .and_then(EmailChangeSide::parse),
        app_metadata: row::json(row, "app_metadata")?,
        user_metadata: row::json(row, "user_metadata")?,
        invited_at: row::optional_time(row, "invited_at")?,
        confirmation_sent_at: row::optional_time(row, "confirmation_sent_at")?,
        recovery_sent_at: row::optional_time(row, "recovery_sent_at")?,
        email_change_sent_at: row::optional_time(row, "email_change_sent_at")?,
        reauthentication_sent_at: row::optional_time(row, "reauthentication_sent_at")?,
        last_sign_in_at: row::optional_time(row, "last_sign_in_at")?,
        banned_until: row::optional_time(row, "banned_until")?,
        deleted_at: row::optional_time(row, "deleted_at")?,
        created_at: row::time(row, "created_at")?,
        updated_at: row::time(row, "updated_at")?,
        admin_managed: row.get("admin_managed")?,
        identities: Vec::new(),
        factors: Vec::new(),
    })
}
