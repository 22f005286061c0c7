//! Roles: setting the role of a user, the operator's commands that create a user with a role and
//! that end the account of one who leaves, and the last admin, who stays.

use serde_json::json;

use super::ban::Ban;
use super::{create_user_with_identity, pending, user_by_email};
use crate::audit::Actor;
use crate::error::{AuthError, Result, reject};
use crate::{Auth, Transaction};
use domain::account::{Role, User};
use domain::email::email_address::EmailAddress;
use store::accounts::{self, NewUser, passwords, roles, user_addresses};
use store::inbox::changes;

/// Result of `create_with_role`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleCreation {
    /// The user did not exist and was created with the password.
    Created,
    /// The user existed and got the role. Its password is unchanged.
    Granted,
    /// The user existed with an unconfirmed address. It was confirmed and got the role and the
    /// password.
    Confirmed,
    /// The user had the role already. Nothing changed.
    Already,
}

impl Auth {
    /// Gives a user a role and creates the user if it does not exist. Only the command line calls
    /// this. The password is used for a new account and for a pending one, because anyone may have
    /// signed up with that address. A confirmed account keeps its own password. Errors:
    /// `weak_password` where the password is used; `last_admin`.
    pub async fn create_with_role(
        &self,
        email: EmailAddress,
        password: &str,
        role: Role,
    ) -> Result<RoleCreation> {
        let hash = if self.has_confirmed(email.clone()).await? {
            None
        } else {
            self.require_strength(password, Some(email.as_str()))
                .await?;
            Some(self.hasher.hash(password).await?)
        };
        self.change(move |tx| create(tx, email, hash, role)).await
    }

    /// Whether any user has the `admin` role.
    pub async fn has_admin(&self) -> Result<bool> {
        let now = self.clock.now();
        self.read(move |conn| Ok(roles::another_holds(conn, "", Role::Admin, now)?))
            .await
    }

    /// Sets the role of a user. Without one, their requests are released. Returns the former role.
    /// Errors: `user_not_found`; `last_admin`.
    pub async fn set_role(&self, email: EmailAddress, role: Option<Role>) -> Result<Option<Role>> {
        self.change(move |tx| {
            let user = user_by_email(tx.conn, &email)?;
            set_role(tx, &user, role, Actor::Operator)
        })
        .await
    }

    /// Blocks a user from signing in and from using open sessions, or lifts that. Errors:
    /// `user_not_found`; `last_admin`.
    pub async fn suspend_user(&self, email: EmailAddress, ban: Ban) -> Result<()> {
        self.change(move |tx| {
            let user = user_by_email(tx.conn, &email)?;
            if ban.is_effective() {
                ensure_another_admin(tx, &user.id)?;
            }
            ban.set(tx, Actor::Operator, &user.id)
        })
        .await
    }

    /// Deletes a user with all sessions and factors, and releases their requests. Errors:
    /// `user_not_found`; `last_admin`.
    pub async fn remove_user(&self, email: EmailAddress) -> Result<()> {
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            let user = user_by_email(conn, &email)?;
            ensure_another_admin(tx, &user.id)?;
            changes::release_all(conn, &user.id, now)?;
            accounts::delete(conn, &user.id)?;
            let operator = Actor::Operator;
            tx.record("user_deleted", operator, Some(&user.id), &[])
        })
        .await
    }
}

fn create(
    tx: &Transaction<'_>,
    email: EmailAddress,
    hash: Option<String>,
    role: Role,
) -> Result<RoleCreation> {
    let Transaction { conn, now, .. } = *tx;
    let (user, made) = match accounts::by_email(conn, &email)? {
        Some(user) if user.is_pending() => (user, RoleCreation::Confirmed),
        Some(user) => (user, RoleCreation::Granted),
        None => {
            let user = NewUser {
                email: Some(email),
                email_confirmed: true,
                ..NewUser::default()
            };
            (
                create_user_with_identity(tx, user, None)?,
                RoleCreation::Created,
            )
        }
    };
    if made == RoleCreation::Created {
        tx.record("user_created", Actor::Operator, Some(&user.id), &[])?;
    }
    let former = set_role(tx, &user, Some(role), Actor::Operator)?;
    if made == RoleCreation::Granted {
        return Ok(if former == Some(role) {
            RoleCreation::Already
        } else {
            made
        });
    }
    if let Some(hash) = hash {
        passwords::set_password_hash(conn, &user.id, &hash, now)?;
    }
    // An operator with shell access may confirm the address.
    user_addresses::confirm_email(conn, &user.id, now)?;
    Ok(made)
}

/// Sets the only role of a user, or none, with audit rows. Returns the former one. A pending
/// account is reset before it gets a role; a user who has none any longer loses their requests.
/// Errors: `last_admin` if no other user could act as an admin.
pub(crate) fn set_role(
    tx: &Transaction<'_>,
    user: &User,
    role: Option<Role>,
    actor: Actor<'_>,
) -> Result<Option<Role>> {
    let Transaction { conn, now, .. } = *tx;
    if role != Some(Role::Admin) {
        ensure_another_admin(tx, &user.id)?;
    }
    if role.is_some() {
        pending::reset(tx, user, actor)?;
    }
    let former = roles::set(conn, &user.id, role, now)?;
    if former == role {
        return Ok(former);
    }
    for (action, role) in [("role_revoked", former), ("role_granted", role)] {
        if let Some(role) = role {
            let detail = [("role", json!(role.as_str()))];
            tx.record(action, actor, Some(&user.id), &detail)?;
        }
    }
    if role.is_none() {
        changes::release_all(conn, &user.id, now)?;
    }
    Ok(former)
}

/// Returns `last_admin` if the user is the last admin who can act: that one cannot be deleted,
/// banned or demoted.
pub(crate) fn ensure_another_admin(tx: &Transaction<'_>, user_id: &str) -> Result<()> {
    let Transaction { conn, now, .. } = *tx;
    if roles::of(conn, user_id)? == Some(Role::Admin)
        && !roles::another_holds(conn, user_id, Role::Admin, now)?
    {
        return reject(AuthError::LAST_ADMIN);
    }
    Ok(())
}
