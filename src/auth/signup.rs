//! Sign-up by address and password. A known address gets the same answer in shape and work, and no stranger can change what it stands for.

use serde_json::json;

use super::accounts::create_user_with_identity;
use super::audit::{self, Actor};
use super::email_tokens::{EmailRedirect, MailRequest};
use super::error::{AuthError, Kind, Result, reject};
use super::purpose::Purpose;
use super::session::Grant;
use super::{Auth, Caller, pending};
use crate::domain::account::{Aal, EmailAddress, Metadata, User};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::store::one_time_tokens::SignUp;
use crate::store::{Connection, NewUser, accounts, decoys};

/// The longest metadata of a user, as JSON text.
const METADATA_BYTES: usize = 16 * 1024;

/// What came of a sign-up.
#[derive(Debug)]
pub enum SignedUp {
    /// The address waits for its confirmation.
    Pending(User),
    /// The address is somebody's already: a user made up for the answer.
    MadeUp(User),
    /// Addresses are taken for proved: signed in at once.
    In(Box<Grant>),
}

impl Auth {
    /// Signs up.
    ///
    /// # Errors
    /// `signup_disabled`, `weak_password`, `validation_failed`, `over_email_send_rate_limit`; with auto-confirm `user_already_exists`.
    pub async fn sign_up(
        &self,
        caller: Caller,
        email: EmailAddress,
        password: &str,
        data: Metadata,
        lead: EmailRedirect,
    ) -> Result<SignedUp> {
        self.shield.check(&caller.client)?;
        if !self.config.signup {
            return reject(signup_disabled());
        }
        if password.is_empty() {
            return reject(AuthError::validation("Signup requires a valid password"));
        }
        self.require_strength(password, Some(email.as_str()))
            .await?;
        check_metadata(&data)?;
        // Hashed before anybody looks whether the address is known: the work is the same.
        let hash = self.hasher.hash(password).await?;
        let now = self.clock.now();
        let auth = self.clone();
        let sign_up = SignUp {
            password_hash: Some(hash),
            user_metadata: data,
        };
        self.write(move |conn| auth.register(conn, email, sign_up, &lead, &caller, now))
            .await
    }

    fn register(
        &self,
        conn: &Connection,
        email: EmailAddress,
        sign_up: SignUp,
        lead: &EmailRedirect,
        caller: &Caller,
        now: Time,
    ) -> Result<SignedUp> {
        let known = accounts::by_email_or_decoy(conn, &email)?;
        if self.config.autoconfirm {
            if known.is_some() {
                return reject(AuthError::new(
                    Kind::Unprocessable,
                    "user_already_exists",
                    "User already registered",
                ));
            }
            let user = self.create(conn, email, &sign_up, now)?;
            let grant = self.open_session(conn, &user.id, "password", Aal::Aal1, caller, now)?;
            return Ok(SignedUp::In(Box::new(grant)));
        }
        self.charge_email(conn, "signup", &email, now)?;
        if known.is_some() {
            decoys::account(conn, now)?;
        }
        let answer = made_up(&email, sign_up.user_metadata.clone(), now);
        let user = match known {
            Some(user) if !user.is_pending() => {
                let mail = MailRequest::new(None, Purpose::Signup, email.as_str(), lead);
                self.send(conn, &mail, now)?;
                return Ok(SignedUp::MadeUp(answer));
            }
            Some(user) => user,
            None => self.create(conn, email.clone(), &sign_up, now)?,
        };
        let purpose = pending::purpose_for(&user, Purpose::Signup);
        let sign_up = (!user.admin_managed).then_some(sign_up);
        let mail = MailRequest::new(Some(&user), purpose, email.as_str(), lead);
        self.send(conn, &mail.with_sign_up(sign_up), now)?;
        // What an admin or somebody else's sign-up left in the account is not the caller's to see.
        Ok(SignedUp::Pending(User {
            id: user.id,
            app_metadata: Metadata::new(),
            created_at: user.created_at,
            identities: user.identities,
            ..answer
        }))
    }

    /// A new user from outside. Where addresses need no proof the sign-up takes effect at once; else it waits with its mail.
    pub(super) fn create(
        &self,
        conn: &Connection,
        email: EmailAddress,
        sign_up: &SignUp,
        now: Time,
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
        let user = create_user_with_identity(conn, user, None, now)?;
        audit::record(conn, "signed_up", Actor::Stranger, Some(&user.id), &[], now)?;
        Ok(user)
    }
}

/// The user as it stands after its row was changed.
pub(super) fn reload(conn: &Connection, user: &User) -> Result<User> {
    Ok(accounts::by_id(conn, &user.id)?.ok_or(crate::store::Error::Missing)?)
}

fn signup_disabled() -> AuthError {
    AuthError::new(
        Kind::Unprocessable,
        "signup_disabled",
        "Signups not allowed for this instance",
    )
}

/// Metadata is the user's own scrap of paper, not a store.
pub(super) fn check_metadata(data: &Metadata) -> Result<()> {
    let length = serde_json::to_string(data).map_or(usize::MAX, |text| text.len());
    if length > METADATA_BYTES {
        return reject(AuthError::validation("The metadata is longer than 16 KiB"));
    }
    Ok(())
}

/// A user of the same shape that is nobody (contract section 3, /signup).
fn made_up(email: &EmailAddress, data: Metadata, now: Time) -> User {
    let facts = json!({ "provider": "email", "providers": ["email"] });
    User {
        id: ids::new(now).to_string(),
        email: Some(email.as_str().to_owned()),
        phone: None,
        email_confirmed_at: None,
        phone_confirmed_at: None,
        new_email: None,
        email_change_confirmed: None,
        app_metadata: facts.as_object().cloned().unwrap_or_default(),
        user_metadata: data,
        invited_at: None,
        confirmation_sent_at: Some(now),
        recovery_sent_at: None,
        email_change_sent_at: None,
        reauthentication_sent_at: None,
        last_sign_in_at: None,
        banned_until: None,
        deleted_at: None,
        created_at: now,
        updated_at: now,
        admin_managed: false,
        identities: Vec::new(),
        factors: Vec::new(),
    }
}
