//! Enqueues the email with a code and a link.

use super::purpose::Purpose;
use crate::error::Result;
use crate::sign_in::email_tokens::EmailRequest;
use crate::{Auth, Transaction};
use domain::account::account_email::{AccountEmail, CodeAndLink, EmailSecret};
use domain::email::notice::Notice;
use store::accounts::decoys;
use store::outbox;

impl Auth {
    /// The URL of the verification page with this token.
    pub fn link_url(&self, token: &str, purpose: Purpose, redirect_to: Option<&str>) -> String {
        let query = [
            ("token", token),
            ("type", purpose.link_type()),
            ("redirect_to", &self.checked_redirect(redirect_to)),
        ];
        let query = serde_urlencoded::to_string(query).unwrap_or_default();
        format!("{}?{query}", self.urls.verify)
    }
}

impl Transaction<'_> {
    /// Issues a code and a link, and enqueues their email in the caller's transaction. Returns the
    /// link.
    pub(crate) fn send_email(&self, request: &EmailRequest<'_>) -> Result<Option<String>> {
        let Transaction { conn, now, .. } = *self;
        let purpose = request.purpose;
        let issued = self.issue(request)?;
        // The invited user sets a password there, also when another sender repeats the invitation.
        let redirect_to = match &request.redirect.redirect_to {
            None if purpose == Purpose::Invite => Some(self.urls.dashboard.as_str()),
            requested => requested.as_deref(),
        };
        let link = (purpose != Purpose::Reauthentication)
            .then(|| self.link_url(&issued.token, purpose, redirect_to));
        let new_email = match purpose {
            Purpose::EmailChangeCurrent | Purpose::EmailChangeNew => {
                request.user.and_then(|user| user.new_email.clone())
            }
            _ => None,
        };
        let secret = CodeAndLink {
            code: issued.code,
            link: link.clone(),
        };
        let email = AccountEmail {
            kind: purpose.email_kind(),
            to: request.address.to_owned(),
            secret: EmailSecret::seal(&secret, self.keys.ring(now).emails(), request.address)?,
            new_email,
            minutes: u32::try_from(self.lifetime_seconds(purpose) / 60).unwrap_or(u32::MAX),
        };
        let notice = Notice::Account(email);
        match request.user {
            Some(_) => outbox::enqueue(conn, &notice, now)?,
            None => decoys::enqueue(conn, &notice, now)?,
        }
        Ok(link)
    }
}
