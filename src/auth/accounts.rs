//! Creates accounts with their first identity, and implements the operator's account commands.

use serde_json::json;

use super::audit::{self, Actor};
use super::error::{AuthError, Kind, Result, reject};
use super::{Auth, pending};
use crate::domain::account::{EmailAddress, Role, User};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::store::accounts::{NewUser, UserStart};
use crate::store::identities::NewIdentity;
use crate::store::{
    self, Connection, accounts, identities, passwords, request_changes, roles, sessions,
    user_addresses,
};

/// Result of `create_admin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdminCreation {
    /// The user did not exist and was created with the password.
    Created,
    /// The user existed and got the role. Its password is unchanged.
    Granted,
    /// The user existed with an unconfirmed address. It was confirmed and got the role and the
    /// password.
    Confirmed,
    /// The user was already an admin. Nothing changed.
    Already,
}

/// Inserts a user and its first identity. Without an `identity`, the user gets the `email` identity
/// of its own address, if it has one.
///
/// # Errors
/// `email_exists`, `phone_exists`; store errors.
pub fn create_user_with_identity(
    conn: &Connection,
    user: NewUser,
    identity: Option<NewIdentity>,
    now: Time,
) -> Result<User> {
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
        store::Error::Conflict(column) if column == "phone" => AuthError::new(
            Kind::Unprocessable,
            "phone_exists",
            "A user with this phone number has already been registered",
        )
        .into(),
        store::Error::Conflict(column) if column == "email" => AuthError::new(
            Kind::Unprocessable,
            "email_exists",
            "A user with this email address has already been registered",
        )
        .into(),
        store::Error::Conflict(_) => {
            AuthError::validation("A user with this id exists already").into()
        }
        error => error.into(),
    }
}

impl Auth {
    /// Makes a user an admin and creates the user if it does not exist. Only the command line calls
    /// this. The password is used for a new account and for a pending one, because anyone may have
    /// signed up with that address. A confirmed account keeps its own password.
    ///
    /// # Errors
    /// `weak_password` where the password is used; store errors.
    pub async fn create_admin(&self, email: EmailAddress, password: &str) -> Result<AdminCreation> {
        let now = self.clock.now();
        let hash = if self.has_confirmed(email.clone()).await? {
            None
        } else {
            self.require_strength(password, Some(email.as_str()))
                .await?;
            Some(self.hasher.hash(password).await?)
        };
        self.write(move |conn| make_admin(conn, email, hash, now))
            .await
    }

    /// Whether a user with this confirmed address exists.
    ///
    /// # Errors
    /// Store errors.
    pub async fn has_confirmed(&self, email: EmailAddress) -> Result<bool> {
        self.read(move |conn| {
            Ok(accounts::by_email(conn, &email)?.is_some_and(|user| !user.is_pending()))
        })
        .await
    }

    /// Whether any user has the `admin` role.
    ///
    /// # Errors
    /// Store errors.
    pub async fn has_admin(&self) -> Result<bool> {
        let now = self.clock.now();
        self.read(move |conn| Ok(roles::another_holds(conn, "", Role::Admin, now)?))
            .await
    }

    /// Ends all sessions of a user and returns their number.
    ///
    /// # Errors
    /// `user_not_found`; store errors.
    pub async fn revoke_sessions(&self, email: EmailAddress) -> Result<usize> {
        let now = self.clock.now();
        self.write(move |conn| {
            let user = user_by_email(conn, &email)?;
            let ended = sessions::end_all(conn, &user.id)?;
            let detail = [("sessions", json!(ended))];
            audit::record(
                conn,
                "sessions_revoked",
                Actor::Operator,
                Some(&user.id),
                &detail,
                now,
            )?;
            Ok(ended)
        })
        .await
    }

    /// Lists users with their roles, newest first.
    ///
    /// # Errors
    /// Store errors.
    pub async fn list_users(&self, limit: u32) -> Result<Vec<(User, Vec<String>)>> {
        self.read(move |conn| {
            let users = accounts::page(conn, &UserStart::Page(1), limit)?.users;
            users
                .into_iter()
                .map(|user| Ok((roles::of_user(conn, &user.id)?, user)))
                .map(|pair: Result<_>| pair.map(|(roles, user)| (user, roles)))
                .collect()
        })
        .await
    }
}

fn make_admin(
    conn: &Connection,
    email: EmailAddress,
    hash: Option<String>,
    now: Time,
) -> Result<AdminCreation> {
    let (user, made) = match accounts::by_email(conn, &email)? {
        Some(user) if user.is_pending() => (user, AdminCreation::Confirmed),
        Some(user) => (user, AdminCreation::Granted),
        None => {
            let user = NewUser {
                email: Some(email),
                email_confirmed: true,
                ..NewUser::default()
            };
            (
                create_user_with_identity(conn, user, None, now)?,
                AdminCreation::Created,
            )
        }
    };
    if made == AdminCreation::Created {
        audit::record(
            conn,
            "user_created",
            Actor::Operator,
            Some(&user.id),
            &[],
            now,
        )?;
    }
    let is_new = grant_admin(conn, &user, Actor::Operator, now)?;
    if made == AdminCreation::Granted {
        return Ok(if is_new { made } else { AdminCreation::Already });
    }
    if let Some(hash) = hash {
        passwords::set_password_hash(conn, &user.id, &hash, now)?;
    }
    // An operator with shell access may confirm the address.
    user_addresses::confirm_email(conn, &user.id, now)?;
    Ok(made)
}

/// Grants the `admin` role with its audit row. Returns whether the user did not have it before. A
/// pending account is reset first.
pub(super) fn grant_admin(
    conn: &Connection,
    user: &User,
    actor: Actor<'_>,
    now: Time,
) -> Result<bool> {
    pending::reset(conn, user, actor, now)?;
    let new = roles::grant(conn, &user.id, Role::Admin, now)?;
    if new {
        let detail = [("role", json!(Role::Admin.as_str()))];
        audit::record(conn, "role_granted", actor, Some(&user.id), &detail, now)?;
    }
    Ok(new)
}

/// Revokes the `admin` role with its audit row.
///
/// # Errors
/// `last_admin` if no other user could act as an admin.
pub(super) fn revoke_admin(
    conn: &Connection,
    user_id: &str,
    actor: Actor<'_>,
    now: Time,
) -> Result<bool> {
    ensure_another_admin(conn, user_id, now)?;
    let had = roles::revoke(conn, user_id, Role::Admin)?;
    if had {
        let detail = [("role", json!(Role::Admin.as_str()))];
        audit::record(conn, "role_revoked", actor, Some(user_id), &detail, now)?;
        request_changes::release_all(conn, user_id, now)?;
    }
    Ok(had)
}

/// Returns `last_admin` if the user is the last admin who can act: that one cannot be deleted,
/// banned or demoted.
pub(super) fn ensure_another_admin(conn: &Connection, user_id: &str, now: Time) -> Result<()> {
    if roles::has(conn, user_id, Role::Admin)?
        && !roles::another_holds(conn, user_id, Role::Admin, now)?
    {
        return reject(AuthError::new(
            Kind::Unprocessable,
            "last_admin",
            "This is the last admin: make another one first",
        ));
    }
    Ok(())
}

/// The user with this address. For operators and admins only: the result reveals whether the
/// address is registered.
pub(super) fn user_by_email(conn: &Connection, email: &EmailAddress) -> Result<User> {
    match accounts::by_email(conn, email)? {
        Some(user) => Ok(user),
        None => reject(AuthError::user_not_found()),
    }
}
