//! Asking for a mail: a code to sign in, a recovery, the same again, and a code to prove that it is still you.

use super::audit::{self, Actor};
use super::email_tokens::{EmailRedirect, MailRequest};
use super::error::{AuthError, Kind, Result, reject};
use super::purpose::Purpose;
use super::signup::check_metadata;
use super::{Auth, Caller, SignedInUser, pending};
use crate::domain::account::{EmailAddress, Metadata, User};
use crate::domain::clock::Time;
use crate::store::one_time_tokens::SignUp;
use crate::store::{Connection, accounts, decoys, one_time_tokens};

/// What `resend` can send again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResendKind {
    /// The confirmation of a new account.
    Signup,
    /// Both mails of a change of address.
    EmailChange,
}

impl Auth {
    /// Mails a code and a link to sign in with; makes an account where there is none, if wanted and sign-up is on. Nobody learns whether there is one.
    ///
    /// # Errors
    /// `over_email_send_rate_limit`, for unknown addresses alike.
    pub async fn send_otp(
        &self,
        caller: Caller,
        email: EmailAddress,
        create_user: bool,
        data: Metadata,
        lead: EmailRedirect,
    ) -> Result<()> {
        self.shield.check(&caller.client)?;
        check_metadata(&data)?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            auth.charge_email(conn, "otp", &email, now)?;
            let sign_up = SignUp {
                password_hash: None,
                user_metadata: data,
            };
            let may_join = create_user && auth.config.signup;
            let known = accounts::by_email_or_decoy(conn, &email)?;
            let purpose = match &known {
                Some(user) if user.is_pending() => {
                    pending::purpose_for(user, Purpose::SignupByCode)
                }
                None if may_join => Purpose::SignupByCode,
                _ => Purpose::Magiclink,
            };
            let user = match known {
                None if may_join => Some(auth.create(conn, email.clone(), &sign_up, now)?),
                known => {
                    if may_join {
                        decoys::account(conn, now)?;
                    }
                    known
                }
            };
            let waits = user
                .as_ref()
                .is_some_and(|user| user.is_pending() && !user.admin_managed);
            let sign_up = (waits && !sign_up.user_metadata.is_empty()).then_some(sign_up);
            let mail = MailRequest::new(user.as_ref(), purpose, email.as_str(), &lead);
            auth.send(conn, &mail.with_sign_up(sign_up), now)?;
            Ok(())
        })
        .await
    }

    /// Mails a link to choose a new password, if the address is somebody's. Nobody learns whether it is.
    ///
    /// # Errors
    /// `over_email_send_rate_limit`, for unknown addresses alike.
    pub async fn recover(
        &self,
        caller: Caller,
        email: EmailAddress,
        lead: EmailRedirect,
    ) -> Result<()> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            auth.charge_email(conn, "recovery", &email, now)?;
            let user = accounts::by_email_or_decoy(conn, &email)?;
            let id = user.as_ref().map(|user| user.id.as_str());
            let (client, who) = (&caller.client, Actor::Stranger);
            audit::record_from(conn, client, "recovery_asked", who, id, &[], now)?;
            let mail = MailRequest::new(user.as_ref(), Purpose::Recovery, email.as_str(), &lead);
            auth.send(conn, &mail, now)?;
            Ok(())
        })
        .await
    }

    /// Mails again what waits for an answer, if anything does. Nobody learns whether it does.
    ///
    /// # Errors
    /// `over_email_send_rate_limit`, for unknown addresses alike.
    pub async fn resend(
        &self,
        caller: Caller,
        what: ResendKind,
        email: EmailAddress,
        lead: EmailRedirect,
    ) -> Result<()> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            let kind = match what {
                ResendKind::Signup => "signup",
                ResendKind::EmailChange => "email_change",
            };
            auth.charge_email(conn, kind, &email, now)?;
            let user = accounts::by_email_or_decoy(conn, &email)?;
            match what {
                ResendKind::Signup => {
                    let pending = user.filter(User::is_pending);
                    auth.send_confirmation_again(conn, pending.as_ref(), &email, &lead, now)
                }
                ResendKind::EmailChange => {
                    let changing = user.filter(|user| user.new_email.is_some());
                    auth.send_email_change(conn, changing.as_ref(), &email, &lead, now)
                }
            }
        })
        .await
    }

    /// Mails a pending user another confirmation: an invitation where there was one, else the sign-up that waits, if it is the only one.
    fn send_confirmation_again(
        &self,
        conn: &Connection,
        user: Option<&User>,
        email: &EmailAddress,
        lead: &EmailRedirect,
        now: Time,
    ) -> Result<()> {
        let sign_up = one_time_tokens::only_sign_up(conn, user.map_or("", |user| &user.id))?;
        let purpose = user.map_or(Purpose::Signup, |user| {
            pending::purpose_for(user, Purpose::Signup)
        });
        let mail = MailRequest::new(user, purpose, email.as_str(), lead);
        self.send(conn, &mail.with_sign_up(sign_up), now)?;
        Ok(())
    }

    /// Mails a code with which the signed-in user proves that it is still there.
    ///
    /// # Errors
    /// `email_not_confirmed`, `over_email_send_rate_limit`.
    pub async fn reauthenticate(&self, caller: SignedInUser) -> Result<()> {
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            let user = caller.user;
            let Some(email) = confirmed_address(&user) else {
                return reject(AuthError::new(
                    Kind::Unprocessable,
                    "email_not_confirmed",
                    "Please verify your email first.",
                ));
            };
            auth.charge_email(conn, "reauthentication", &email, now)?;
            let purpose = Purpose::Reauthentication;
            let mail = MailRequest::new(
                Some(&user),
                purpose,
                email.as_str(),
                &EmailRedirect::default(),
            );
            auth.send(conn, &mail, now)?;
            Ok(())
        })
        .await
    }

    /// Mails both halves of a change of address that is under way and not yet agreed to. Without a user it mails nothing and does the same work.
    pub(super) fn send_email_change(
        &self,
        conn: &Connection,
        user: Option<&User>,
        email: &EmailAddress,
        lead: &EmailRedirect,
        now: Time,
    ) -> Result<()> {
        use crate::domain::account::EmailChangeSide::{Current, New};
        let halves = match user {
            Some(user) => [
                (Purpose::EmailChangeCurrent, user.email.as_deref(), Current),
                (Purpose::EmailChangeNew, user.new_email.as_deref(), New),
            ],
            None => [
                (Purpose::EmailChangeCurrent, Some(email.as_str()), Current),
                (Purpose::EmailChangeNew, Some(email.as_str()), New),
            ],
        };
        let agreed = user.and_then(|user| user.email_change_confirmed);
        for (purpose, address, side) in halves {
            if let (Some(address), false) = (address, agreed == Some(side)) {
                let mail = MailRequest::new(user, purpose, address, lead);
                self.send(conn, &mail, now)?;
            }
        }
        Ok(())
    }
}

fn confirmed_address(user: &User) -> Option<EmailAddress> {
    user.email_confirmed_at?;
    user.email.as_ref()?.parse().ok()
}
