//! Sign-up by address and password. A known address causes the same response and the same work, and
//! an unauthenticated client cannot change an existing account.

use serde_json::json;

use super::metadata::check_metadata;
use super::{create_user_with_identity, pending};
use crate::audit::Actor;
use crate::emails::purpose::Purpose;
use crate::error::{AuthError, Result, reject};
use crate::sessions::session::Grant;
use crate::sign_in::email_tokens::{EmailRedirect, EmailRequest};
use crate::{Auth, ClientInfo, Transaction};
use domain::account::{Aal, Metadata, User};
use domain::clock::Time;
use domain::email::email_address::EmailAddress;
use domain::ids;
use store::Connection;
use store::accounts::one_time_tokens::SignUp;
use store::accounts::{self, NewUser, decoys};

#[derive(Debug)]
pub enum SignUpResult {
    /// The address must be confirmed.
    Pending(User),
    /// The address is already registered: a decoy user for the response.
    Decoy(User),
    /// Auto-confirm is on: signed in at once.
    SignedIn(Box<Grant>),
}

impl Auth {
    /// Signs up. Errors: `signup_disabled`, `weak_password`, `validation_failed`,
    /// `over_email_send_rate_limit`; with auto-confirm `user_already_exists`.
    pub async fn sign_up(
        &self,
        caller: ClientInfo,
        email: EmailAddress,
        password: &str,
        data: Metadata,
        redirect: EmailRedirect,
    ) -> Result<SignUpResult> {
        self.ip_limiter.check(&caller)?;
        if !self.config.signup {
            return reject(AuthError::SIGNUP_DISABLED);
        }
        if password.is_empty() {
            return reject(AuthError::validation("Signup requires a valid password"));
        }
        self.require_strength(password, Some(email.as_str()))
            .await?;
        check_metadata(&data)?;
        // Hashed before the address is looked up, so that the work is the same.
        let hash = self.hasher.hash(password).await?;
        let sign_up = SignUp {
            password_hash: Some(hash),
            user_metadata: data,
        };
        self.change(move |tx| tx.register(email, sign_up, &redirect, &caller))
            .await
    }
}

impl Transaction<'_> {
    fn register(
        &self,
        email: EmailAddress,
        sign_up: SignUp,
        redirect: &EmailRedirect,
        caller: &ClientInfo,
    ) -> Result<SignUpResult> {
        let Transaction { conn, now, .. } = *self;
        let known = accounts::by_email_or_decoy(conn, &email)?;
        if self.config.autoconfirm {
            if known.is_some() {
                return reject(AuthError::USER_ALREADY_EXISTS);
            }
            let user = self.create_sign_up_user(email, &sign_up)?;
            let grant = self.open_session(&user.id, "password", Aal::Aal1, caller)?;
            return Ok(SignUpResult::SignedIn(Box::new(grant)));
        }
        self.limit_email("signup", &email)?;
        if known.is_some() {
            decoys::account(conn, now)?;
        }
        let answer = decoy_user(&email, sign_up.user_metadata.clone(), now);
        let user = match known {
            Some(user) if !user.is_pending() => {
                let request = EmailRequest::new(None, Purpose::Signup, email.as_str(), redirect);
                self.send_email(&request)?;
                return Ok(SignUpResult::Decoy(answer));
            }
            Some(user) => user,
            None => self.create_sign_up_user(email.clone(), &sign_up)?,
        };
        let purpose = pending::purpose_for(&user, Purpose::Signup);
        let sign_up = (!user.admin_managed).then_some(sign_up);
        let request = EmailRequest::new(Some(&user), purpose, email.as_str(), redirect);
        self.send_email(&request.with_sign_up(sign_up))?;
        // The caller must not see what an admin or another sign-up left in the account.
        Ok(SignUpResult::Pending(User {
            id: user.id,
            app_metadata: Metadata::new(),
            created_at: user.created_at,
            identities: user.identities,
            ..answer
        }))
    }

    /// Creates a user for a sign-up. With auto-confirm the sign-up takes effect at once; otherwise
    /// it is stored with its email.
    pub(crate) fn create_sign_up_user(
        &self,
        email: EmailAddress,
        sign_up: &SignUp,
    ) -> Result<User> {
        let at_once = self.config.autoconfirm;
        let sign_up = if at_once {
            sign_up.clone()
        } else {
            SignUp::default()
        };
        let user = NewUser {
            email: Some(email),
            password_hash: sign_up.password_hash,
            email_confirmed: at_once,
            user_metadata: sign_up.user_metadata,
            ..NewUser::default()
        };
        let user = create_user_with_identity(self, user, None)?;
        self.record("signed_up", Actor::Anonymous, Some(&user.id), &[])?;
        Ok(user)
    }
}

/// Reads the user again after its row was changed.
pub(crate) fn reload(conn: &Connection, user: &User) -> Result<User> {
    Ok(accounts::by_id(conn, &user.id)?.ok_or(store::Error::Missing)?)
}

/// A fake user of the same shape, for the response (auth API, section 3, /signup).
fn decoy_user(email: &EmailAddress, data: Metadata, now: Time) -> User {
    let metadata = json!({ "provider": "email", "providers": ["email"] });
    User {
        id: ids::new(now).to_string(),
        email: Some(email.as_str().to_owned()),
        app_metadata: metadata.as_object().cloned().unwrap_or_default(),
        user_metadata: data,
        confirmation_sent_at: Some(now),
        created_at: now,
        updated_at: now,
        ..User::default()
    }
}
