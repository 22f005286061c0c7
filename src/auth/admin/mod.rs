//! Admins' operations on accounts. The HTTP layer checks the admin role on every call
//! (`Auth::require_admin`).

mod update;

use serde_json::json;

use super::accounts::ban::Ban;
use super::accounts::create_user_with_identity;
use super::accounts::metadata::{check_metadata, merge_metadata};
use super::accounts::role::{ensure_another_admin, set_role};
use super::accounts::signup::reload;
use super::audit::Actor;
use super::error::{AuthError, Result, reject};
use super::keys::hashing;
use super::{Auth, SignedInUser, Transaction};
use domain::account::{Metadata, Role, User};
use domain::email::email_address::EmailAddress;
use store::Connection;
use store::accounts::user_list::{self, UserPage, UserStart};
use store::accounts::{self, NewUser, passwords, roles};
use store::inbox::changes;

/// A change of a user's role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleChange {
    /// This role, instead of any other.
    To(Role),
    /// No role: no access to the dashboard.
    Revoke,
}

impl RoleChange {
    /// The new role.
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::To(role) => Some(role),
            Self::Revoke => None,
        }
    }
}

/// Fields of a user to create or change; absent fields stay unchanged.
#[derive(Clone, Debug, Default)]
pub struct UserParams {
    /// The id of a new account.
    pub id: Option<String>,
    pub email: Option<EmailAddress>,
    /// The phone number.
    pub phone: Option<String>,
    pub password: Option<String>,
    /// An argon2id hash to import instead of a password.
    pub password_hash: Option<String>,
    /// Marks the email address as confirmed.
    pub email_confirm: bool,
    /// Marks the phone number as confirmed.
    pub phone_confirm: bool,
    /// Metadata that the user may change.
    pub user_metadata: Option<Metadata>,
    /// Metadata that only admins may change.
    pub app_metadata: Option<Metadata>,
    /// A ban to set or lift.
    pub ban: Option<Ban>,
    /// The role to set.
    pub role: Option<RoleChange>,
}

impl UserParams {
    /// Whether the change makes others trust the account more. A pending account must be reset
    /// first.
    const fn confers_trust(&self) -> bool {
        self.email_confirm
            || self.email.is_some()
            || self.password.is_some()
            || self.password_hash.is_some()
            || self.app_metadata.is_some()
            || matches!(self.role, Some(RoleChange::To(_)))
    }
}

/// A user with the names of their roles.
pub struct UserWithRoles {
    pub user: User,
    pub roles: Vec<String>,
}

impl Auth {
    /// Returns a page of users, newest first.
    pub async fn list_users_page(
        &self,
        start: UserStart,
        per_page: u32,
    ) -> Result<UserPage<UserWithRoles>> {
        self.read(move |conn| {
            let UserPage { users, next, total } = user_list::page(conn, &start, per_page)?;
            let users = users
                .into_iter()
                .map(|user| {
                    let roles = roles::of_user(conn, &user.id)?;
                    Ok(UserWithRoles { user, roles })
                })
                .collect::<Result<_>>()?;
            Ok(UserPage { users, next, total })
        })
        .await
    }

    /// The newest users, up to `limit`.
    pub async fn list_users(&self, limit: u32) -> Result<Vec<UserWithRoles>> {
        Ok(self.list_users_page(UserStart::Page(1), limit).await?.users)
    }

    /// The user with this id. Errors: `user_not_found`.
    pub async fn user(&self, id: String) -> Result<User> {
        self.read(move |conn| user_by_id(conn, &id)).await
    }

    /// Creates a user without sending an email. Errors: `email_exists`, `phone_exists`,
    /// `weak_password`, `validation_failed`.
    pub async fn create_user(&self, admin: SignedInUser, params: UserParams) -> Result<User> {
        if params.email.is_none() && params.phone.is_none() {
            return reject(AuthError::validation(
                "Cannot create a user without either an email or phone",
            ));
        }
        check_metadata_sizes(&params)?;
        let hash = self.hash_of(&params, params.email.as_ref()).await?;
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            let actor = Actor::User(&admin.user.id);
            let user = NewUser {
                id: params.id.unwrap_or_default(),
                email: params.email,
                phone: params.phone,
                password_hash: None,
                email_confirmed: params.email_confirm,
                phone_confirmed: params.phone_confirm,
                app_metadata: merge_metadata(
                    Metadata::new(),
                    params.app_metadata.unwrap_or_default(),
                ),
                user_metadata: merge_metadata(
                    Metadata::new(),
                    params.user_metadata.unwrap_or_default(),
                ),
                admin_managed: true,
            };
            let user = create_user_with_identity(tx, user, None)?;
            tx.record("user_created", actor, Some(&user.id), &[])?;
            if let Some(ban) = params.ban {
                ban.set(tx, actor, &user.id)?;
            }
            if let Some(RoleChange::To(role)) = params.role {
                set_role(tx, &user, Some(role), actor)?;
            }
            // Must come last: granting the role removes the password of an unconfirmed account.
            if let Some(hash) = hash {
                passwords::set_password_hash(conn, &user.id, &hash, now)?;
            }
            reload(conn, &user)
        })
        .await
    }

    /// Deletes a user. With `soft`, the row stays and is anonymized. Errors: `user_not_found`;
    /// `validation_failed` for the admin's own account; `last_admin`.
    pub async fn delete_user(&self, admin: SignedInUser, id: String, soft: bool) -> Result<()> {
        if admin.user.id == id {
            return reject(AuthError::OWN_ACCOUNT);
        }
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            user_by_id(conn, &id)?;
            ensure_another_admin(tx, &id)?;
            changes::release_all(conn, &id, now)?;
            if soft {
                accounts::anonymize(conn, &id, now)?;
            } else {
                accounts::delete(conn, &id)?;
            }
            let (actor, detail) = (Actor::User(&admin.user.id), [("softly", json!(soft))]);
            tx.record("user_deleted", actor, Some(&id), &detail)
        })
        .await
    }

    async fn hash_of(
        &self,
        params: &UserParams,
        email: Option<&EmailAddress>,
    ) -> Result<Option<String>> {
        match (&params.password, &params.password_hash) {
            (Some(_), Some(_)) => reject(AuthError::validation(
                "Only a password or a password hash should be provided",
            )),
            (None, Some(hash)) if !hashing::is_acceptable_hash(hash) => reject(
                AuthError::validation("password_hash is not an argon2id hash of bearable cost"),
            ),
            (None, hash) => Ok(hash.clone()),
            (Some(password), None) => {
                let email = email.map(EmailAddress::as_str);
                self.require_strength(password, email).await?;
                self.hasher.hash(password).await.map(Some)
            }
        }
    }
}

pub(super) fn user_by_id(conn: &Connection, id: &str) -> Result<User> {
    match accounts::by_id(conn, id)? {
        Some(user) => Ok(user),
        None => reject(AuthError::USER_NOT_FOUND),
    }
}

fn check_metadata_sizes(params: &UserParams) -> Result<()> {
    for metadata in [&params.user_metadata, &params.app_metadata]
        .into_iter()
        .flatten()
    {
        check_metadata(metadata)?;
    }
    Ok(())
}
