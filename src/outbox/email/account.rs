//! Emails to users: a code and a link (contract of the authentication service, section 6).

use lettre::Address;
use lettre::message::Mailbox;
use serde_json::json;

use super::draft::Draft;
use super::{EmailRenderer, RenderError};
use domain::account::account_email::{AccountEmail, AccountEmailKind as Kind};

impl EmailRenderer {
    pub(super) fn account_email(&self, notice: &AccountEmail) -> Result<Draft, RenderError> {
        let to: Address = notice
            .to
            .parse()
            .map_err(|_| RenderError::Permanent("its address is not a valid email address"))?;
        let secret =
            notice
                .secret
                .open(&self.email_key, &notice.to)
                .ok_or(RenderError::Permanent(
                    "its code was encrypted with another key",
                ))?;
        let facts = json!({
            "code": secret.code,
            "link": secret.link,
            "minutes": notice.minutes,
            "new_email": notice.new_email,
        });
        self.generated(Mailbox::new(None, to), template(notice.kind), facts)
    }
}

/// The name of a kind's template.
pub(super) const fn template(kind: Kind) -> &'static str {
    match kind {
        Kind::Signup => "account/signup",
        Kind::Invite => "account/invite",
        Kind::Recovery => "account/recovery",
        Kind::Magiclink => "account/magiclink",
        Kind::EmailChangeCurrent => "account/email_change_current",
        Kind::EmailChangeNew => "account/email_change_new",
        Kind::Reauthentication => "account/reauthentication",
    }
}
