//! The `admin` role: who has it, granting and revoking it, and the operator's command that makes an
//! admin.

use serde_json::json;

use super::create_user_with_identity;
use super::pending;
use crate::auth::Auth;
use crate::auth::audit;
use crate::auth::audit::Actor;
use crate::auth::error::{AuthError, Kind, Result, reject};
use crate::domain::account::{Role, User};
use crate::domain::clock::Time;
use crate::domain::email_address::EmailAddress;
use crate::store::accounts::NewUser;
use crate::store::accounts::{passwords, roles, user_addresses};
use crate::store::inbox::changes;
use crate::store::{Connection, accounts};

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

impl Auth {
    /// Makes a user an admin and creates the user if it does not exist. Only the command line calls
    /// this. The password is used for a new account and for a pending one, because anyone may have
    /// signed up with that address. A confirmed account keeps its own password. Errors:
    /// `weak_password` where the password is used.
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

    /// Whether any user has the `admin` role.
    pub async fn has_admin(&self) -> Result<bool> {
        let now = self.clock.now();
        self.read(move |conn| Ok(roles::another_holds(conn, "", Role::Admin, now)?))
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
pub(in crate::auth) fn grant_admin(
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

/// Revokes the `admin` role with its audit row. Errors: `last_admin` if no other user could act as
/// an admin.
pub(in crate::auth) fn revoke_admin(
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
        changes::release_all(conn, user_id, now)?;
    }
    Ok(had)
}

/// Returns `last_admin` if the user is the last admin who can act: that one cannot be deleted,
/// banned or demoted.
pub(in crate::auth) fn ensure_another_admin(
    conn: &Connection,
    user_id: &str,
    now: Time,
) -> Result<()> {
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
