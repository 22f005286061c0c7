//! Asking for a mail: a code to sign in, a recovery, the same again, and a code to prove that it is still you.

use super::audit::{self, Actor};
use super::error::{Kind, Refusal, Result, refuse};
use super::links::Lead;
use super::purpose::Purpose;
use super::signup::{check_metadata, signup_disabled};
use super::{Auth, Caller, SignedIn};
use crate::domain::account::{EmailAddress, Facts, User};
use crate::domain::clock::Time;
use crate::store::{Connection, accounts};

/// What `resend` can send again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// The confirmation of a new account.
    Signup,
    /// Both mails of a change of address.
    EmailChange,
}

impl Auth {
    /// Mails a code and a link to sign in with; makes an account where there is none, if wanted.
    ///
    /// # Errors
    /// `otp_disabled`, `signup_disabled`, `over_email_send_rate_limit`.
    pub async fn send_otp(
        &self,
        caller: Caller,
        email: EmailAddress,
        create_user: bool,
        data: Facts,
        lead: Lead,
    ) -> Result<()> {
        self.shield.check(&caller.client)?;
        check_metadata(&data)?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            auth.charge_mail(conn, "otp", &email, now)?;
            let (user, purpose) = match accounts::by_email(conn, &email)? {
                Some(user) if user.email_confirmed_at.is_some() => (user, Purpose::Magiclink),
                Some(user) => (user, Purpose::SignupByCode),
                None if !create_user => {
                    return refuse(Refusal::new(
                        Kind::Unprocessable,
                        "otp_disabled",
                        "Signups not allowed for otp",
                    ));
                }
                None if !auth.config.signup => return refuse(signup_disabled()),
                None => (
                    auth.create(conn, email.clone(), None, data, now)?,
                    Purpose::SignupByCode,
                ),
            };
            auth.send(conn, &user, purpose, email.as_str(), &lead, now)?;
            Ok(())
        })
        .await
    }

    /// Mails a link to choose a new password, if the address is somebody's. Nobody learns whether it is.
    ///
    /// # Errors
    /// `over_email_send_rate_limit`, for unknown addresses alike.
    pub async fn recover(&self, caller: Caller, email: EmailAddress, lead: Lead) -> Result<()> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            auth.charge_mail(conn, "recovery", &email, now)?;
            let Some(user) = accounts::by_email(conn, &email)? else {
                return Ok(());
            };
            let id = Some(user.id.as_str());
            audit::record(conn, "recovery_asked", Actor::Stranger, id, &[], now)?;
            auth.send(conn, &user, Purpose::Recovery, email.as_str(), &lead, now)?;
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
        what: Again,
        email: EmailAddress,
        lead: Lead,
    ) -> Result<()> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            let kind = match what {
                Again::Signup => "signup",
                Again::EmailChange => "email_change",
            };
            auth.charge_mail(conn, kind, &email, now)?;
            let Some(user) = accounts::by_email(conn, &email)? else {
                return Ok(());
            };
            match what {
                Again::Signup if user.email_confirmed_at.is_none() => {
                    auth.send(conn, &user, Purpose::Signup, email.as_str(), &lead, now)?;
                    Ok(())
                }
                Again::EmailChange if user.new_email.is_some() => {
                    auth.send_email_change(conn, &user, &lead, now)
                }
                _ => Ok(()),
            }
        })
        .await
    }

    /// Mails a code with which the signed-in user proves that it is still there.
    ///
    /// # Errors
    /// `email_not_confirmed`, `over_email_send_rate_limit`.
    pub async fn reauthenticate(&self, caller: SignedIn) -> Result<()> {
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            let user = caller.user;
            let Some(email) = confirmed_address(&user) else {
                return refuse(Refusal::new(
                    Kind::Unprocessable,
                    "email_not_confirmed",
                    "Please verify your email first.",
                ));
            };
            auth.charge_mail(conn, "reauthentication", &email, now)?;
            let lead = Lead::default();
            auth.send(
                conn,
                &user,
                Purpose::Reauthentication,
                email.as_str(),
                &lead,
                now,
            )?;
            Ok(())
        })
        .await
    }

    /// Mails both halves of a change of address that is under way and not yet agreed to.
    pub(super) fn send_email_change(
        &self,
        conn: &Connection,
        user: &User,
        lead: &Lead,
        now: Time,
    ) -> Result<()> {
        use crate::domain::account::EmailChangeSide::{Current, New};
        let agreed = user.email_change_confirmed;
        if let (Some(current), false) = (&user.email, agreed == Some(Current)) {
            self.send(conn, user, Purpose::EmailChangeCurrent, current, lead, now)?;
        }
        if let (Some(new), false) = (&user.new_email, agreed == Some(New)) {
            self.send(conn, user, Purpose::EmailChangeNew, new, lead, now)?;
        }
        Ok(())
    }
}

fn confirmed_address(user: &User) -> Option<EmailAddress> {
    user.email_confirmed_at?;
    user.email.as_ref()?.parse().ok()
}
