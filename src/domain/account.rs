//! People with an account: users, their identities, factors and sessions, as values. No secrets: those never leave the store's and `auth`'s hands.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::clock::Time;
use super::text::is_invisible;

/// A JSON object, as in the metadata of a user.
pub type Metadata = Map<String, Value>;

/// A user, with everything that may be shown to the user or an admin.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    /// UUIDv7 text.
    pub id: String,
    /// Lower case; none for people who sign in by a wallet alone.
    pub email: Option<String>,
    /// Kept for completeness; nothing is ever sent to it.
    pub phone: Option<String>,
    /// When the address was proved.
    pub email_confirmed_at: Option<Time>,
    /// When an admin said that the phone number is right.
    pub phone_confirmed_at: Option<Time>,
    /// The address that waits to replace `email`.
    pub new_email: Option<String>,
    /// Which half of a change of address is proved already.
    pub email_change_confirmed: Option<EmailChangeSide>,
    /// Set by admins only.
    pub app_metadata: Metadata,
    /// Set by the user; decides nothing.
    pub user_metadata: Metadata,
    /// When an invitation was made.
    pub invited_at: Option<Time>,
    /// When the letters of each kind were last sent.
    pub confirmation_sent_at: Option<Time>,
    /// Recovery and magic link.
    pub recovery_sent_at: Option<Time>,
    /// Change of address.
    pub email_change_sent_at: Option<Time>,
    /// Reauthentication.
    pub reauthentication_sent_at: Option<Time>,
    /// The last successful sign-in.
    pub last_sign_in_at: Option<Time>,
    /// No entry before this moment.
    pub banned_until: Option<Time>,
    /// Set when the row is kept as a shell only.
    pub deleted_at: Option<Time>,
    /// When the account was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
    /// Whether an admin made the account, invited it or gave it rights while its address was unproved. Shown to nobody.
    pub admin_managed: bool,
    /// Oldest first.
    pub identities: Vec<Identity>,
    /// Oldest first.
    pub factors: Vec<Factor>,
}

impl User {
    /// Whether the user may not enter at `now`.
    pub fn is_banned(&self, now: Time) -> bool {
        self.banned_until.is_some_and(|until| until > now)
    }

    /// Whether the account waits for its address to be proved.
    pub fn is_pending(&self) -> bool {
        self.email.is_some() && self.email_confirmed_at.is_none()
    }

    /// Whether a second factor stands in the way of the first.
    pub fn has_verified_factor(&self) -> bool {
        self.factors.iter().any(|factor| factor.verified)
    }
}

/// One way to prove to be a user.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// The row's id.
    pub id: String,
    /// Whose.
    pub user_id: String,
    /// `email`, a configured provider's id, `sso:…` or `web3`.
    pub provider: String,
    /// The provider's name for the person; for `email` the user's id.
    pub subject: String,
    /// What the provider said.
    pub data: Metadata,
    /// The address the provider gave.
    pub email: Option<String>,
    /// The last sign-in by it.
    pub last_sign_in_at: Option<Time>,
    /// When it was linked.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// A second factor, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The row's id.
    pub id: String,
    /// Whose.
    pub user_id: String,
    /// The user's own word for it, possibly empty.
    pub friendly_name: String,
    /// Whether a code was ever shown to be right.
    pub verified: bool,
    /// The last challenge.
    pub last_challenged_at: Option<Time>,
    /// When it was begun.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// How far a session has proved who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aal {
    /// One factor.
    Aal1,
    /// Two.
    Aal2,
}

impl Aal {
    /// `aal1` or `aal2`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Aal1 => "aal1",
            Self::Aal2 => "aal2",
        }
    }
}

/// One method by which a session proved who it is, and when (Unix seconds).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// `password`, `totp`, `recovery` …: the contract's list.
    pub method: String,
    /// Unix seconds.
    pub timestamp: i64,
}

/// A session: one sign-in on one device, one family of refresh tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// UUIDv7 text.
    pub id: String,
    /// Whose.
    pub user_id: String,
    /// When it was opened.
    pub created_at: Time,
    /// When a refresh token was last used.
    pub refreshed_at: Time,
    /// How far it has proved who it is.
    pub aal: Aal,
    /// By what, the newest first.
    pub amr: Vec<Proof>,
    /// The factor behind `Aal2`.
    pub factor_id: Option<String>,
    /// What the browser called itself.
    pub user_agent: Option<String>,
    /// The refresh token in force.
    pub counter: u32,
    /// Tokens below it yield nothing.
    pub min_counter: u32,
}

/// The roles of `user_roles` (specification section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// May see and move quotes and administer accounts.
    Admin,
}

impl Role {
    /// The word in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
        }
    }
}

/// The two addresses of a change of address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailChangeSide {
    /// The address that was.
    Current,
    /// The address that will be.
    New,
}

impl EmailChangeSide {
    /// The word in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::New => "new",
        }
    }
}

/// A mail address: checked, its ASCII letters in lower case, at most 255 bytes (contract section 1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EmailAddress {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // ASCII letters alone: Unicode folds the Kelvin sign onto `k`, and so somebody else's address onto this one.
        let text = text.trim().to_ascii_lowercase();
        // A quoted local part or a host without a dot is legal mail and never a person's address; both have carried header tricks.
        let plain = !text.chars().any(is_invisible)
            && !text.contains(['"', '(', ')', '[', ']', '<', '>', ',', ';', ' ', '\\'])
            && text
                .rsplit_once('@')
                .is_some_and(|(_, host)| host.contains('.'));
        if plain && text.len() <= 255 && email_address::EmailAddress::is_valid(&text) {
            Ok(Self(text))
        } else {
            Err(NotAnAddress)
        }
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What was given is no mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a mail address")]
pub struct NotAnAddress;

#[cfg(test)]
mod tests {
    use super::EmailAddress;

    #[test]
    fn addresses_are_checked_and_lowered() {
        for (text, kept) in [
            ("Ada@Example.COM", Some("ada@example.com")),
            (" ada@example.com ", Some("ada@example.com")),
            (
                "ada+desk@mail.example.com",
                Some("ada+desk@mail.example.com"),
            ),
            ("\u{212a}ate@example.com", Some("\u{212a}ate@example.com")),
            ("ada", None),
            ("ada@localhost", None),
            ("ada@example.com, eve@example.com", None),
            ("\"ada eve\"@example.com", None),
            ("ada@[127.0.0.1]", None),
            ("<ada@example.com>", None),
            ("ada@exam\nple.com", None),
            ("ada\u{202e}@example.com", None),
            ("ad\u{200b}a@example.com", None),
            ("", None),
        ] {
            let read = text.parse::<EmailAddress>().ok();
            assert_eq!(read.as_ref().map(EmailAddress::as_str), kept, "{text:?}");
        }
        assert!(
            format!("{}@example.com", "a".repeat(300))
                .parse::<EmailAddress>()
                .is_err()
        );
    }
}
