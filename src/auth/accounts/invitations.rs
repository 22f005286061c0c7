//! Invitations by email.

use super::pending;
use super::role::set_role;
use super::signup::reload;
use crate::audit::Actor;
use crate::emails::purpose::Purpose;
use crate::error::Result;
use crate::sign_in::email_tokens::{EmailRedirect, EmailRequest};
use crate::{Auth, SignedInUser, Transaction};
use domain::account::{Metadata, Role, User};
use domain::email::email_address::EmailAddress;
use store::accounts;

/// A sent invitation.
#[derive(Clone, Debug)]
pub struct Invitation {
    pub user: User,
    /// The link, for use without email delivery.
    pub link: String,
}

impl Auth {
    /// Invites a user by email, optionally with a role, and creates the account if there is none.
    /// Without an `admin`, the operator invites. Also returns the link, for sites without email
    /// delivery. Errors: `email_exists` if a confirmed account exists.
    pub async fn invite(
        &self,
        admin: Option<SignedInUser>,
        email: EmailAddress,
        role: Option<Role>,
        redirect_to: Option<String>,
    ) -> Result<Invitation> {
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            let admin = admin.as_ref().map(|admin| admin.user.id.as_str());
            let actor = admin.map_or(Actor::Operator, Actor::User);
            let known = accounts::by_email(conn, &email)?;
            let user = pending::take_over(tx, known, &email, Metadata::new(), actor)?;
            if role.is_some() {
                set_role(tx, &user, role, actor)?;
            }
            accounts::mark_invited(conn, &user.id, now)?;
            let redirect = EmailRedirect {
                redirect_to,
                challenge: None,
            };
            let request =
                EmailRequest::new(Some(&user), Purpose::Invite, email.as_str(), &redirect);
            let link = tx.send_email(&request.by_admin())?;
            tx.record("user_invited", actor, Some(&user.id), &[])?;
            Ok(Invitation {
                user: reload(conn, &user)?,
                link: link.unwrap_or_default(),
            })
        })
        .await
    }
}
