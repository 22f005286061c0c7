//! What people with an account are told: a code to type and a link to open (contract of the
//! authentication service, section 6). The code stands on a line of its own before any other long
//! number; a reauthentication notice has no link.

use lettre::Address;
use lettre::message::Mailbox;

use super::body::{Action, EmailBody};
use super::{Draft, EmailRenderer, RenderError};
use crate::domain::notice::{AccountEmail, AccountEmailKind as Kind};

/// What to do, in every notice with a link. The link first: it works wherever the notice is read.
const OR_CODE: &str = "open the link below, or enter this code where one is asked for:";

/// The words of one kind of notice.
struct Words {
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
        let words = self.words(notice);
        let life = life(notice.minutes);
        let works = match secret.link {
            Some(_) => format!("The code and the link work once, for {life}."),
            None => format!("The code works once, for {life}."),
        };
        let action = secret.link.map(|link| Action {
            label: words.action.to_owned(),
            link,
        });
        Ok(Draft {
            to: Mailbox::new(None, to),
            reply_to: None,
            sheet: EmailBody {
                heading: words.subject.clone(),
                preview: works.clone(),
                lead: vec![words.lead],
                code: Some(secret.code),
                action,
                notes: vec![works, words.otherwise.to_owned()],
                ..EmailBody::default()
            },
            subject: words.subject,
        })
    }

    fn words(&self, notice: &AccountEmail) -> Words {
        let company = &self.company.name;
        let new = notice.new_email.as_deref().unwrap_or_default();
        match notice.kind {
            Kind::Signup => Words {
                subject: "Confirm your e-mail address".to_owned(),
                lead: format!(
                    "An account at {company} was asked for with this address. To confirm that it is yours, {OR_CODE}"
                ),
                action: "Confirm the address",
                otherwise: "If it was not you, leave this mail alone: no account is opened.",
            },
            Kind::Invite => Words {
                subject: format!("You are invited to {company}"),
                lead: format!(
                    "You are invited to work in the dashboard of {company}. To accept and to choose a password, {OR_CODE}"
                ),
                action: "Accept the invitation",
                otherwise: "If you do not know why you are invited, leave this mail alone.",
            },
            Kind::Recovery => Words {
                subject: "Choose a new password".to_owned(),
                lead: format!(
                    "A new password was asked for your account at {company}. To choose one, {OR_CODE}"
                ),
                action: "Choose a new password",
                otherwise: "If it was not you, leave this mail alone: your password stays as it is.",
            },
            Kind::Magiclink => Words {
                subject: "Your sign-in code".to_owned(),
                lead: format!("To sign in to {company}, {OR_CODE}"),
                action: "Sign in",
                otherwise: "If you are not signing in, leave this mail alone and tell nobody the code.",
            },
            Kind::EmailChangeCurrent => Words {
                subject: "Confirm that your address changes".to_owned(),
                lead: format!(
                    "Your account at {company} is to use {new} from now on. To confirm this from your present address, {OR_CODE}"
                ),
                action: "Confirm the change",
                otherwise: "The new address has to confirm as well. If you did not ask for this, leave this mail alone and change your password.",
            },
            Kind::EmailChangeNew => Words {
                subject: "Confirm your new address".to_owned(),
                lead: format!(
                    "An account at {company} is to use this address, {new}, from now on. To confirm that it is yours, {OR_CODE}"
                ),
                action: "Confirm the new address",
                otherwise: "The present address has to confirm as well. If you did not ask for this, leave this mail alone.",
            },
            Kind::Reauthentication => Words {
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

/// Minutes in words.
fn life(minutes: u32) -> String {
    match minutes {
        60 => "1 hour".to_owned(),
        _ if minutes >= 60 && minutes.is_multiple_of(60) => format!("{} hours", minutes / 60),
        1 => "1 minute".to_owned(),
        _ => format!("{minutes} minutes"),
    }
}
