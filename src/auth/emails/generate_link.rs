//! Links that an admin requests and passes on; no email is sent (auth API, section 3,
//! /admin/generate_link).

use serde_json::json;

use super::purpose::Purpose;
use crate::accounts::metadata::check_metadata;
use crate::accounts::pending;
use crate::accounts::signup::reload;
use crate::audit::Actor;
use crate::error::{AuthError, Result, reject};
use crate::sign_in::email_tokens::{EmailRedirect, EmailRequest, IssuedToken};
use crate::{Auth, SignedInUser, Transaction};
use domain::account::{Metadata, User};
use domain::email::email_address::EmailAddress;
use store::accounts::one_time_tokens::SignUp;
use store::accounts::{self, user_addresses};

/// Parameters of a requested link.
#[derive(Clone, Debug)]
pub struct LinkParams {
    pub purpose: Purpose,
    /// The user's address.
    pub email: EmailAddress,
    /// The password of a new account.
    pub password: Option<String>,
    /// The metadata of a new account.
    pub data: Metadata,
    /// The new address of an email change.
    pub new_email: Option<EmailAddress>,
    /// The redirect target.
    pub redirect_to: Option<String>,
}

#[derive(Clone, Debug)]
pub struct GeneratedLink {
    pub user: User,
    /// The link itself.
    pub action_link: String,
    /// The six-digit code.
    pub email_otp: String,
    pub hashed_token: String,
    /// The redirect target.
    pub redirect_to: String,
    /// The purpose; a magic link for an unknown address becomes a sign-up.
    pub purpose: Purpose,
}

impl Auth {
    /// Creates a link. Errors: `email_exists`, `user_not_found`, `weak_password`,
    /// `validation_failed`.
    pub async fn generate_link(
        &self,
        admin: SignedInUser,
        params: LinkParams,
    ) -> Result<GeneratedLink> {
        check_metadata(&params.data)?;
        let hash = match &params.password {
            Some(password) => {
                let email = Some(params.email.as_str());
                self.require_strength(password, email).await?;
                Some(self.hasher.hash(password).await?)
            }
            None => None,
        };
        self.change(move |tx| {
            let actor = Actor::User(&admin.user.id);
            tx.create_link(actor, params, hash)
        })
        .await
    }
}

impl Transaction<'_> {
    fn create_link(
        &self,
        actor: Actor<'_>,
        params: LinkParams,
        hash: Option<String>,
    ) -> Result<GeneratedLink> {
        let conn = self.conn;
        let known = accounts::by_email(conn, &params.email)?;
        // A magic link for an unknown address becomes a sign-up.
        let purpose = match (params.purpose, &known) {
            (Purpose::Magiclink, None) => Purpose::Signup,
            (purpose, _) => purpose,
        };
        let user = match (purpose, known) {
            (Purpose::Signup | Purpose::Invite, known) => {
                let data = params.data.clone();
                pending::take_over(self, known, &params.email, data, actor)?
            }
            (_, Some(user)) => user,
            (_, None) => return reject(AuthError::USER_NOT_FOUND),
        };
        let sign_up = hash
            .filter(|_| purpose == Purpose::Signup)
            .map(|hash| SignUp {
                password_hash: Some(hash),
                user_metadata: Metadata::new(),
            });
        let issued = self.issue_for(&user, purpose, &params, sign_up)?;
        let detail = [("type", json!(purpose.link_type()))];
        self.record("link_generated", actor, Some(&user.id), &detail)?;
        Ok(GeneratedLink {
            user: reload(conn, &user)?,
            action_link: self.link_url(&issued.token, purpose, params.redirect_to.as_deref()),
            email_otp: issued.code,
            hashed_token: issued.token,
            redirect_to: self.checked_redirect(params.redirect_to.as_deref()),
            purpose,
        })
    }

    /// Issues a token for the address that the purpose confirms.
    fn issue_for(
        &self,
        user: &User,
        purpose: Purpose,
        params: &LinkParams,
        sign_up: Option<SignUp>,
    ) -> Result<IssuedToken> {
        let Transaction { conn, now, .. } = *self;
        let mut address = params.email.as_str().to_owned();
        match purpose {
            Purpose::Invite => accounts::mark_invited(conn, &user.id, now)?,
            Purpose::EmailChangeCurrent | Purpose::EmailChangeNew => {
                let Some(new) = &params.new_email else {
                    return reject(AuthError::validation("new_email is needed"));
                };
                if accounts::by_email(conn, new)?.is_some() {
                    return reject(AuthError::EMAIL_EXISTS);
                }
                if user.new_email.as_deref() != Some(new.as_str()) {
                    user_addresses::begin_email_change(conn, &user.id, new, now)?;
                }
                if purpose == Purpose::EmailChangeNew {
                    new.as_str().clone_into(&mut address);
                }
            }
            _ => {}
        }
        let request = EmailRequest::new(Some(user), purpose, &address, &EmailRedirect::default());
        self.issue(&request.by_admin().with_sign_up(sign_up))
    }
}
