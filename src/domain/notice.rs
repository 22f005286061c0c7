//! What somebody must be told. A notice is written in the transaction of the fact it tells of; the outbox turns it into a letter later.

use serde::{Deserialize, Serialize};

use super::sealing::SealingKey;

/// One thing to tell one party. Facts that have a row of their own are told by its id and read when the letter is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// The office: a contact message came in.
    Contact {
        /// The message's id.
        id: String,
        /// The one address it is for, where the office has several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// The office: a quote was asked for.
    Quote {
        /// The quote's id.
        id: String,
        /// Whether the visitor asks for a call right away.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        emergency: bool,
        /// The one address it is for, where the office has several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// A person with an account, or invited to one.
    Account(AccountEmail),
}

/// How soon an email is sent: first what a person waits for at a screen, then what cannot wait,
/// then all else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// An email of the authentication service.
    Account = 0,
    /// The notice of a quote whose visitor asks for a call right away.
    Emergency = 1,
    /// Any other notice.
    Normal = 2,
}

impl Priority {
    /// Every priority, the most urgent first.
    pub const ALL: [Self; 3] = [Self::Account, Self::Emergency, Self::Normal];

    /// Its place in `ALL`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The same as the database holds it.
    pub const fn rank(self) -> u8 {
        self as u8
    }
}

/// A letter of the authentication service. It carries a secret: its row is emptied once the letter has left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountEmail {
    /// What it is for.
    pub kind: AccountEmailKind,
    /// Whom it goes to.
    pub to: String,
    /// The code and the link, encrypted for this recipient.
    #[serde(flatten)]
    pub secret: EmailSecret,
    /// The new address, in letters about a change of address.
    pub new_email: Option<String>,
    /// Minutes for which code and link work.
    pub minutes: u32,
}

/// What a link in an email and its code are worth: whoever has them can sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeAndLink {
    /// The six-digit code.
    pub code: String,
    /// The link; none in a reauthentication email.
    pub link: Option<String>,
}

/// A code and a link as they wait in the outbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EmailSecret {
    /// Encrypted with a key that is not in the database.
    Sealed {
        /// JSON of `CodeAndLink`, sealed.
        sealed: String,
    },
    /// In clear, as rows written before codes were sealed have them.
    Clear(CodeAndLink),
}

impl EmailSecret {
    /// Seals `secret` for the recipient `to`.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn seal(
        secret: &CodeAndLink,
        key: &SealingKey,
        to: &str,
    ) -> Result<Self, pasetors::errors::Error> {
        let secret = serde_json::json!(secret).to_string();
        let sealed = key.seal(&secret, to)?;
        Ok(Self::Sealed { sealed })
    }

    /// The code and the link; none where other keys sealed them, or for another recipient.
    pub fn open(&self, key: &SealingKey, to: &str) -> Option<CodeAndLink> {
        match self {
            Self::Clear(secret) => Some(secret.clone()),
            Self::Sealed { sealed } => serde_json::from_str(&key.open(sealed, to).ok()?).ok(),
        }
    }
}

/// The letters of the authentication service (contract section 6).
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
    /// Prove that it is still you.
    Reauthentication,
}

impl Notice {
    /// Tells the office of a contact message.
    pub const fn contact(id: String) -> Self {
        Self::Contact { id, to: None }
    }

    /// Tells the office of a quote.
    pub const fn quote(id: String, emergency: bool) -> Self {
        Self::Quote {
            id,
            emergency,
            to: None,
        }
    }

    /// How soon its email is sent.
    pub const fn priority(&self) -> Priority {
        match self {
            Self::Account(_) => Priority::Account,
            Self::Quote {
                emergency: true, ..
            } => Priority::Emergency,
            Self::Quote { .. } | Self::Contact { .. } => Priority::Normal,
        }
    }

    /// The same notice for one address of the office; `None` where it is for somebody in particular already.
    pub fn addressed(&self, address: &str) -> Option<Self> {
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

    /// The word under which the row is listed.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Contact { .. } => "contact",
            Self::Quote { .. } => "quote",
            Self::Account(_) => "account",
        }
    }

    /// What the notice is about: a row's id, or the address of the person told.
    pub fn subject_id(&self) -> &str {
        match self {
            Self::Contact { id, .. } | Self::Quote { id, .. } => id,
            Self::Account(letter) => &letter.to,
        }
    }
}
