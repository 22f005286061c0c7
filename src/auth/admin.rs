//! What admins do to accounts. Whether somebody is an admin is decided at the door (`Auth::demand_admin`), for each call.

use serde_json::json;

use super::accounts::{
    create_user_with_identity, ensure_another_admin, grant_admin, merged, revoke_admin, taken,
};
use super::audit::{self, Actor};
use super::ban::Ban;
use super::error::{AuthError, Kind, Result, reject};
use super::signup::{check_metadata, reload};
use super::{Auth, SignedInUser, hashing, pending};
use crate::domain::account::{EmailAddress, Metadata, User};
use crate::domain::clock::Time;
use crate::store::{
    self, Connection, NewUser, UserPage, UserStart, accounts, one_time_tokens, passwords, roles,
    sessions, user_addresses,
};

/// What an admin wants of an account; absent things stay.
#[derive(Clone, Debug, Default)]
pub struct UserParams {
    /// A given id, for a new account.
    pub id: Option<String>,
    /// The address.
    pub email: Option<EmailAddress>,
    /// The number.
    pub phone: Option<String>,
    /// The password.
    pub password: Option<String>,
    /// Its hash, brought from elsewhere.
    pub password_hash: Option<String>,
    /// The address is right.
    pub email_confirm: bool,
    /// The number is right.
    pub phone_confirm: bool,
    /// What the user says of itself.
    pub user_metadata: Option<Metadata>,
    /// What admins say.
    pub app_metadata: Option<Metadata>,
    /// No entry for so long.
    pub ban: Option<Ban>,
    /// Whether the user is to be an admin.
    pub admin: Option<bool>,
}

impl UserParams {
    /// Whether the account is worth more to others afterwards, so that nobody who has not proved its address may be in it.
    const fn confer_trust(&self) -> bool {
        self.email_confirm
            || self.email.is_some()
            || self.password.is_some()
            || self.password_hash.is_some()
            || self.app_metadata.is_some()
            || matches!(self.admin, Some(true))
    }
}

/// A user after the roles it has in `user_roles`.
pub type WithRoles = (Vec<String>, User);

impl Auth {
    /// A page of users with their roles, the newest first.
    ///
    /// # Errors
    /// What the store says.
    pub async fn page_of_users(
        &self,
        start: UserStart,
        per_page: u32,
    ) -> Result<UserPage<WithRoles>> {
        self.read(move |conn| {
            let UserPage { users, next, total } = accounts::page(conn, &start, per_page)?;
            let users = users
                .into_iter()
                .map(|user| Ok((roles::of_user(conn, &user.id)?, user)))
                .collect::<Result<_>>()?;
            Ok(UserPage { users, next, total })
        })
        .await
    }

    /// A user.
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn user(&self, id: String) -> Result<User> {
        self.read(move |conn| known(conn, &id)).await
    }

    /// Makes a user; sends nothing.
    ///
    /// # Errors
    /// `email_exists`, `phone_exists`, `weak_password`, `validation_failed`.
    pub async fn create_user(&self, admin: SignedInUser, wishes: UserParams) -> Result<User> {
        if wishes.email.is_none() && wishes.phone.is_none() {
            return reject(AuthError::validation(
                "Cannot create a user without either an email or phone",
            ));
        }
        check_facts(&wishes)?;
        let hash = self.hash_of(&wishes, wishes.email.as_ref()).await?;
        let now = self.clock.now();
        self.write(move |conn| {
            let actor = Actor::User(&admin.user.id);
            let user = NewUser {
                id: wishes.id.unwrap_or_default(),
                email: wishes.email,
                phone: wishes.phone,
                password_hash: None,
                email_confirmed: wishes.email_confirm,
                phone_confirmed: wishes.phone_confirm,
                app_metadata: merged(Metadata::new(), wishes.app_metadata.unwrap_or_default()),
                user_metadata: merged(Metadata::new(), wishes.user_metadata.unwrap_or_default()),
                admin_managed: true,
            };
            let user = create_user_with_identity(conn, user, None, now)?;
            audit::record(conn, "user_created", actor, Some(&user.id), &[], now)?;
            if let Some(ban) = wishes.ban {
                ban.set(conn, actor, &user.id, now)?;
            }
            if wishes.admin == Some(true) {
                grant_admin(conn, &user, actor, now)?;
            }
            // Last: the role takes passwords from accounts whose address is unproved, but not the one that comes with it.
            if let Some(hash) = hash {
                passwords::set_password_hash(conn, &user.id, &hash, now)?;
            }
            reload(conn, &user)
        })
        .await
    }

    /// Changes a user. A password set here ends all its sessions. A pending account that gets a role, a password, another address, facts that others rely on or its
    /// confirmation from an admin loses what strangers may have left in it first.
    ///
    /// # Errors
    /// `user_not_found`, `email_exists`, `phone_exists`, `weak_password`, `validation_failed`; `last_admin` for what would leave nobody in charge.
    pub async fn update_user_as_admin(
        &self,
        admin: SignedInUser,
        id: String,
        wishes: UserParams,
    ) -> Result<User> {
        let bans = wishes.ban.is_some_and(Ban::bites);
        if bans && admin.user.id == id {
            return reject(not_oneself());
        }
        check_facts(&wishes)?;
        let user = self.user(id.clone()).await?;
        let own: Option<EmailAddress> = user.email.as_ref().and_then(|email| email.parse().ok());
        let hash = self
            .hash_of(&wishes, wishes.email.as_ref().or(own.as_ref()))
            .await?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            let actor = Actor::User(&admin.user.id);
            let user = known(conn, &id)?;
            if bans || wishes.admin == Some(false) {
                ensure_another_admin(conn, &id, now)?;
            }
            check_free(conn, &user, &wishes)?;
            // Nothing is refused from here on.
            if wishes.confer_trust() {
                pending::reset(conn, &user, actor, now)?;
            }
            match wishes.admin {
                Some(true) => drop(grant_admin(conn, &user, actor, now)?),
                Some(false) => drop(revoke_admin(conn, &id, actor, now)?),
                None => {}
            }
            auth.change_addresses(conn, &user, &wishes, now)?;
            if let Some(hash) = hash {
                passwords::set_password_hash(conn, &id, &hash, now)?;
                sessions::end_all(conn, &id)?;
                one_time_tokens::delete_all(conn, &id)?;
                audit::record(conn, "password_changed", actor, Some(&id), &[], now)?;
            }
            if let Some(facts) = wishes.user_metadata {
                let facts = merged(user.user_metadata.clone(), facts);
                accounts::set_user_metadata(conn, &id, &facts, now)?;
            }
            if let Some(facts) = wishes.app_metadata {
                let facts = merged(user.app_metadata.clone(), facts);
                accounts::set_app_metadata(conn, &id, &facts, now)?;
            }
            if let Some(ban) = wishes.ban {
                ban.set(conn, actor, &id, now)?;
            }
            audit::record(conn, "user_changed", actor, Some(&id), &[], now)?;
            reload(conn, &user)
        })
        .await
    }

    fn change_addresses(
        &self,
        conn: &Connection,
        user: &User,
        wishes: &UserParams,
        now: Time,
    ) -> Result<()> {
        match &wishes.email {
            Some(email) if user.email.as_deref() != Some(email.as_str()) => {
                let confirmed = wishes.email_confirm || user.email_confirmed_at.is_some();
                user_addresses::set_email(conn, &user.id, email, confirmed, now).map_err(taken)?;
                self.rename_email_identity(conn, &user.id, email, now)?;
                one_time_tokens::delete_all(conn, &user.id)?;
            }
            _ if wishes.email_confirm && user.email.is_some() => {
                user_addresses::confirm_email(conn, &user.id, now)?;
            }
            _ => {}
        }
        if let Some(phone) = &wishes.phone
            && user.phone.as_ref() != Some(phone)
        {
            user_addresses::set_phone(conn, &user.id, phone, now).map_err(taken)?;
        }
        if wishes.phone_confirm {
            user_addresses::confirm_phone(conn, &user.id, now)?;
        }
        Ok(())
    }

    /// Deletes a user, or keeps an empty shell of it.
    ///
    /// # Errors
    /// `user_not_found`; `validation_failed` for oneself; `last_admin`.
    pub async fn delete_user(&self, admin: SignedInUser, id: String, softly: bool) -> Result<()> {
        if admin.user.id == id {
            return reject(not_oneself());
        }
        let now = self.clock.now();
        self.write(move |conn| {
            known(conn, &id)?;
            ensure_another_admin(conn, &id, now)?;
            if softly {
                accounts::anonymize(conn, &id, now)?;
            } else {
                accounts::delete(conn, &id)?;
            }
            let (actor, detail) = (Actor::User(&admin.user.id), [("softly", json!(softly))]);
            audit::record(conn, "user_deleted", actor, Some(&id), &detail, now)
        })
        .await
    }

    async fn hash_of(
        &self,
        wishes: &UserParams,
        email: Option<&EmailAddress>,
    ) -> Result<Option<String>> {
        match (&wishes.password, &wishes.password_hash) {
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

/// The user with this id.
pub(super) fn known(conn: &Connection, id: &str) -> Result<User> {
    match accounts::by_id(conn, id)? {
        Some(user) => Ok(user),
        None => reject(AuthError::user_not_found()),
    }
}

/// Whether the wanted address and number are free, or the user's own.
fn check_free(conn: &Connection, user: &User, wishes: &UserParams) -> Result<()> {
    let is_other = |other: Option<User>| other.is_some_and(|other| other.id != user.id);
    if let Some(email) = &wishes.email
        && is_other(accounts::by_email(conn, email)?)
    {
        return Err(taken(store::Error::Conflict("email".to_owned())));
    }
    if let Some(phone) = &wishes.phone
        && is_other(accounts::by_phone(conn, phone)?)
    {
        return Err(taken(store::Error::Conflict("phone".to_owned())));
    }
    Ok(())
}

fn check_facts(wishes: &UserParams) -> Result<()> {
    for facts in [&wishes.user_metadata, &wishes.app_metadata]
        .into_iter()
        .flatten()
    {
        check_metadata(facts)?;
    }
    Ok(())
}

fn not_oneself() -> AuthError {
    AuthError::new(
        Kind::Unprocessable,
        "validation_failed",
        "An admin cannot delete or ban itself",
    )
}
