//! Users' rows. Who may change what is decided in `auth`; here the changes are written. Their passwords and addresses have files of their own.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Error, Result, factors, identities, row};
use crate::domain::account::{EmailAddress, EmailChangeSide, Metadata, User};
use crate::domain::clock::Time;

/// A row before it is written.
#[derive(Clone, Debug, Default)]
pub struct NewUser {
    /// The id; made by the caller.
    pub id: String,
    /// The address.
    pub email: Option<EmailAddress>,
    /// The phone number.
    pub phone: Option<String>,
    /// The PHC string of the password's hash.
    pub password_hash: Option<String>,
    /// Whether the address is proved.
    pub email_confirmed: bool,
    /// Whether the number is taken for right.
    pub phone_confirmed: bool,
    /// Set by admins only.
    pub app_metadata: Metadata,
    /// Set by the user.
    pub user_metadata: Metadata,
    /// Made by an admin.
    pub admin_managed: bool,
}

/// Which `…_sent_at` is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// Sign-up and invitation.
    Confirmation,
    /// Recovery and magic link.
    Recovery,
    /// Change of address.
    EmailChange,
    /// Reauthentication.
    Reauthentication,
}

const COLUMNS: &str = "id, email, phone, email_confirmed_at, phone_confirmed_at, new_email, email_change_confirmed, app_metadata, user_metadata, \
    invited_at, confirmation_sent_at, recovery_sent_at, email_change_sent_at, reauthentication_sent_at, last_sign_in_at, banned_until, deleted_at, \
    created_at, updated_at, admin_managed";

/// Writes a new user. The address and the number are unique: `Conflict` names the one that is taken.
pub(crate) fn insert(conn: &Connection, user: &NewUser, now: Time) -> Result<()> {
    let at = now.to_string();
    conn.prepare_cached(
        "INSERT INTO users (id, email, phone, password_hash, email_confirmed_at, phone_confirmed_at, app_metadata, user_metadata, created_at, updated_at, admin_managed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10)",
    )?
    .execute(params![
        user.id,
        user.email.as_ref().map(EmailAddress::as_str),
        user.phone,
        user.password_hash,
        user.email_confirmed.then_some(&at),
        user.phone_confirmed.then_some(&at),
        row::text(&user.app_metadata)?,
        row::text(&user.user_metadata)?,
        at,
        user.admin_managed
    ])
    .map_err(taken)?;
    Ok(())
}

/// A broken UNIQUE is an answer, not a failure.
pub(super) fn taken(error: rusqlite::Error) -> Error {
    let text = error.to_string();
    for column in ["users.email", "users.phone", "users.id"] {
        if text.contains(&format!("UNIQUE constraint failed: {column}")) {
            return Error::Conflict(column.trim_start_matches("users.").to_owned());
        }
    }
    error.into()
}

/// The user with this id.
pub(crate) fn by_id(conn: &Connection, id: &str) -> Result<Option<User>> {
    one(conn, "id = ?1", id)
}

/// The user with this address.
pub(crate) fn by_email(conn: &Connection, email: &EmailAddress) -> Result<Option<User>> {
    one(conn, "email = ?1", email.as_str())
}

/// The user with this address. Where there is none another user is read in its place and dropped, so that both take as long.
pub(crate) fn by_email_or_decoy(conn: &Connection, email: &EmailAddress) -> Result<Option<User>> {
    let user = by_email(conn, email)?;
    if user.is_none() {
        let first = conn
            .prepare_cached(&format!("SELECT {COLUMNS} FROM users ORDER BY id LIMIT 1"))?
            .query_row([], read)
            .optional()?;
        first.map(|user| whole(conn, user)).transpose()?;
    }
    Ok(user)
}

/// The user with this phone number.
pub(crate) fn by_phone(conn: &Connection, phone: &str) -> Result<Option<User>> {
    one(conn, "phone = ?1", phone)
}

fn one(conn: &Connection, condition: &str, key: &str) -> Result<Option<User>> {
    let user = conn
        .prepare_cached(&format!("SELECT {COLUMNS} FROM users WHERE {condition}"))?
        .query_row([key], read)
        .optional()?;
    user.map(|user| whole(conn, user)).transpose()
}

/// Where a page of the list of users begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserStart {
    /// The page with this number, from 1.
    Page(u32),
    /// Right after the user made at this moment with this id: users who join meanwhile move nothing.
    After(Time, String),
}

/// A page of the list of users, the newest first.
#[derive(Clone, Debug)]
pub struct UserPage<U = User> {
    /// The users of the page.
    pub users: Vec<U>,
    /// Where the next page begins; none at the end.
    pub next: Option<UserStart>,
    /// How many users there are in all.
    pub total: i64,
}

/// One page of users.
pub(crate) fn page(conn: &Connection, start: &UserStart, per_page: u32) -> Result<UserPage> {
    let total = conn.query_row("SELECT count(*) FROM users", [], |row| row.get(0))?;
    // A page by number skips users from the newest one, which stands before this text.
    let (at, id, skipped) = match start {
        UserStart::Page(page) => ("~".to_owned(), "", page.saturating_sub(1)),
        UserStart::After(at, id) => (at.to_string(), id.as_str(), 0),
    };
    let offset = i64::from(skipped) * i64::from(per_page);
    let mut users = conn
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM users WHERE (created_at, id) < (?1, ?2)
             ORDER BY created_at DESC, id DESC LIMIT ?3 OFFSET ?4"
        ))?
        .query_map(params![at, id, i64::from(per_page) + 1, offset], read)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let more = users.len() > per_page as usize;
    users.truncate(per_page as usize);
    let last = users.last().filter(|_| more);
    let next = last.map(|user| UserStart::After(user.created_at, user.id.clone()));
    let users = users
        .into_iter()
        .map(|user| whole(conn, user))
        .collect::<Result<_>>()?;
    Ok(UserPage { users, next, total })
}

fn whole(conn: &Connection, mut user: User) -> Result<User> {
    user.identities = identities::of_user(conn, &user.id)?;
    user.factors = factors::of_user(conn, &user.id)?;
    Ok(user)
}

fn read(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User {
        id: row.get("id")?,
        email: row.get("email")?,
        phone: row.get("phone")?,
        email_confirmed_at: row::optional_time(row, "email_confirmed_at")?,
        phone_confirmed_at: row::optional_time(row, "phone_confirmed_at")?,
        new_email: row.get("new_email")?,
        email_change_confirmed: match row
            .get::<_, Option<String>>("email_change_confirmed")?
            .as_deref()
        {
            Some("current") => Some(EmailChangeSide::Current),
            Some(_) => Some(EmailChangeSide::New),
            None => None,
        },
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

/// What the user says of itself.
pub(crate) fn set_user_metadata(
    conn: &Connection,
    id: &str,
    facts: &Metadata,
    now: Time,
) -> Result<()> {
    set(conn, "user_metadata", id, Some(&row::text(facts)?), now)
}

/// What admins say of the user.
pub(crate) fn set_app_metadata(
    conn: &Connection,
    id: &str,
    facts: &Metadata,
    now: Time,
) -> Result<()> {
    set(conn, "app_metadata", id, Some(&row::text(facts)?), now)
}

/// An admin has made the account their own business: sign-ups for it carry no password.
pub(crate) fn mark_admin_managed(conn: &Connection, id: &str, now: Time) -> Result<()> {
    conn.prepare_cached("UPDATE users SET admin_managed = 1, updated_at = ?2 WHERE id = ?1")?
        .execute([id, &now.to_string()])?;
    Ok(())
}

/// An invitation was made.
pub(crate) fn mark_invited(conn: &Connection, id: &str, now: Time) -> Result<()> {
    set(conn, "invited_at", id, Some(&now.to_string()), now)
}

/// The user has signed in.
pub(crate) fn mark_signed_in(conn: &Connection, id: &str, now: Time) -> Result<()> {
    set(conn, "last_sign_in_at", id, Some(&now.to_string()), now)
}

/// A letter is on its way.
pub(crate) fn mark_sent(conn: &Connection, id: &str, what: Sent, now: Time) -> Result<()> {
    let column = match what {
        Sent::Confirmation => "confirmation_sent_at",
        Sent::Recovery => "recovery_sent_at",
        Sent::EmailChange => "email_change_sent_at",
        Sent::Reauthentication => "reauthentication_sent_at",
    };
    set(conn, column, id, Some(&now.to_string()), now)
}

/// No entry before `until`; `None` lifts it.
pub(crate) fn set_ban(conn: &Connection, id: &str, until: Option<Time>, now: Time) -> Result<()> {
    let until = until.map(|until| until.to_string());
    set(conn, "banned_until", id, until.as_deref(), now)
}

/// Puts a value, or none, into one column.
pub(super) fn set(
    conn: &Connection,
    column: &str,
    id: &str,
    value: Option<&str>,
    now: Time,
) -> Result<()> {
    conn.prepare_cached(&format!(
        "UPDATE users SET {column} = ?2, updated_at = ?3 WHERE id = ?1"
    ))?
    .execute(params![id, value, now.to_string()])?;
    Ok(())
}

/// Deletes the user and all that hangs on it.
pub(crate) fn delete(conn: &Connection, id: &str) -> Result<()> {
    conn.prepare_cached("DELETE FROM users WHERE id = ?1")?
        .execute([id])?;
    Ok(())
}

/// Keeps the row as a shell: no address, no password, no facts.
pub(crate) fn anonymize(conn: &Connection, id: &str, now: Time) -> Result<()> {
    conn.prepare_cached(
        "UPDATE users SET email = NULL, phone = NULL, password_hash = NULL, email_confirmed_at = NULL, phone_confirmed_at = NULL, new_email = NULL,
           email_change_confirmed = NULL, app_metadata = '{}', user_metadata = '{}', deleted_at = ?2, updated_at = ?2 WHERE id = ?1",
    )?
    .execute([id, &now.to_string()])?;
    for table in [
        "identities",
        "sessions",
        "one_time_tokens",
        "flows",
        "factors",
        "recovery_codes",
        "known_clients",
        "user_roles",
    ] {
        conn.execute(&format!("DELETE FROM {table} WHERE user_id = ?1"), [id])?;
    }
    Ok(())
}
