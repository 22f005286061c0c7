//! Changes by the signed-in user: password, address, metadata.

use serde_json::json;

use super::audit::{self, Actor};
use super::email_tokens::EmailRedirect;
use super::error::{AuthError, Kind, Result, reject};
use super::metadata::{check_metadata, merge_metadata};
use super::session::insufficient_aal;
use super::signup::reload;
use super::throttle::{Attempt, Permit, SecretKind};
use super::{Auth, Caller, SignedInUser};
use crate::domain::account::{EmailAddress, Metadata, User};
use crate::domain::clock::Time;
use crate::store::{
    Connection, accounts, identities, one_time_tokens, passwords, sessions, user_addresses,
};

/// Age in seconds up to which a session may change the password without reauthentication (auth API,
/// section 3, /reauthenticate).
const RECENT_SESSION_SECONDS: i64 = 86_400;

/// Fields to change; absent fields stay unchanged.
#[derive(Clone, Debug, Default)]
pub struct UserChanges {
    /// The new email address.
    pub email: Option<EmailAddress>,
    /// The new password.
    pub password: Option<String>,
    /// The current password, if the client sends it.
    pub current_password: Option<String>,
    /// The emailed reauthentication code.
    pub nonce: Option<String>,
    /// Merged key by key into the user's metadata.
    pub data: Option<Metadata>,
    /// Merged into the app metadata; admins only.
    pub app_metadata: Option<Metadata>,
    /// Redirect target of the emails of an email change.
    pub redirect: EmailRedirect,
}

/// A new password that has passed every check outside of the transaction.
struct NewPassword {
    old_hash: Option<String>,
    new_hash: String,
    /// The permit of the counted attempt.
    permit: Option<Permit>,
}

/// Changing the password or address needs AAL2 if the user has a second factor.
fn require_second_factor(caller: &SignedInUser, changes: &UserChanges) -> Result<()> {
    let guarded = changes.password.is_some() || changes.email.is_some();
    if guarded && caller.lacks_second_factor() {
        return reject(insufficient_aal());
    }
    Ok(())
}

impl Auth {
    /// Changes the user.
    ///
    /// # Errors
    /// `not_admin`, `insufficient_aal`, `weak_password`, `same_password`,
    /// `reauthentication_needed`, `reauthentication_not_valid`, `email_exists`;
    /// `over_request_rate_limit` after too many attempts at the current password.
    pub async fn update_user(
        &self,
        from: Caller,
        caller: SignedInUser,
        changes: UserChanges,
    ) -> Result<User> {
        if changes.app_metadata.is_some() {
            self.require_admin(&caller)?;
        }
        require_second_factor(&caller, &changes)?;
        let now = self.clock.now();
        let password = match &changes.password {
            Some(password) => {
                self.ip_limiter.check(&from.client)?;
                self.require_recent_session(&caller, &changes, now)?;
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
            require_second_factor(&caller, &changes)?;
            auth.apply_changes(conn, &from, &caller, changes, password, now)
        })
        .await
    }

    fn require_recent_session(
        &self,
        caller: &SignedInUser,
        changes: &UserChanges,
        now: Time,
    ) -> Result<()> {
        let old = caller
            .session
            .created_at
            .plus_seconds(RECENT_SESSION_SECONDS)
            <= now;
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
        changes: &UserChanges,
    ) -> Result<NewPassword> {
        self.require_strength(password, user.email.as_deref())
            .await?;
        let (old_hash, permit) = self.acquire_password_permit(from, user).await?;
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
                    .audit_outcome(wrong, from, subject, "current_password", now)
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
            permit,
        })
    }

    /// Reads the current password's hash and counts an attempt, as at sign-in: both the given
    /// current password and the new one are compared with it, and `same_password` reveals a match.
    /// A successful change refunds the attempt.
    async fn acquire_password_permit(
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
            let attempt = Attempt {
                secret: SecretKind::Password,
                account: email.as_deref().unwrap_or(&id),
                user_id: Some(&id),
                client: &client,
            };
            let permit = auth.acquire_permit(conn, attempt, now)?;
            Ok((Some(hash), Some(permit)))
        })
        .await
    }

    fn apply_changes(
        &self,
        conn: &Connection,
        from: &Caller,
        caller: &SignedInUser,
        changes: UserChanges,
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
            .map(|data| merge_metadata(user.user_metadata.clone(), data));
        let app_metadata = changes
            .app_metadata
            .map(|data| merge_metadata(user.app_metadata.clone(), data));
        for metadata in [&user_metadata, &app_metadata].into_iter().flatten() {
            check_metadata(metadata)?;
        }
        if let Some(password) = &password
            && passwords::password_hash(conn, &user.id)? != password.old_hash
        {
            return reject(AuthError::new(
                Kind::Unprocessable,
                "conflict",
                "The password was changed at the same time by another request",
            ));
        }
        if let Some(email) = &email {
            let known = user.email.as_ref().and_then(|known| known.parse().ok());
            self.limit_email(conn, "email_change", known.as_ref().unwrap_or(email), now)?;
        }
        if let Some(nonce) = &changes.nonce {
            self.consume_nonce(conn, from, user, nonce, now)?;
        }
        // No check may fail after this line. The password comes first, because it voids all pending
        // emails.
        if let Some(password) = password {
            if let Some(permit) = &password.permit {
                permit.refund(conn)?;
            }
            self.set_password(conn, caller, &password.new_hash, now)?;
        }
        if let Some(email) = &email {
            self.start_email_change(conn, user, email, &changes.redirect, now)?;
        }
        if let Some(metadata) = user_metadata {
            accounts::set_user_metadata(conn, &user.id, &metadata, now)?;
        }
        if let Some(metadata) = app_metadata {
            accounts::set_app_metadata(conn, &user.id, &metadata, now)?;
        }
        reload(conn, user)
    }

    /// Checks and consumes the emailed code.
    fn consume_nonce(
        &self,
        conn: &Connection,
        from: &Caller,
        user: &User,
        nonce: &str,
        now: Time,
    ) -> Result<()> {
        let attempt = Attempt {
            secret: SecretKind::Code,
            account: &user.id,
            user_id: Some(&user.id),
            client: &from.client,
        };
        let permit = self.acquire_permit(conn, attempt, now)?;
        for row in one_time_tokens::in_slot(conn, &user.id, "reauthentication", now)? {
            if user.email.as_deref() == Some(row.address.as_str())
                && self.consume_code(conn, &row, nonce, now)?
            {
                return permit.refund(conn);
            }
        }
        let wrong = reject(AuthError::new(
            Kind::Unprocessable,
            "reauthentication_not_valid",
            "Nonce has expired or is invalid",
        ));
        audit::audit_outcome(conn, wrong, from, Some(&user.id), "reauthentication", now)
    }

    fn start_email_change(
        &self,
        conn: &Connection,
        user: &User,
        email: &EmailAddress,
        redirect: &EmailRedirect,
        now: Time,
    ) -> Result<()> {
        user_addresses::begin_email_change(conn, &user.id, email, now)?;
        let user = reload(conn, user)?;
        self.send_email_change(conn, Some(&user), email, redirect, now)?;
        audit::record(
            conn,
            "email_change_asked",
            Actor::User(&user.id),
            Some(&user.id),
            &[],
            now,
        )
    }

    /// Sets a new password, ends all other sessions and voids all pending emails.
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
