//! Roles: setting the role of a user, the operator's command that creates a user with a role, and
//! the last admin, who stays.

use serde_json::json;

use super::create_user_with_identity;
use super::pending;
use crate::Auth;
use crate::audit;
use crate::audit::Actor;
use crate::error::{AuthError, Result, reject};
use domain::account::{Role, User};
use domain::clock::Time;
use domain::email::email_address::EmailAddress;
use store::accounts::NewUser;
use store::accounts::{passwords, roles, user_addresses};
use store::inbox::changes;
use store::{Connection, accounts};

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
        let now = self.clock.now();
        let hash = if self.has_confirmed(email.clone()).await? {
            None
        } else {
            self.require_strength(password, Some(email.as_str()))
                .await?;
            Some(self.hasher.hash(password).await?)
        };
        self.write(move |conn| create(conn, email, hash, role, now))
            .await
    }

    /// Whether any user has the `admin` role.
    pub async fn has_admin(&self) -> Result<bool> {
        let now = self.clock.now();
        self.read(move |conn| Ok(roles::another_holds(conn, "", Role::Admin, now)?))
            .await
    }
}

fn create(
    conn: &Connection,
    email: EmailAddress,
    hash: Option<String>,
    role: Role,
    now: Time,
) -> Result<RoleCreation> {
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
                create_user_with_identity(conn, user, None, now)?,
                RoleCreation::Created,
            )
        }
    };
    if made == RoleCreation::Created {
        audit::record(
            conn,
            "user_created",
            Actor::Operator,
            Some(&user.id),
            &[],
            now,
        )?;
    }
    let former = set_role(conn, &user, Some(role), Actor::Operator, now)?;
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
    conn: &Connection,
    user: &User,
    role: Option<Role>,
    actor: Actor<'_>,
    now: Time,
) -> Result<Option<Role>> {
    if role != Some(Role::Admin) {
        ensure_another_admin(conn, &user.id, now)?;
    }
    if role.is_some() {
        pending::reset(conn, user, actor, now)?;
    }
    let former = roles::set(conn, &user.id, role, now)?;
    if former == role {
        return Ok(former);
    }
    for (action, role) in [("role_revoked", former), ("role_granted", role)] {
        if let Some(role) = role {
            let detail = [("role", json!(role.as_str()))];
            audit::record(conn, action, actor, Some(&user.id), &detail, now)?;
        }
    }
    if role.is_none() {
        changes::release_all(conn, &user.id, now)?;
    }
    Ok(former)
}

/// Returns `last_admin` if the user is the last admin who can act: that one cannot be deleted,
/// banned or demoted.
pub(crate) fn ensure_another_admin(conn: &Connection, user_id: &str, now: Time) -> Result<()> {
    if roles::of(conn, user_id)? == Some(Role::Admin)
        && !roles::another_holds(conn, user_id, Role::Admin, now)?
    {
        return reject(AuthError::LAST_ADMIN);
    }
    Ok(())
}
