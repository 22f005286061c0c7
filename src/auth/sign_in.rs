//! Sign-in by password. The same answer, and the same work, for an unknown address, an account without a password and a wrong one.

use serde_json::json;

use super::audit::{self, Actor};
use super::error::{AuthError, Kind, Result, reject};
use super::password::Checked;
use super::session::{Grant, WeakPassword, banned};
use super::throttle::{Guess, Permit, Secret};
use super::{Auth, Caller, password, pending};
use crate::domain::account::{Aal, EmailAddress, User};
use crate::domain::clock::Time;
use crate::store::{Connection, accounts, passwords};

/// What is known before the password is looked at.
struct Attempt {
    user: Option<User>,
    hash: Option<String>,
    charge: Permit,
    /// For the audit row of a failure.
    subject_id: String,
}

impl Auth {
    /// Signs in by address and password.
    ///
    /// # Errors
    /// `invalid_credentials`; after a right password `email_not_confirmed`, `user_banned`; `over_request_rate_limit`.
    pub async fn sign_in(
        &self,
        caller: Caller,
        email: EmailAddress,
        password: String,
    ) -> Result<Grant> {
        self.shield.check(&caller.client)?;
        // Before the guess is counted: who finds no place has not guessed, and costs no write.
        let place = self.hasher.reserve()?;
        let now = self.clock.now();
        let (auth, client) = (self.clone(), caller.client.clone());
        let attempt = self
            .write(move |conn| auth.begin_attempt(conn, &email, &client, now))
            .await?;
        let email = attempt.user.as_ref().and_then(|user| user.email.as_deref());
        let checked = self
            .check_password(place, &password, attempt.hash.as_deref(), email)
            .await?;
        let Checked { right, fresh, .. } = checked;
        let auth = self.clone();
        let mut grant = self
            .write(move |conn| {
                auth.end_attempt(conn, attempt, right, fresh.as_deref(), &caller, now)
            })
            .await?;
        let reasons = checked.weaknesses;
        grant.weak_password = (!reasons.is_empty()).then(|| WeakPassword {
            message: password::describe(&reasons, &self.config),
            reasons,
        });
        Ok(grant)
    }

    fn begin_attempt(
        &self,
        conn: &Connection,
        email: &EmailAddress,
        client: &str,
        now: Time,
    ) -> Result<Attempt> {
        let user = accounts::by_email(conn, email)?;
        let user_id = user.as_ref().map(|user| user.id.as_str());
        let guess = Guess {
            secret: Secret::Password,
            account: email.as_str(),
            user_id,
            client,
        };
        let charge = self.charge(conn, guess, now)?;
        let hash = match &user {
            Some(user) => pending::sign_in_hash(conn, user)?,
            None => None,
        };
        let subject_id = self.subject_of(user_id, email, now);
        Ok(Attempt {
            user,
            hash,
            charge,
            subject_id,
        })
    }

    fn end_attempt(
        &self,
        conn: &Connection,
        attempt: Attempt,
        right: bool,
        fresh: Option<&str>,
        caller: &Caller,
        now: Time,
    ) -> Result<Grant> {
        let fail = |refusal: AuthError| {
            let subject = Some(attempt.subject_id.as_str());
            audit::record_failure(conn, caller, subject, "password", refusal.code, now)?;
            reject(refusal)
        };
        let (Some(user), Some(hash), true) = (attempt.user, attempt.hash, right) else {
            return fail(AuthError::invalid_credentials());
        };
        // The password may have been changed while it was being checked: then it was the wrong one after all.
        if pending::sign_in_hash(conn, &user)?.as_ref() != Some(&hash) {
            return fail(AuthError::invalid_credentials());
        }
        attempt.charge.refund(conn)?;
        if user.email_confirmed_at.is_none() {
            return fail(AuthError::new(
                Kind::Invalid,
                "email_not_confirmed",
                "Email not confirmed",
            ));
        }
        if user.is_banned(now) {
            return fail(banned());
        }
        if let Some(fresh) = fresh {
            passwords::rehash(conn, &user.id, &hash, fresh)?;
        }
        let detail = [("method", json!("password"))];
        audit::record_from(
            conn,
            &caller.client,
            "sign_in",
            Actor::User(&user.id),
            Some(&user.id),
            &detail,
            now,
        )?;
        self.open_session(conn, &user.id, "password", Aal::Aal1, caller, now)
    }
}
