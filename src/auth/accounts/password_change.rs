//! Changing the password: its checks outside of the transaction, and the change itself.

use serde_json::json;

use crate::error::{AuthError, Result, reject};
use crate::throttle::{Permit, SecretKind};
use crate::{Auth, ClientInfo, SignedInUser, Transaction};
use domain::account::User;
use domain::clock::Time;
use store::Connection;
use store::accounts::{identities, one_time_tokens, passwords, sessions};

/// Age in seconds up to which a session may change the password without reauthentication (auth API,
/// section 3, /reauthenticate).
const RECENT_SESSION_SECONDS: i64 = 86_400;

/// A new password that has passed every check outside of the transaction.
pub(crate) struct NewPassword {
    old_hash: Option<String>,
    new_hash: String,
    /// The permit of the counted attempt.
    permit: Option<Permit>,
}

impl NewPassword {
    /// Requires that the password is still the one that the new one was compared with. Errors:
    /// `conflict`.
    pub(crate) fn check_unchanged(&self, conn: &Connection, user: &User) -> Result<()> {
        if passwords::password_hash(conn, &user.id)? != self.old_hash {
            return reject(AuthError::CONFLICT);
        }
        Ok(())
    }
}

impl Auth {
    /// Requires a session that is recent enough to change the password, or an emailed code. From a
    /// user with a role, it requires a recent sign-in: the new password would count as a proof of
    /// who uses the session. Errors: `reauthentication_needed`.
    pub(crate) fn require_recent_session(
        &self,
        caller: &SignedInUser,
        nonce: Option<&str>,
        now: Time,
    ) -> Result<()> {
        let age_limit = caller
            .session
            .created_at
            .plus_seconds(RECENT_SESSION_SECONDS);
        let unproved = caller.role.is_some() && self.require_recent_sign_in(caller).is_err();
        if (age_limit <= now || unproved) && nonce.is_none() {
            return reject(AuthError::PASSWORD_NEEDS_REAUTHENTICATION);
        }
        Ok(())
    }

    /// Checks and hashes a new password, before the transaction that stores it. Errors:
    /// `weak_password`, `same_password`, `current_password_mismatch`; `over_request_rate_limit`
    /// after too many attempts at the current password.
    pub(crate) async fn prepare_password(
        &self,
        from: &ClientInfo,
        user: &User,
        password: &str,
        current_password: Option<&str>,
    ) -> Result<NewPassword> {
        self.require_strength(password, user.email.as_deref())
            .await?;
        let (old_hash, permit) = self.acquire_password_permit(from, user).await?;
        if let Some(old) = &old_hash {
            if let Some(current) = current_password
                && !self.hasher.verify(current, Some(old)).await?
            {
                let wrong = reject(AuthError::CURRENT_PASSWORD_MISMATCH);
                let subject = Some(user.id.as_str());
                return self
                    .audit_outcome(wrong, from, subject, "current_password")
                    .await;
            }
            if self.hasher.verify(password, Some(old)).await? {
                return reject(AuthError::SAME_PASSWORD);
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
    pub(crate) async fn acquire_password_permit(
        &self,
        from: &ClientInfo,
        user: &User,
    ) -> Result<(Option<String>, Option<Permit>)> {
        let from = from.clone();
        let (id, email) = (user.id.clone(), user.email.clone());
        self.change(move |tx| {
            let Some(hash) = passwords::password_hash(tx.conn, &id)? else {
                return Ok((None, None));
            };
            let account = email.as_deref().unwrap_or(&id);
            let permit = tx.acquire_permit(SecretKind::Password, account, Some(&id), &from)?;
            Ok((Some(hash), Some(permit)))
        })
        .await
    }
}

impl Transaction<'_> {
    /// Checks and consumes the emailed code. Errors: `reauthentication_not_valid`,
    /// `over_request_rate_limit`.
    pub(crate) fn consume_nonce(&self, from: &ClientInfo, user: &User, nonce: &str) -> Result<()> {
        let Transaction { conn, now, .. } = *self;
        let permit = self.acquire_permit(SecretKind::Code, &user.id, Some(&user.id), from)?;
        for row in one_time_tokens::in_slot(conn, &user.id, "reauthentication", now)? {
            if user.email.as_deref() == Some(row.address.as_str())
                && self.consume_code(&row, nonce)?
            {
                return permit.refund(conn);
            }
        }
        let wrong = reject(AuthError::REAUTHENTICATION_NOT_VALID);
        self.audit_outcome(wrong, from, Some(&user.id), "reauthentication")
    }

    /// Stores a new password, ends all other sessions and voids all pending emails.
    pub(crate) fn set_password(&self, caller: &SignedInUser, password: NewPassword) -> Result<()> {
        let Transaction { conn, now, .. } = *self;
        let id = &caller.user.id;
        if let Some(permit) = &password.permit {
            permit.refund(conn)?;
        }
        passwords::set_password_hash(conn, id, &password.new_hash, now)?;
        let ended = sessions::end_others(conn, id, &caller.session.id)?;
        one_time_tokens::delete_all(conn, id)?;
        if identities::by_subject(conn, "email", id)?.is_none()
            && let Some(email) = caller
                .user
                .email
                .as_ref()
                .and_then(|email| email.parse().ok())
        {
            self.rename_email_identity(id, &email)?;
        }
        let detail = [("sessions_ended", json!(ended))];
        self.record_own("password_changed", id, &detail)
    }
}
