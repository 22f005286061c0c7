//! The columns of a user's row, and how they are read.

use rusqlite::{Connection, Row};

use super::{factors, identities};
use crate::Result;
use crate::database::row::read_row;
use domain::account::User;

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
    read_row!(row => User {
        id, email, phone, email_confirmed_at, phone_confirmed_at, new_email, app_metadata,
        user_metadata, invited_at, confirmation_sent_at, recovery_sent_at, email_change_sent_at,
        reauthentication_sent_at, last_sign_in_at, banned_until, deleted_at, created_at, updated_at,
        admin_managed, email_change_confirmed;
        identities: Vec::new(),
        factors: Vec::new(),
    })
}
