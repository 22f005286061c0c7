//! Emails to users: a code and a link (contract of the authentication service, section 6). The code
//! is on a line of its own before any other long number; a reauthentication email has no link.

use lettre::Address;
use lettre::message::Mailbox;

use super::body::{Action, EmailBody};
use super::{Draft, EmailRenderer, RenderError};
use crate::domain::notice::{AccountEmail, AccountEmailKind as Kind};

/// Instruction in every email with a link. The link comes first: it works on any device.
const OR_CODE: &str = "open the link below, or enter this code where one is asked for:";

/// The texts of one kind of account email.
struct Texts {
    subject: String,
    lead: String,
    action: &'static str,
    otherwise: &'static str,
}

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
        let texts = self.texts(notice);
        let lifetime = format_minutes(notice.minutes);
        let validity = match secret.link {
            Some(_) => format!("The code and the link work once, for {lifetime}."),
            None => format!("The code works once, for {lifetime}."),
        };
        let action = secret.link.map(|link| Action {
            label: texts.action.to_owned(),
            link,
        });
        Ok(Draft {
            to: Mailbox::new(None, to),
            reply_to: None,
            body: EmailBody {
                heading: texts.subject.clone(),
                preview: validity.clone(),
                lead: vec![texts.lead],
                code: Some(secret.code),
                action,
                notes: vec![validity, texts.otherwise.to_owned()],
                ..EmailBody::default()
            },
            subject: texts.subject,
        })
    }

    fn texts(&self, notice: &AccountEmail) -> Texts {
        let company = &self.company.name;
        let new = notice.new_email.as_deref().unwrap_or_default();
        match notice.kind {
            Kind::Signup => Texts {
                subject: "Confirm your e-mail address".to_owned(),
                lead: format!(
                    "An account at {company} was asked for with this address. To confirm that it is yours, {OR_CODE}"
                ),
                action: "Confirm the address",
                otherwise: "If it was not you, leave this mail alone: no account is opened.",
            },
            Kind::Invite => Texts {
                subject: format!("You are invited to {company}"),
                lead: format!(
                    "You are invited to work in the dashboard of {company}. To accept and to choose a password, {OR_CODE}"
                ),
                action: "Accept the invitation",
                otherwise: "If you do not know why you are invited, leave this mail alone.",
            },
            Kind::Recovery => Texts {
                subject: "Choose a new password".to_owned(),
                lead: format!(
                    "A new password was asked for your account at {company}. To choose one, {OR_CODE}"
                ),
                action: "Choose a new password",
                otherwise: "If it was not you, leave this mail alone: your password stays as it is.",
            },
            Kind::Magiclink => Texts {
                subject: "Your sign-in code".to_owned(),
                lead: format!("To sign in to {company}, {OR_CODE}"),
                action: "Sign in",
                otherwise: "If you are not signing in, leave this mail alone and tell nobody the code.",
            },
            Kind::EmailChangeCurrent => Texts {
                subject: "Confirm that your address changes".to_owned(),
                lead: format!(
                    "Your account at {company} is to use {new} from now on. To confirm this from your present address, {OR_CODE}"
                ),
                action: "Confirm the change",
                otherwise: "The new address has to confirm as well. If you did not ask for this, leave this mail alone and change your password.",
            },
            Kind::EmailChangeNew => Texts {
                subject: "Confirm your new address".to_owned(),
                lead: format!(
                    "An account at {company} is to use this address, {new}, from now on. To confirm that it is yours, {OR_CODE}"
                ),
                action: "Confirm the new address",
                otherwise: "The present address has to confirm as well. If you did not ask for this, leave this mail alone.",
            },
            Kind::Reauthentication => Texts {
                subject: "Your confirmation code".to_owned(),
                lead: format!(
                    "To go on with the change to your account at {company}, enter this code:"
                ),
                action: "",
                otherwise: "If you are not changing anything, tell nobody the code and change your password.",
            },
        }
    }
}

/// Formats a duration in minutes.
fn format_minutes(minutes: u32) -> String {
    match minutes {
        60 => "1 hour".to_owned(),
        _ if minutes >= 60 && minutes.is_multiple_of(60) => format!("{} hours", minutes / 60),
        1 => "1 minute".to_owned(),
        _ => format!("{minutes} minutes"),
    }
}
