//! Links that an admin asks for and hands on by other means: nothing is mailed (contract section 3, /admin/generate_link). And invitations, which are.

use serde_json::json;

use super::accounts::{create_user_with_identity, grant_admin, known_user};
use super::audit::{self, Actor};
use super::email_tokens::{EmailRedirect, IssuedToken, MailRequest};
use super::error::{AuthError, Kind, Result, reject};
use super::purpose::Purpose;
use super::signup::{check_metadata, reload};
use super::{Auth, pending};
use crate::domain::account::{EmailAddress, Metadata, User};
use crate::domain::clock::Time;
use crate::store::one_time_tokens::SignUp;
use crate::store::{Connection, NewUser, accounts, user_addresses};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct LinkParams {
    /// What the link is for.
    pub purpose: Purpose,
    /// Whom it is for.
    pub email: EmailAddress,
    /// A new account's password.
    pub password: Option<String>,
    /// A new account's metadata.
    pub data: Metadata,
    /// The address to change to.
    pub new_email: Option<EmailAddress>,
    /// Where it leads.
    pub redirect_to: Option<String>,
}

/// A link to hand on.
#[derive(Clone, Debug)]
pub struct GeneratedLink {
    /// Whom it is for.
    pub user: User,
    /// The address of its page.
    pub action_link: String,
    /// The code.
    pub email_otp: String,
    /// The token in the link.
    pub hashed_token: String,
    /// Where it leads.
    pub redirect_to: String,
    /// What it is for in the end.
    pub purpose: Purpose,
}

/// An invitation that was made and mailed.
#[derive(Clone, Debug)]
pub struct Invited {
    /// The user.
    pub user: User,
    /// The link, for where there is no mail.
    pub link: String,
}

impl Auth {
    /// Makes a link.
    ///
    /// # Errors
    /// `email_exists`, `user_not_found`, `weak_password`, `validation_failed`.
    pub async fn generate_link(&self, actor: Actor<'_>, wish: LinkParams) -> Result<GeneratedLink> {
        check_metadata(&wish.data)?;
        let hash = match &wish.password {
            Some(password) => {
                let email = Some(wish.email.as_str());
                self.require_strength(password, email).await?;
                Some(self.hasher.hash(password).await?)
            }
            None => None,
        };
        let now = self.clock.now();
        let auth = self.clone();
        let actor = actor.to_owned();
        self.write(move |conn| auth.make_link(conn, actor.borrow(), wish, hash, now))
            .await
    }

    fn make_link(
        &self,
        conn: &Connection,
        actor: Actor<'_>,
        wish: LinkParams,
        hash: Option<String>,
        now: Time,
    ) -> Result<GeneratedLink> {
        let known = accounts::by_email(conn, &wish.email)?;
        // A sign-in link for nobody becomes a sign-up.
        let purpose = match (wish.purpose, &known) {
            (Purpose::Magiclink, None) => Purpose::Signup,
            (purpose, _) => purpose,
        };
        let user = match (purpose, known) {
            (Purpose::Signup | Purpose::Invite, Some(user))
                if user.email_confirmed_at.is_some() =>
            {
                return reject(email_exists());
            }
            (Purpose::Signup | Purpose::Invite, Some(user)) => {
                pending::reset(conn, &user, actor, now)?;
                user
            }
            (_, Some(user)) => user,
            (Purpose::Signup | Purpose::Invite, None) => {
                self.create_for_link(conn, actor, &wish, now)?
            }
            (_, None) => return reject(AuthError::user_not_found()),
        };
        let sign_up = hash
            .filter(|_| purpose == Purpose::Signup)
            .map(|hash| SignUp {
                password_hash: Some(hash),
                user_metadata: Metadata::new(),
            });
        let minted = self.mint_for(conn, &user, purpose, &wish, sign_up, now)?;
        let detail = [("type", json!(purpose.link_type()))];
        audit::record(conn, "link_generated", actor, Some(&user.id), &detail, now)?;
        Ok(GeneratedLink {
            user: reload(conn, &user)?,
            action_link: self.link(&minted.token, purpose, wish.redirect_to.as_deref()),
            email_otp: minted.code,
            hashed_token: minted.token,
            redirect_to: self.checked_redirect(wish.redirect_to.as_deref()),
            purpose,
        })
    }

    fn create_for_link(
        &self,
        conn: &Connection,
        actor: Actor<'_>,
        wish: &LinkParams,
        now: Time,
    ) -> Result<User> {
        let user = NewUser {
            email: Some(wish.email.clone()),
            user_metadata: wish.data.clone(),
            admin_managed: true,
            ..NewUser::default()
        };
        let user = create_user_with_identity(conn, user, None, now)?;
        audit::record(conn, "user_created", actor, Some(&user.id), &[], now)?;
        Ok(user)
    }

    /// Mints for the address that the purpose is about.
    fn mint_for(
        &self,
        conn: &Connection,
        user: &User,
        purpose: Purpose,
        wish: &LinkParams,
        sign_up: Option<SignUp>,
        now: Time,
    ) -> Result<IssuedToken> {
        let mut address = wish.email.as_str().to_owned();
        match purpose {
            Purpose::Invite => accounts::mark_invited(conn, &user.id, now)?,
            Purpose::EmailChangeCurrent | Purpose::EmailChangeNew => {
                let Some(new) = &wish.new_email else {
                    return reject(AuthError::validation("new_email is needed"));
                };
                if accounts::by_email(conn, new)?.is_some() {
                    return reject(email_exists());
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
        let mail = MailRequest::new(Some(user), purpose, &address, &EmailRedirect::default());
        self.mint(conn, &mail.by_admin().with_sign_up(sign_up), now)
    }

    /// Invites somebody by mail, as an admin if wanted; makes the account where there is none. Returns the link too, for where mails do not arrive.
    ///
    /// # Errors
    /// `email_exists` for somebody who has an account already.
    pub async fn invite(
        &self,
        actor: Actor<'_>,
        email: EmailAddress,
        as_admin: bool,
        redirect_to: Option<String>,
    ) -> Result<Invited> {
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
            if as_admin {
                grant_admin(conn, &user, actor, now)?;
            }
            accounts::mark_invited(conn, &user.id, now)?;
            let lead = EmailRedirect {
                redirect_to,
                challenge: None,
            };
            let mail = MailRequest::new(Some(&user), Purpose::Invite, email.as_str(), &lead);
            let link = auth.send(conn, &mail.by_admin(), now)?;
            audit::record(conn, "user_invited", actor, Some(&user.id), &[], now)?;
            Ok(Invited {
                user: reload(conn, &user)?,
                link: link.unwrap_or_default(),
            })
        })
        .await
    }

    /// A link with which a user chooses a new password, for the operator to hand on.
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn recovery_link(&self, email: EmailAddress) -> Result<String> {
        let now = self.clock.now();
        let auth = self.clone();
        let redirect_to = format!("{}/admin", self.origin);
        self.write(move |conn| {
            let user = known_user(conn, &email)?;
            let purpose = Purpose::Recovery;
            let mail = MailRequest::new(
                Some(&user),
                purpose,
                email.as_str(),
                &EmailRedirect::default(),
            );
            let minted = auth.mint(conn, &mail.by_admin(), now)?;
            let detail = [("type", json!("recovery"))];
            audit::record(
                conn,
                "link_generated",
                Actor::Operator,
                Some(&user.id),
                &detail,
                now,
            )?;
            Ok(auth.link(&minted.token, purpose, Some(&redirect_to)))
        })
        .await
    }

    /// Mails such a link for an operator. No request of somebody else delays or ends it.
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn mail_recovery_link(&self, email: EmailAddress) -> Result<()> {
        let now = self.clock.now();
        let auth = self.clone();
        let lead = EmailRedirect {
            redirect_to: Some(format!("{}/admin", self.origin)),
            challenge: None,
        };
        self.write(move |conn| {
            let user = known_user(conn, &email)?;
            let id = Some(user.id.as_str());
            audit::record(conn, "recovery_asked", Actor::Operator, id, &[], now)?;
            let mail = MailRequest::new(Some(&user), Purpose::Recovery, email.as_str(), &lead);
            auth.send(conn, &mail.by_admin(), now)?;
            Ok(())
        })
        .await
    }
}

fn email_exists() -> AuthError {
    AuthError::new(
        Kind::Unprocessable,
        "email_exists",
        "A user with this email address has already been registered",
    )
}
