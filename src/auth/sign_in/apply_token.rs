//! Applies a verified code or link: confirms an address, or confirms one side of an email change.
//! `verify.rs` checks the token itself.

use crate::accounts::pending;
use crate::emails::purpose::Purpose;
use crate::error::{AuthError, Kind, Result, reject};
use crate::{Transaction, accounts as people};
use domain::account::{EmailChangeSide, User};
use domain::email::email_address::EmailAddress;
use store::accounts::one_time_tokens::{self, OneTimeToken};
use store::accounts::{self, identities, user_addresses};

impl Transaction<'_> {
    /// Applies the token. Returns `None` if only one side of an email change is confirmed. Errors:
    /// `otp_expired` if the user or the address has changed since; `user_banned`, `email_exists`.
    pub(crate) fn apply_token(&self, row: &OneTimeToken) -> Result<Option<User>> {
        let Transaction { conn, now, .. } = *self;
        let user = match &row.user_id {
            Some(id) => accounts::by_id(conn, id)?,
            None => None,
        };
        let Some(user) = user else {
            return reject(AuthError::LINK_EXPIRED);
        };
        if user.is_banned(now) {
            return reject(AuthError::USER_BANNED.with_kind(Kind::Forbidden));
        }
        match Purpose::of(row) {
            Purpose::EmailChangeCurrent => self.confirm_side(&user, row, EmailChangeSide::Current),
            Purpose::EmailChangeNew => self.confirm_side(&user, row, EmailChangeSide::New),
            Purpose::Reauthentication => reject(AuthError::LINK_EXPIRED),
            // The user's address has changed since: the token does not prove the new one.
            _ if user.email.as_deref() != Some(row.address.as_str()) => {
                reject(AuthError::LINK_EXPIRED)
            }
            purpose => {
                if user.email_confirmed_at.is_none() {
                    self.confirm(&user, purpose, row)?;
                }
                Ok(Some(user))
            }
        }
    }

    /// Confirms the address. Only the sign-up that sent this email takes effect: otherwise an
    /// attacker could sign up with another person's address and wait until that person confirms any
    /// email.
    fn confirm(&self, user: &User, purpose: Purpose, row: &OneTimeToken) -> Result<()> {
        let Transaction { conn, now, .. } = *self;
        user_addresses::confirm_email(conn, &user.id, now)?;
        pending::apply_sign_up(self, user, purpose, row.sign_up.as_ref())?;
        if let Some(email) = user.email.as_ref().and_then(|email| email.parse().ok()) {
            self.rename_email_identity(&user.id, &email)?;
            self.reset_email_limit("signup", &email)?;
        }
        self.record_own("email_confirmed", &user.id, &[])
    }

    /// Confirms one side of an email change; the change is done when both sides have confirmed.
    fn confirm_side(
        &self,
        user: &User,
        row: &OneTimeToken,
        side: EmailChangeSide,
    ) -> Result<Option<User>> {
        let Transaction { conn, now, .. } = *self;
        let Some(new) = user
            .new_email
            .as_ref()
            .and_then(|new| new.parse::<EmailAddress>().ok())
        else {
            return reject(AuthError::LINK_EXPIRED);
        };
        let address = match side {
            EmailChangeSide::Current => user.email.as_deref(),
            EmailChangeSide::New => Some(new.as_str()),
        };
        if address != Some(row.address.as_str()) {
            return reject(AuthError::LINK_EXPIRED);
        }
        let other = match user.email_change_confirmed {
            Some(confirmed) => confirmed != side,
            None => user.email.is_none(),
        };
        if !other {
            user_addresses::confirm_email_change_side(conn, &user.id, side, now)?;
            return Ok(None);
        }
        user_addresses::set_email(conn, &user.id, &new, true, now).map_err(people::map_conflict)?;
        one_time_tokens::delete_all(conn, &user.id)?;
        self.rename_email_identity(&user.id, &new)?;
        self.record_own("email_changed", &user.id, &[])?;
        Ok(Some(user.clone()))
    }

    /// Updates the `email` identity after an address change.
    pub(crate) fn rename_email_identity(&self, user_id: &str, email: &EmailAddress) -> Result<()> {
        let Transaction { conn, now, .. } = *self;
        let updated = people::email_identity(user_id, email, true);
        match identities::by_subject(conn, "email", user_id)? {
            Some(identity) => {
                identities::refresh(conn, &identity.id, &updated.data, Some(email.as_str()), now)?;
            }
            None => identities::insert(conn, user_id, &updated, now)?,
        }
        Ok(())
    }
}
