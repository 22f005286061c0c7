//! Changes by the signed-in user: password (`password_change`), address, metadata.

use super::metadata::{check_metadata, merge_metadata};
use super::password_change::NewPassword;
use super::signup::reload;
use crate::error::{AuthError, Kind, Result, reject};
use crate::sign_in::email_tokens::EmailRedirect;
use crate::{Auth, ClientInfo, SignedInUser, Transaction};
use domain::account::{Metadata, User};
use domain::email::email_address::EmailAddress;
use store::accounts::user_addresses;
use store::{Connection, accounts};

/// Fields to change; absent fields stay unchanged.
#[derive(Clone, Debug, Default)]
pub struct UserChanges {
    pub email: Option<EmailAddress>,
    pub password: Option<String>,
    /// The current password, if the client sends it.
    pub current_password: Option<String>,
    /// The emailed reauthentication code.
    pub nonce: Option<String>,
    /// Merged key by key into the user's metadata.
    pub data: Option<Metadata>,
    /// Merged into the app metadata; admins only.
    pub app_metadata: Option<Metadata>,
    /// Redirect target of the emails of an email change.
    pub redirect: EmailRedirect,
}

/// Changing the password or address needs AAL2 if the user has a second factor.
fn require_second_factor(caller: &SignedInUser, changes: &UserChanges) -> Result<()> {
    match changes.password.is_some() || changes.email.is_some() {
        true => caller.require_second_factor(Kind::Unauthenticated),
        false => Ok(()),
    }
}

impl Auth {
    /// Changes the user. Errors: `not_admin`, `insufficient_aal`, `weak_password`, `same_password`,
    /// `reauthentication_needed`, `reauthentication_not_valid`, `email_exists`;
    /// `over_request_rate_limit` after too many attempts at the current password.
    pub async fn update_user(
        &self,
        from: ClientInfo,
        caller: SignedInUser,
        changes: UserChanges,
    ) -> Result<User> {
        if changes.app_metadata.is_some() {
            self.require_admin(&caller)?;
        }
        require_second_factor(&caller, &changes)?;
        let now = self.clock.now();
        let password = match &changes.password {
            Some(password) => {
                self.ip_limiter.check(&from)?;
                self.require_recent_session(&caller, changes.nonce.as_deref(), now)?;
                let current = changes.current_password.as_deref();
                Some(
                    self.prepare_password(&from, &caller.user, password, current)
                        .await?,
                )
            }
            None => None,
        };
        self.change(move |tx| {
            let caller = caller.reload(tx)?;
            require_second_factor(&caller, &changes)?;
            tx.apply_changes(&from, &caller, changes, password)
        })
        .await
    }
}

impl Transaction<'_> {
    fn apply_changes(
        &self,
        from: &ClientInfo,
        caller: &SignedInUser,
        changes: UserChanges,
        password: Option<NewPassword>,
    ) -> Result<User> {
        let Transaction { conn, now, .. } = *self;
        let user = &caller.user;
        let email = new_email(conn, user, changes.email)?;
        let user_metadata = merged_metadata(&user.user_metadata, changes.data)?;
        let app_metadata = merged_metadata(&user.app_metadata, changes.app_metadata)?;
        if let Some(password) = &password {
            password.check_unchanged(conn, user)?;
        }
        if let Some(email) = &email {
            let known = user.email.as_ref().and_then(|known| known.parse().ok());
            self.limit_email("email_change", known.as_ref().unwrap_or(email))?;
        }
        if let Some(nonce) = &changes.nonce {
            self.consume_nonce(from, user, nonce)?;
        }
        // No check may fail after this line. The password comes first, because it voids all pending
        // emails.
        if let Some(password) = password {
            self.set_password(caller, password)?;
        }
        if let Some(email) = &email {
            self.start_email_change(user, email, &changes.redirect)?;
        }
        if let Some(metadata) = user_metadata {
            accounts::set_user_metadata(conn, &user.id, &metadata, now)?;
        }
        if let Some(metadata) = app_metadata {
            accounts::set_app_metadata(conn, &user.id, &metadata, now)?;
        }
        reload(conn, user)
    }

    fn start_email_change(
        &self,
        user: &User,
        email: &EmailAddress,
        redirect: &EmailRedirect,
    ) -> Result<()> {
        let Transaction { conn, now, .. } = *self;
        user_addresses::begin_email_change(conn, &user.id, email, now)?;
        let user = reload(conn, user)?;
        self.send_email_change(Some(&user), email, redirect)?;
        self.record_own("email_change_asked", &user.id, &[])
    }
}

/// The requested address, unless the user has it already.
fn new_email(
    conn: &Connection,
    user: &User,
    asked: Option<EmailAddress>,
) -> Result<Option<EmailAddress>> {
    let email = asked.filter(|email| user.email.as_deref() != Some(email.as_str()));
    if let Some(email) = &email
        && accounts::by_email(conn, email)?.is_some()
    {
        return reject(AuthError::EMAIL_EXISTS);
    }
    Ok(email)
}

fn merged_metadata(old: &Metadata, changes: Option<Metadata>) -> Result<Option<Metadata>> {
    let merged = changes.map(|changes| merge_metadata(old.clone(), changes));
    if let Some(metadata) = &merged {
        check_metadata(metadata)?;
    }
    Ok(merged)
}
