//! What a good code or link does: confirms an address, or brings a change of address on its way. That it is good is `verify.rs`'s business.

use super::audit::{self, Actor};
use super::error::{Kind, Result, reject};
use super::purpose::Purpose;
use super::session::banned;
use super::verify::link_expired;
use super::{Auth, accounts as people, pending};
use crate::domain::account::{EmailAddress, EmailChangeSide, User};
use crate::domain::clock::Time;
use crate::store::one_time_tokens::OneTimeToken;
use crate::store::{Connection, accounts, identities, one_time_tokens, user_addresses};

impl Auth {
    /// Does what the mail promised. `None`: half of a change of address.
    ///
    /// # Errors
    /// `otp_expired` where it is too late for that, `user_banned`, `email_exists`.
    pub(super) fn honour(
        &self,
        conn: &Connection,
        row: &OneTimeToken,
        now: Time,
    ) -> Result<Option<User>> {
        let user = match &row.user_id {
            Some(id) => accounts::by_id(conn, id)?,
            None => None,
        };
        let Some(user) = user else {
            return reject(link_expired());
        };
        if user.is_banned(now) {
            return reject(banned().with_kind(Kind::Forbidden));
        }
        match Purpose::of(row) {
            Purpose::EmailChangeCurrent => {
                self.agree(conn, &user, row, EmailChangeSide::Current, now)
            }
            Purpose::EmailChangeNew => self.agree(conn, &user, row, EmailChangeSide::New, now),
            Purpose::Reauthentication => reject(link_expired()),
            // Where the address has changed since, the mail proves nothing about today's.
            _ if user.email.as_deref() != Some(row.address.as_str()) => reject(link_expired()),
            purpose => {
                if user.email_confirmed_at.is_none() {
                    self.confirm(conn, &user, purpose, row, now)?;
                }
                Ok(Some(user))
            }
        }
    }

    /// The address is proved. What the sign-up of this very mail brought takes effect, and nothing else: otherwise a stranger could sign up with another's address
    /// and wait for it to become an account.
    fn confirm(
        &self,
        conn: &Connection,
        user: &User,
        purpose: Purpose,
        row: &OneTimeToken,
        now: Time,
    ) -> Result<()> {
        user_addresses::confirm_email(conn, &user.id, now)?;
        pending::settle(conn, user, purpose, row.sign_up.as_ref(), now)?;
        if let Some(email) = user.email.as_ref().and_then(|email| email.parse().ok()) {
            self.rename_email_identity(conn, &user.id, &email, now)?;
            self.reset_email_limit(conn, "signup", &email, now)?;
        }
        audit::record(
            conn,
            "email_confirmed",
            Actor::User(&user.id),
            Some(&user.id),
            &[],
            now,
        )
    }

    /// One side agrees to a change of address; when both have, it is done.
    fn agree(
        &self,
        conn: &Connection,
        user: &User,
        row: &OneTimeToken,
        side: EmailChangeSide,
        now: Time,
    ) -> Result<Option<User>> {
        let Some(new) = user
            .new_email
            .as_ref()
            .and_then(|new| new.parse::<EmailAddress>().ok())
        else {
            return reject(link_expired());
        };
        let address = match side {
            EmailChangeSide::Current => user.email.as_deref(),
            EmailChangeSide::New => Some(new.as_str()),
        };
        if address != Some(row.address.as_str()) {
            return reject(link_expired());
        }
        let other = match user.email_change_confirmed {
            Some(confirmed) => confirmed != side,
            None => user.email.is_none(),
        };
        if !other {
            user_addresses::confirm_email_change_side(conn, &user.id, side, now)?;
            return Ok(None);
        }
        user_addresses::set_email(conn, &user.id, &new, true, now).map_err(people::taken)?;
        one_time_tokens::delete_all(conn, &user.id)?;
        self.rename_email_identity(conn, &user.id, &new, now)?;
        audit::record(
            conn,
            "email_changed",
            Actor::User(&user.id),
            Some(&user.id),
            &[],
            now,
        )?;
        Ok(Some(user.clone()))
    }

    /// The identity of the user's own address follows the address.
    pub(super) fn rename_email_identity(
        &self,
        conn: &Connection,
        user_id: &str,
        email: &EmailAddress,
        now: Time,
    ) -> Result<()> {
        let fresh = people::email_identity(user_id, email, true);
        match identities::by_subject(conn, "email", user_id)? {
            Some(identity) => {
                identities::refresh(conn, &identity.id, &fresh.data, Some(email.as_str()), now)?;
            }
            None => identities::insert(conn, user_id, &fresh, now)?,
        }
        Ok(())
    }
}
