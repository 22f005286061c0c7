//! What a signed-in user changes of itself: password, address, metadata.

use serde_json::json;

use super::accounts::merged;
use super::audit::{self, Actor};
use super::email_tokens::EmailRedirect;
use super::error::{AuthError, Kind, Result, reject};
use super::session::insufficient;
use super::signup::{check_metadata, reload};
use super::throttle::{Guess, Permit, Secret};
use super::{Auth, Caller, SignedInUser};
use crate::domain::account::{EmailAddress, Metadata, User};
use crate::domain::clock::Time;
use crate::store::{
    Connection, accounts, identities, one_time_tokens, passwords, sessions, user_addresses,
};

/// Seconds after its opening in which a session may change the password without further proof (contract section 3, /reauthenticate).
const FRESH_SECONDS: i64 = 86_400;

/// What is to change; absent things stay.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The new address.
    pub email: Option<EmailAddress>,
    /// The new password.
    pub password: Option<String>,
    /// The present one, if the caller gives it.
    pub current_password: Option<String>,
    /// The mailed code.
    pub nonce: Option<String>,
    /// Merged key by key into the user's metadata.
    pub data: Option<Metadata>,
    /// The same for what only admins may set.
    pub app_metadata: Option<Metadata>,
    /// Where the mails of a change of address lead.
    pub lead: EmailRedirect,
}

/// A new password that has passed every check that needs no transaction.
struct NewPassword {
    old_hash: Option<String>,
    new_hash: String,
    /// The guess that was counted for it.
    charge: Option<Permit>,
}

/// Password and address are changed at the second level only, where there is one.
fn demand_second_factor(caller: &SignedInUser, changes: &Changes) -> Result<()> {
    let guarded = changes.password.is_some() || changes.email.is_some();
    if guarded && caller.lacks_second_factor() {
        return reject(insufficient());
    }
    Ok(())
}

impl Auth {
    /// Changes the user.
    ///
    /// # Errors
    /// `not_admin`, `insufficient_aal`, `weak_password`, `same_password`, `reauthentication_needed`, `reauthentication_not_valid`, `email_exists`;
    /// `over_request_rate_limit` after too many guesses at the present password.
    pub async fn update_user(
        &self,
        from: Caller,
        caller: SignedInUser,
        changes: Changes,
    ) -> Result<User> {
        if changes.app_metadata.is_some() {
            self.require_admin(&caller)?;
        }
        demand_second_factor(&caller, &changes)?;
        let now = self.clock.now();
        let password = match &changes.password {
            Some(password) => {
                self.shield.check(&from.client)?;
                self.demand_fresh(&caller, &changes, now)?;
                Some(
                    self.prepare_password(&from, &caller.user, password, &changes)
                        .await?,
                )
            }
            None => None,
        };
        let auth = self.clone();
        self.write(move |conn| {
            let caller = caller.reload(conn, now)?;
            demand_second_factor(&caller, &changes)?;
            auth.apply(conn, &from, &caller, changes, password, now)
        })
        .await
    }

    fn demand_fresh(&self, caller: &SignedInUser, changes: &Changes, now: Time) -> Result<()> {
        let old = caller.session.created_at.plus_seconds(FRESH_SECONDS) <= now;
        if old && changes.nonce.is_none() {
            return reject(AuthError::new(
                Kind::Invalid,
                "reauthentication_needed",
                "Password update requires reauthentication",
            ));
        }
        Ok(())
    }

    async fn prepare_password(
        &self,
        from: &Caller,
        user: &User,
        password: &str,
        changes: &Changes,
    ) -> Result<NewPassword> {
        self.require_strength(password, user.email.as_deref())
            .await?;
        let (old_hash, charge) = self.charge_present_password(from, user).await?;
        if let Some(old) = &old_hash {
            if let Some(current) = &changes.current_password
                && !self.hasher.verify(current, Some(old)).await?
            {
                let wrong = reject(AuthError::new(
                    Kind::Unprocessable,
                    "current_password_mismatch",
                    "The current password is wrong",
                ));
                let (subject, now) = (Some(user.id.as_str()), self.clock.now());
                return self
                    .noted(wrong, from, subject, "current_password", now)
                    .await;
            }
            if self.hasher.verify(password, Some(old)).await? {
                return reject(AuthError::new(
                    Kind::Unprocessable,
                    "same_password",
                    "New password should be different from the old password.",
                ));
            }
        }
        Ok(NewPassword {
            old_hash,
            new_hash: self.hasher.hash(password).await?,
            charge,
        })
    }

    /// Reads the present password's hash, and counts what it is about to be compared with as a guess like those at sign-in: the given present password, and the new
    /// one too, since `same_password` tells as much. A change that goes through gives the guess back.
    async fn charge_present_password(
        &self,
        from: &Caller,
        user: &User,
    ) -> Result<(Option<String>, Option<Permit>)> {
        let (auth, client, now) = (self.clone(), from.client.clone(), self.clock.now());
        let (id, email) = (user.id.clone(), user.email.clone());
        self.write(move |conn| {
            let Some(hash) = passwords::password_hash(conn, &id)? else {
                return Ok((None, None));
            };
            let guess = Guess {
                secret: Secret::Password,
                account: email.as_deref().unwrap_or(&id),
                user_id: Some(&id),
                client: &client,
            };
            let charge = auth.charge(conn, guess, now)?;
            Ok((Some(hash), Some(charge)))
        })
        .await
    }

    fn apply(
        &self,
        conn: &Connection,
        from: &Caller,
        caller: &SignedInUser,
        changes: Changes,
        password: Option<NewPassword>,
        now: Time,
    ) -> Result<User> {
        let user = &caller.user;
        let email = changes
            .email
            .filter(|email| user.email.as_deref() != Some(email.as_str()));
        if let Some(email) = &email
            && accounts::by_email(conn, email)?.is_some()
        {
            return reject(AuthError::new(
                Kind::Unprocessable,
                "email_exists",
                "A user with this email address has already been registered",
            ));
        }
        let user_metadata = changes
            .data
            .map(|data| merged(user.user_metadata.clone(), data));
        let app_metadata = changes
            .app_metadata
            .map(|data| merged(user.app_metadata.clone(), data));
        for facts in [&user_metadata, &app_metadata].into_iter().flatten() {
            check_metadata(facts)?;
        }
        if let Some(password) = &password
            && passwords::password_hash(conn, &user.id)? != password.old_hash
        {
            return reject(AuthError::new(
                Kind::Unprocessable,
                "conflict",
                "The password was changed by somebody else at the same time",
            ));
        }
        if let Some(email) = &email {
            let known = user.email.as_ref().and_then(|known| known.parse().ok());
            self.charge_email(conn, "email_change", known.as_ref().unwrap_or(email), now)?;
        }
        if let Some(nonce) = &changes.nonce {
            self.take_nonce(conn, from, user, nonce, now)?;
        }
        // Nothing is refused from here on. The password comes first: it voids all mails under way.
        if let Some(password) = password {
            if let Some(charge) = &password.charge {
                charge.refund(conn)?;
            }
            self.set_password(conn, caller, &password.new_hash, now)?;
        }
        if let Some(email) = &email {
            self.begin_email_change(conn, user, email, &changes.lead, now)?;
        }
        if let Some(facts) = user_metadata {
            accounts::set_user_metadata(conn, &user.id, &facts, now)?;
        }
        if let Some(facts) = app_metadata {
            accounts::set_app_metadata(conn, &user.id, &facts, now)?;
        }
        reload(conn, user)
    }

    /// Checks the mailed code and uses it up.
    fn take_nonce(
        &self,
        conn: &Connection,
        from: &Caller,
        user: &User,
        nonce: &str,
        now: Time,
    ) -> Result<()> {
        let guess = Guess {
            secret: Secret::Code,
            account: &user.id,
            user_id: Some(&user.id),
            client: &from.client,
        };
        let charge = self.charge(conn, guess, now)?;
        for row in one_time_tokens::in_slot(conn, &user.id, "reauthentication", now)? {
            if user.email.as_deref() == Some(row.address.as_str())
                && self.take_code(conn, &row, nonce, now)?
            {
                return charge.refund(conn);
            }
        }
        let wrong = reject(AuthError::new(
            Kind::Unprocessable,
            "reauthentication_not_valid",
            "Nonce has expired or is invalid",
        ));
        audit::noted(conn, wrong, from, Some(&user.id), "reauthentication", now)
    }

    fn begin_email_change(
        &self,
        conn: &Connection,
        user: &User,
        email: &EmailAddress,
        lead: &EmailRedirect,
        now: Time,
    ) -> Result<()> {
        user_addresses::begin_email_change(conn, &user.id, email, now)?;
        let user = reload(conn, user)?;
        self.send_email_change(conn, Some(&user), email, lead, now)?;
        audit::record(
            conn,
            "email_change_asked",
            Actor::User(&user.id),
            Some(&user.id),
            &[],
            now,
        )
    }

    /// A new password ends all other sessions and voids every mail under way.
    fn set_password(
        &self,
        conn: &Connection,
        caller: &SignedInUser,
        hash: &str,
        now: Time,
    ) -> Result<()> {
        let id = &caller.user.id;
        passwords::set_password_hash(conn, id, hash, now)?;
        let ended = sessions::end_others(conn, id, &caller.session.id)?;
        one_time_tokens::delete_all(conn, id)?;
        if identities::by_subject(conn, "email", id)?.is_none()
            && let Some(email) = caller
                .user
                .email
                .as_ref()
                .and_then(|email| email.parse().ok())
        {
            self.rename_email_identity(conn, id, &email, now)?;
        }
        let detail = [("sessions_ended", json!(ended))];
        audit::record(
            conn,
            "password_changed",
            Actor::User(id),
            Some(id),
            &detail,
            now,
        )
    }
}
