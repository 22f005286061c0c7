//! Notices: requests to send an email. A notice is stored in the transaction of the event it
//! reports; the outbox renders and sends the email later.

use serde::{Deserialize, Serialize};

use super::sealing::SealingKey;

/// One event to report to one party. Records that have a row of their own are referenced by id and
/// read when the email is rendered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// To staff: a new contact message.
    Contact {
        /// The message's id.
        id: String,
        /// The recipient, after a notice to several staff addresses was split.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// To staff: a new quote request.
    Quote {
        /// The quote's id.
        id: String,
        /// Whether the visitor asks for an immediate call.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        emergency: bool,
        /// The recipient, after a notice to several staff addresses was split.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// To a user or an invited person.
    Account(AccountEmail),
}

/// Send order of emails: those a user is waiting for, then emergencies, then the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// An email of the authentication service.
    Account = 0,
    /// The notice of a quote request that asks for an immediate call.
    Emergency = 1,
    /// Any other notice.
    Normal = 2,
}

impl Priority {
    /// Every priority, most urgent first.
    pub const ALL: [Self; 3] = [Self::Account, Self::Emergency, Self::Normal];

    /// Its index in `ALL`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its value in the database.
    pub const fn rank(self) -> u8 {
        self as u8
    }
}

/// An email of the authentication service. It holds a secret, so its stored notice is cleared once
/// the email is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountEmail {
    /// Its purpose.
    pub kind: AccountEmailKind,
    /// The recipient's address.
    pub to: String,
    /// The code and the link, encrypted for this recipient.
    #[serde(flatten)]
    pub secret: EmailSecret,
    /// The new address, in emails about a change of address.
    pub new_email: Option<String>,
    /// Lifetime of code and link, in minutes.
    pub minutes: u32,
}

/// The code and link of an email. Anyone who has them can sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeAndLink {
    /// The six-digit code.
    pub code: String,
    /// The link; `None` in a reauthentication email.
    pub link: Option<String>,
}

/// A code and a link as stored in the outbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EmailSecret {
    /// Encrypted with a key that is stored outside the database.
    Sealed {
        /// Encrypted JSON of `CodeAndLink`.
        sealed: String,
    },
    /// Plain text, in rows written before codes were encrypted.
    Clear(CodeAndLink),
}

impl EmailSecret {
    /// Encrypts `secret` for the recipient `to`.
    ///
    /// # Errors
    /// If the system provides no randomness.
    pub fn seal(
        secret: &CodeAndLink,
        key: &SealingKey,
        to: &str,
    ) -> Result<Self, pasetors::errors::Error> {
        let secret = serde_json::json!(secret).to_string();
        let sealed = key.seal(&secret, to)?;
        Ok(Self::Sealed { sealed })
    }

    /// Decrypts the code and link; `None` if they were encrypted with another key or for another
    /// recipient.
    pub fn open(&self, key: &SealingKey, to: &str) -> Option<CodeAndLink> {
        match self {
            Self::Clear(secret) => Some(secret.clone()),
            Self::Sealed { sealed } => serde_json::from_str(&key.open(sealed, to).ok()?).ok(),
        }
    }
}

/// The emails of the authentication service (contract section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountEmailKind {
    /// Confirm a new account's address.
    Signup,
    /// An invitation.
    Invite,
    /// Choose a new password.
    Recovery,
    /// Sign in without a password.
    Magiclink,
    /// Confirm a change of address, from the old one.
    EmailChangeCurrent,
    /// Confirm a change of address, at the new one.
    EmailChangeNew,
    /// Confirm a sensitive change while signed in.
    Reauthentication,
}

impl Notice {
    /// A notice of a contact message.
    pub const fn contact(id: String) -> Self {
        Self::Contact { id, to: None }
    }

    /// A notice of a quote request.
    pub const fn quote(id: String, emergency: bool) -> Self {
        Self::Quote {
            id,
            emergency,
            to: None,
        }
    }

    /// The priority of its email.
    pub const fn priority(&self) -> Priority {
        match self {
            Self::Account(_) => Priority::Account,
            Self::Quote {
                emergency: true, ..
            } => Priority::Emergency,
            Self::Quote { .. } | Self::Contact { .. } => Priority::Normal,
        }
    }

    /// The same notice for one staff address; `None` if it has a recipient already.
    pub fn for_recipient(&self, address: &str) -> Option<Self> {
        let to = Some(address.to_owned());
        match self {
            Self::Contact { id, to: None } => Some(Self::Contact { id: id.clone(), to }),
            Self::Quote {
                id,
                emergency,
                to: None,
            } => Some(Self::Quote {
                id: id.clone(),
                emergency: *emergency,
                to,
            }),
            _ => None,
        }
    }

    /// Kind of the outbox row.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Contact { .. } => "contact",
            Self::Quote { .. } => "quote",
            Self::Account(_) => "account",
        }
    }

    /// What the notice is about: a row's id, or the recipient's address.
    pub fn subject_id(&self) -> &str {
        match self {
            Self::Contact { id, .. } | Self::Quote { id, .. } => id,
            Self::Account(email) => &email.to,
        }
    }
}
