//! Email requests: sign-in code, recovery, resend and reauthentication code.

pub mod generate_link;
pub mod purpose;
pub(super) mod send_email;

use super::accounts::metadata::check_metadata;
use super::accounts::pending;
use super::audit::Actor;
use super::error::{AuthError, Result, reject};
use super::sign_in::email_tokens::{EmailRedirect, EmailRequest};
use super::{Auth, ClientInfo, SignedInUser, Transaction};
use domain::account::{Metadata, User};
use domain::email::email_address::EmailAddress;
use purpose::Purpose;
use store::accounts::one_time_tokens::{self, SignUp};
use store::accounts::{self, decoys};

/// Which email `resend` sends again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResendKind {
    /// The confirmation of a new account.
    Signup,
    /// Both emails of an email change.
    EmailChange,
}

impl Auth {
    /// Sends a sign-in code and link. Creates an account if there is none, `create_user` is set and
    /// sign-up is on. The response does not reveal whether an account exists. Errors:
    /// `over_email_send_rate_limit`, also for unknown addresses.
    pub async fn send_otp(
        &self,
        caller: ClientInfo,
        email: EmailAddress,
        create_user: bool,
        data: Metadata,
        redirect: EmailRedirect,
    ) -> Result<()> {
        self.ip_limiter.check(&caller)?;
        check_metadata(&data)?;
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            tx.limit_email("otp", &email)?;
            let sign_up = SignUp {
                password_hash: None,
                user_metadata: data,
            };
            let may_join = create_user && tx.config.signup;
            let known = accounts::by_email_or_decoy(conn, &email)?;
            let purpose = match &known {
                Some(user) if user.is_pending() => {
                    pending::purpose_for(user, Purpose::SignupByCode)
                }
                None if may_join => Purpose::SignupByCode,
                _ => Purpose::Magiclink,
            };
            let user = match known {
                None if may_join => Some(tx.create_sign_up_user(email.clone(), &sign_up)?),
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
            let request = EmailRequest::new(user.as_ref(), purpose, email.as_str(), &redirect);
            tx.send_email(&request.with_sign_up(sign_up)).map(drop)
        })
        .await
    }

    /// Sends a link to set a new password if the address has an account. The response does not
    /// reveal whether it has. Errors: `over_email_send_rate_limit`, also for unknown addresses.
    pub async fn recover(
        &self,
        caller: ClientInfo,
        email: EmailAddress,
        redirect: EmailRedirect,
    ) -> Result<()> {
        self.ip_limiter.check(&caller)?;
        self.change(move |tx| {
            tx.limit_email("recovery", &email)?;
            let user = accounts::by_email_or_decoy(tx.conn, &email)?;
            let id = user.as_ref().map(|user| user.id.as_str());
            let actor = Actor::Anonymous;
            tx.record_from(&caller, "recovery_asked", actor, id, &[])?;
            let request =
                EmailRequest::new(user.as_ref(), Purpose::Recovery, email.as_str(), &redirect);
            tx.send_email(&request).map(drop)
        })
        .await
    }

    /// Sends a pending email again, if there is one. The response does not reveal whether there is.
    /// Errors: `over_email_send_rate_limit`, also for unknown addresses.
    pub async fn resend(
        &self,
        caller: ClientInfo,
        what: ResendKind,
        email: EmailAddress,
        redirect: EmailRedirect,
    ) -> Result<()> {
        self.ip_limiter.check(&caller)?;
        self.change(move |tx| {
            let kind = match what {
                ResendKind::Signup => "signup",
                ResendKind::EmailChange => "email_change",
            };
            tx.limit_email(kind, &email)?;
            let user = accounts::by_email_or_decoy(tx.conn, &email)?;
            match what {
                ResendKind::Signup => {
                    let pending = user.filter(User::is_pending);
                    tx.send_confirmation_again(pending.as_ref(), &email, &redirect)
                }
                ResendKind::EmailChange => {
                    let changing = user.filter(|user| user.new_email.is_some());
                    tx.send_email_change(changing.as_ref(), &email, &redirect)
                }
            }
        })
        .await
    }

    /// Sends a code with which the signed-in user reauthenticates. Errors: `email_not_confirmed`,
    /// `over_email_send_rate_limit`.
    pub async fn reauthenticate(&self, caller: SignedInUser) -> Result<()> {
        self.change(move |tx| {
            let user = caller.user;
            let Some(email) = confirmed_address(&user) else {
                return reject(AuthError::EMAIL_TO_VERIFY);
            };
            tx.limit_email("reauthentication", &email)?;
            let (purpose, redirect) = (Purpose::Reauthentication, EmailRedirect::default());
            let request = EmailRequest::new(Some(&user), purpose, email.as_str(), &redirect);
            tx.send_email(&request).map(drop)
        })
        .await
    }
}

impl Transaction<'_> {
    /// Sends a pending user another confirmation: the invitation for an invited user, else the
    /// pending sign-up if there is only one.
    fn send_confirmation_again(
        &self,
        user: Option<&User>,
        email: &EmailAddress,
        redirect: &EmailRedirect,
    ) -> Result<()> {
        let sign_up = one_time_tokens::only_sign_up(self.conn, user.map_or("", |user| &user.id))?;
        let purpose = user.map_or(Purpose::Signup, |user| {
            pending::purpose_for(user, Purpose::Signup)
        });
        let request = EmailRequest::new(user, purpose, email.as_str(), redirect);
        self.send_email(&request.with_sign_up(sign_up)).map(drop)
    }

    /// Sends the emails of a pending email change to the sides that have not confirmed yet. Without
    /// a user it sends nothing and does the same work.
    pub(super) fn send_email_change(
        &self,
        user: Option<&User>,
        email: &EmailAddress,
        redirect: &EmailRedirect,
    ) -> Result<()> {
        use domain::account::EmailChangeSide::{Current, New};
        let sides = match user {
            Some(user) => [
                (Purpose::EmailChangeCurrent, user.email.as_deref(), Current),
                (Purpose::EmailChangeNew, user.new_email.as_deref(), New),
            ],
            None => [
                (Purpose::EmailChangeCurrent, Some(email.as_str()), Current),
                (Purpose::EmailChangeNew, Some(email.as_str()), New),
            ],
        };
        let confirmed = user.and_then(|user| user.email_change_confirmed);
        for (purpose, address, side) in sides {
            if let (Some(address), false) = (address, confirmed == Some(side)) {
                let request = EmailRequest::new(user, purpose, address, redirect);
                self.send_email(&request)?;
            }
        }
        Ok(())
    }
}

fn confirmed_address(user: &User) -> Option<EmailAddress> {
    user.email_confirmed_at?;
    user.email.as_ref()?.parse().ok()
}
