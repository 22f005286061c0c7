//! Creates accounts with their first identity, and finds, lists and signs out users for the
//! operator's account commands.

pub mod ban;
pub mod invitations;
pub(super) mod metadata;
pub(super) mod password_change;
pub(super) mod pending;
pub mod role;
pub mod signup;
pub mod user;

use serde_json::json;

use super::audit::Actor;
use super::error::{AuthError, Result, reject};
use super::{Auth, Transaction};
use domain::account::User;
use domain::email::email_address::EmailAddress;
use domain::ids;
use store::Connection;
use store::accounts::identities::{self, NewIdentity};
use store::accounts::{self, NewUser, sessions};

/// Inserts a user and its first identity. Without an `identity`, the user gets the `email` identity
/// of its own address, if it has one. Errors: `email_exists`, `phone_exists`.
pub fn create_user_with_identity(
    tx: &Transaction<'_>,
    user: NewUser,
    identity: Option<NewIdentity>,
) -> Result<User> {
    let Transaction { conn, now, .. } = *tx;
    let user = NewUser {
        id: if user.id.is_empty() {
            ids::new(now).to_string()
        } else {
            user.id
        },
        ..user
    };
    accounts::insert(conn, &user, now).map_err(map_conflict)?;
    let own = user
        .email
        .as_ref()
        .map(|email| email_identity(&user.id, email, user.email_confirmed));
    if let Some(identity) = identity.or(own) {
        identities::insert(conn, &user.id, &identity, now)?;
    }
    Ok(accounts::by_id(conn, &user.id)?.ok_or(store::Error::Missing)?)
}

/// The `email` identity of a user.
pub fn email_identity(user_id: &str, email: &EmailAddress, verified: bool) -> NewIdentity {
    let metadata = json!({
        "sub": user_id,
        "email": email.as_str(),
        "email_verified": verified,
        "phone_verified": false,
    });
    NewIdentity {
        provider: "email".to_owned(),
        subject: user_id.to_owned(),
        data: metadata.as_object().cloned().unwrap_or_default(),
        email: Some(email.as_str().to_owned()),
    }
}

/// Maps a uniqueness conflict to the error code of the auth API.
pub(super) fn map_conflict(error: store::Error) -> super::Error {
    match error {
        store::Error::Conflict(column) if column == "phone" => AuthError::PHONE_EXISTS.into(),
        store::Error::Conflict(column) if column == "email" => AuthError::EMAIL_EXISTS.into(),
        store::Error::Conflict(_) => {
            AuthError::validation("A user with this id exists already").into()
        }
        error => error.into(),
    }
}

impl Auth {
    /// Whether a user with this confirmed address exists.
    pub async fn has_confirmed(&self, email: EmailAddress) -> Result<bool> {
        self.read(move |conn| {
            Ok(accounts::by_email(conn, &email)?.is_some_and(|user| !user.is_pending()))
        })
        .await
    }

    /// Ends all sessions of a user and returns their number. Errors: `user_not_found`.
    pub async fn revoke_sessions(&self, email: EmailAddress) -> Result<usize> {
        self.change(move |tx| {
            let conn = tx.conn;
            let user = user_by_email(conn, &email)?;
            let ended = sessions::end_all(conn, &user.id)?;
            let (operator, detail) = (Actor::Operator, [("sessions", json!(ended))]);
            tx.record("sessions_revoked", operator, Some(&user.id), &detail)?;
            Ok(ended)
        })
        .await
    }
}

/// The user with this address. For operators and admins only: the result reveals whether the
/// address is registered.
pub(super) fn user_by_email(conn: &Connection, email: &EmailAddress) -> Result<User> {
    match accounts::by_email(conn, email)? {
        Some(user) => Ok(user),
        None => reject(AuthError::USER_NOT_FOUND),
    }
}
