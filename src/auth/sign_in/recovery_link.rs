//! Recovery links for the operator's commands: printed, or sent by email.

use serde_json::json;

use super::email_tokens::{EmailRedirect, EmailRequest};
use crate::Auth;
use crate::accounts::user_by_email;
use crate::audit::Actor;
use crate::emails::purpose::Purpose;
use crate::error::Result;
use domain::email::email_address::EmailAddress;

impl Auth {
    /// Creates a recovery link for the operator to pass on. Errors: `user_not_found`.
    pub async fn recovery_link(&self, email: EmailAddress) -> Result<String> {
        let redirect_to = self.urls.dashboard.clone();
        self.change(move |tx| {
            let user = user_by_email(tx.conn, &email)?;
            let (purpose, redirect) = (Purpose::Recovery, EmailRedirect::default());
            let request = EmailRequest::new(Some(&user), purpose, email.as_str(), &redirect);
            let issued = tx.issue(&request.by_admin())?;
            let detail = [("type", json!("recovery"))];
            tx.record("link_generated", Actor::Operator, Some(&user.id), &detail)?;
            Ok(tx.link_url(&issued.token, purpose, Some(&redirect_to)))
        })
        .await
    }

    /// Sends a recovery link for an operator. Client requests neither delay nor replace it. Errors:
    /// `user_not_found`.
    pub async fn mail_recovery_link(&self, email: EmailAddress) -> Result<()> {
        let redirect = EmailRedirect {
            redirect_to: Some(self.urls.dashboard.clone()),
            challenge: None,
        };
        self.change(move |tx| {
            let user = user_by_email(tx.conn, &email)?;
            let id = Some(user.id.as_str());
            tx.record("recovery_asked", Actor::Operator, id, &[])?;
            let request =
                EmailRequest::new(Some(&user), Purpose::Recovery, email.as_str(), &redirect);
            tx.send_email(&request.by_admin()).map(drop)
        })
        .await
    }
}
