//! Invitations by email.

use super::create_user_with_identity;
use super::pending;
use super::role::set_role;
use super::signup::reload;
use crate::Auth;
use crate::audit;
use crate::audit::Actor;
use crate::emails::generate_link::email_exists;
use crate::emails::purpose::Purpose;
use crate::error::{Result, reject};
use crate::sign_in::email_tokens::{EmailRedirect, EmailRequest};
use domain::account::{Role, User};
use domain::email::email_address::EmailAddress;
use store::{NewUser, accounts};

/// A sent invitation.
#[derive(Clone, Debug)]
pub struct Invitation {
    pub user: User,
    /// The link, for use without email delivery.
    pub link: String,
}

impl Auth {
    /// Invites a user by email, optionally with a role, and creates the account if there is none.
    /// Also returns the link, for sites without email delivery. Errors: `email_exists` if a
    /// confirmed account exists.
    pub async fn invite(
        &self,
        actor: Actor<'_>,
        email: EmailAddress,
        role: Option<Role>,
        redirect_to: Option<String>,
    ) -> Result<Invitation> {
        let now = self.clock.now();
        let auth = self.clone();
        let actor = actor.to_owned();
        self.write(move |conn| {
            let actor = actor.borrow();
            let user = match accounts::by_email(conn, &email)? {
                Some(user) if user.email_confirmed_at.is_some() => return reject(email_exists()),
                Some(user) => {
                    pending::reset(conn, &user, actor, now)?;
                    user
                }
                None => {
                    let user = NewUser {
                        email: Some(email.clone()),
                        admin_managed: true,
                        ..NewUser::default()
                    };
                    let user = create_user_with_identity(conn, user, None, now)?;
                    audit::record(conn, "user_created", actor, Some(&user.id), &[], now)?;
                    user
                }
            };
            if role.is_some() {
                set_role(conn, &user, role, actor, now)?;
            }
            accounts::mark_invited(conn, &user.id, now)?;
            let redirect = EmailRedirect {
                redirect_to,
                challenge: None,
            };
            let request =
                EmailRequest::new(Some(&user), Purpose::Invite, email.as_str(), &redirect);
            let link = auth.send_email(conn, &request.by_admin(), now)?;
            audit::record(conn, "user_invited", actor, Some(&user.id), &[], now)?;
            Ok(Invitation {
                user: reload(conn, &user)?,
                link: link.unwrap_or_default(),
            })
        })
        .await
    }
}
