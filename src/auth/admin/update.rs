//! Changes of an account by an admin.

use super::{RoleChange, UserParams, check_metadata_sizes, user_by_id};
use crate::accounts::ban::Ban;
use crate::accounts::metadata::merge_metadata;
use crate::accounts::role::{ensure_another_admin, set_role};
use crate::accounts::signup::reload;
use crate::accounts::{map_conflict, pending};
use crate::audit::Actor;
use crate::error::{AuthError, Result, reject};
use crate::{Auth, SignedInUser, Transaction};
use domain::account::{Role, User};
use domain::email::email_address::EmailAddress;
use store::Connection;
use store::accounts::{self, one_time_tokens, passwords, sessions, user_addresses};

impl Auth {
    /// Changes a user. A new password ends all sessions of the user. A pending account that gets a
    /// role, a password, another address, app metadata or a confirmation is reset first, because
    /// anyone may have signed up with its address. Errors: `user_not_found`, `email_exists`,
    /// `phone_exists`, `weak_password`, `validation_failed`; `last_admin` if no admin would be
    /// left.
    pub async fn update_user_as_admin(
        &self,
        admin: SignedInUser,
        id: String,
        params: UserParams,
    ) -> Result<User> {
        let bans = params.ban.is_some_and(Ban::is_effective);
        if bans && admin.user.id == id {
            return reject(AuthError::OWN_ACCOUNT);
        }
        check_metadata_sizes(&params)?;
        let user = self.user(id.clone()).await?;
        let own: Option<EmailAddress> = user.email.as_ref().and_then(|email| email.parse().ok());
        let hash = self
            .hash_of(&params, params.email.as_ref().or(own.as_ref()))
            .await?;
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            let actor = Actor::User(&admin.user.id);
            let user = user_by_id(conn, &id)?;
            let role = params.role.map(RoleChange::role);
            if bans || role.is_some_and(|role| role != Some(Role::Admin)) {
                ensure_another_admin(tx, &id)?;
            }
            check_free(conn, &user, &params)?;
            // No check may fail after this line.
            if params.confers_trust() {
                pending::reset(tx, &user, actor)?;
            }
            if let Some(role) = role {
                set_role(tx, &user, role, actor)?;
            }
            tx.change_addresses(&user, &params)?;
            if let Some(hash) = hash {
                passwords::set_password_hash(conn, &id, &hash, now)?;
                sessions::end_all(conn, &id)?;
                one_time_tokens::delete_all(conn, &id)?;
                tx.record("password_changed", actor, Some(&id), &[])?;
            }
            if let Some(metadata) = params.user_metadata {
                let metadata = merge_metadata(user.user_metadata.clone(), metadata);
                accounts::set_user_metadata(conn, &id, &metadata, now)?;
            }
            if let Some(metadata) = params.app_metadata {
                let metadata = merge_metadata(user.app_metadata.clone(), metadata);
                accounts::set_app_metadata(conn, &id, &metadata, now)?;
            }
            if let Some(ban) = params.ban {
                ban.set(tx, actor, &id)?;
            }
            tx.record("user_changed", actor, Some(&id), &[])?;
            reload(conn, &user)
        })
        .await
    }
}

impl Transaction<'_> {
    fn change_addresses(&self, user: &User, params: &UserParams) -> Result<()> {
        let Transaction { conn, now, .. } = *self;
        match &params.email {
            Some(email) if user.email.as_deref() != Some(email.as_str()) => {
                let confirmed = params.email_confirm || user.email_confirmed_at.is_some();
                user_addresses::set_email(conn, &user.id, email, confirmed, now)
                    .map_err(map_conflict)?;
                self.rename_email_identity(&user.id, email)?;
                one_time_tokens::delete_all(conn, &user.id)?;
            }
            _ if params.email_confirm && user.email.is_some() => {
                user_addresses::confirm_email(conn, &user.id, now)?;
            }
            _ => {}
        }
        if let Some(phone) = &params.phone
            && user.phone.as_ref() != Some(phone)
        {
            user_addresses::set_phone(conn, &user.id, phone, now).map_err(map_conflict)?;
        }
        if params.phone_confirm {
            user_addresses::confirm_phone(conn, &user.id, now)?;
        }
        Ok(())
    }
}

/// Returns an error if another user has the new address or number.
fn check_free(conn: &Connection, user: &User, params: &UserParams) -> Result<()> {
    let is_other = |other: Option<User>| other.is_some_and(|other| other.id != user.id);
    if let Some(email) = &params.email
        && is_other(accounts::by_email(conn, email)?)
    {
        return Err(map_conflict(store::Error::Conflict("email".to_owned())));
    }
    if let Some(phone) = &params.phone
        && is_other(accounts::by_phone(conn, phone)?)
    {
        return Err(map_conflict(store::Error::Conflict("phone".to_owned())));
    }
    Ok(())
}
