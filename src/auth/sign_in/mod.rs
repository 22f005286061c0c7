//! Sign-in by password. An unknown address, an account without a password and a wrong password
//! cause the same response and the same work.

pub(super) mod apply_token;
pub(super) mod consume_token;
pub mod email_tokens;
pub mod password;
pub mod pkce;
pub(super) mod recovery_link;
pub mod redirect;
pub mod verify;

use super::accounts::pending;
use super::error::{AuthError, Result, reject};
use super::sessions::session::{Grant, WeakPassword};
use super::throttle::{Permit, SecretKind};
use super::{Auth, ClientInfo, Transaction};
use domain::account::{Aal, User};
use domain::email::email_address::EmailAddress;
use password::PasswordCheck;
use store::accounts::{self, passwords};

/// A sign-in before its password is checked.
struct SignInAttempt {
    user: Option<User>,
    hash: Option<String>,
    permit: Permit,
    /// The subject of the audit row of a failure.
    subject_id: String,
}

impl Auth {
    /// Signs in by address and password. Errors: `invalid_credentials`; after a correct password
    /// `email_not_confirmed`, `user_banned`; `over_request_rate_limit`.
    pub async fn sign_in(
        &self,
        caller: ClientInfo,
        email: EmailAddress,
        password: String,
    ) -> Result<Grant> {
        self.ip_limiter.check(&caller)?;
        // Reserved before the attempt is counted: a request that finds the queue full is not an
        // attempt and costs no write.
        let queue_permit = self.hasher.reserve()?;
        let from = caller.clone();
        let attempt = self
            .change(move |tx| tx.start_attempt(&email, &from))
            .await?;
        let email = attempt.user.as_ref().and_then(|user| user.email.as_deref());
        let checked = self
            .check_password(queue_permit, &password, attempt.hash.as_deref(), email)
            .await?;
        let PasswordCheck {
            is_correct, rehash, ..
        } = checked;
        let mut grant = self
            .change(move |tx| tx.finish_attempt(attempt, is_correct, rehash.as_deref(), &caller))
            .await?;
        let reasons = checked.weaknesses;
        grant.weak_password = (!reasons.is_empty()).then(|| WeakPassword {
            message: password::describe(&reasons, &self.config),
            reasons: reasons.into_iter().map(str::to_owned).collect(),
        });
        Ok(grant)
    }
}

impl Transaction<'_> {
    fn start_attempt(&self, email: &EmailAddress, from: &ClientInfo) -> Result<SignInAttempt> {
        let conn = self.conn;
        let user = accounts::by_email(conn, email)?;
        let user_id = user.as_ref().map(|user| user.id.as_str());
        let permit = self.acquire_permit(SecretKind::Password, email.as_str(), user_id, from)?;
        let hash = match &user {
            Some(user) => pending::sign_in_hash(conn, user)?,
            None => None,
        };
        let subject_id = self.subject_of(user_id, email);
        Ok(SignInAttempt {
            user,
            hash,
            permit,
            subject_id,
        })
    }

    fn finish_attempt(
        &self,
        attempt: SignInAttempt,
        is_correct: bool,
        rehash: Option<&str>,
        caller: &ClientInfo,
    ) -> Result<Grant> {
        let Transaction { conn, now, .. } = *self;
        let fail = |error: AuthError| {
            let subject = Some(attempt.subject_id.as_str());
            self.record_failure(caller, subject, "password", error.code)?;
            reject(error)
        };
        let (Some(user), Some(hash), true) = (attempt.user, attempt.hash, is_correct) else {
            return fail(AuthError::INVALID_CREDENTIALS);
        };
        // The password may have changed while it was being checked; then it was wrong.
        if pending::sign_in_hash(conn, &user)?.as_ref() != Some(&hash) {
            return fail(AuthError::INVALID_CREDENTIALS);
        }
        attempt.permit.refund(conn)?;
        if user.email_confirmed_at.is_none() {
            return fail(AuthError::EMAIL_NOT_CONFIRMED);
        }
        if user.is_banned(now) {
            return fail(AuthError::USER_BANNED);
        }
        if let Some(rehash) = rehash {
            passwords::rehash(conn, &user.id, &hash, rehash)?;
        }
        self.record_sign_in(caller, &user.id, "password")?;
        self.open_session(&user.id, "password", Aal::Aal1, caller)
    }
}
