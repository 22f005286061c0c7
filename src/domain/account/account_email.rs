//! Emails of the authentication service, which contain a secret code and link.

use serde::{Deserialize, Serialize};

use crate::sealing::SealingKey;

/// An email of the authentication service. It holds a secret, so its stored notice is cleared after
/// sending.
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

/// The code and link of an email. Either signs in its holder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeAndLink {
    /// The six-digit code.
    pub code: String,
    /// The link; `None` in a reauthentication email.
    pub link: Option<String>,
}

/// A code and a link as stored in the outbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmailSecret {
    /// JSON of `CodeAndLink`, encrypted with a key that is stored outside the database.
    sealed: String,
}

impl EmailSecret {
    /// Encrypts `secret` for the recipient `to`.
    pub fn seal(
        secret: &CodeAndLink,
        key: &SealingKey,
        to: &str,
    ) -> Result<Self, pasetors::errors::Error> {
        let secret = serde_json::json!(secret).to_string();
        let sealed = key.seal(&secret, to)?;
        Ok(Self { sealed })
    }

    /// Decrypts the code and link; `None` if they were encrypted with another key or for another
    /// recipient.
    pub fn open(&self, key: &SealingKey, to: &str) -> Option<CodeAndLink> {
        serde_json::from_str(&key.open(&self.sealed, to).ok()?).ok()
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

impl AccountEmailKind {
    pub const ALL: [Self; 7] = [
        Self::Signup,
        Self::Invite,
        Self::Recovery,
        Self::Magiclink,
        Self::EmailChangeCurrent,
        Self::EmailChangeNew,
        Self::Reauthentication,
    ];
}
