//! Accounts: users, identities, factors and sessions as values. Secrets stay in `store` and `auth`.

pub mod account_email;
pub mod profile;

use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::profile::shown_name;
use super::clock::Time;

/// A JSON object, as in the metadata of a user.
pub type Metadata = Map<String, Value>;

/// A person of the office, as others see them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Object)]
pub struct Person {
    /// The user's id.
    pub id: String,
    /// The user's address; null if the account was deleted.
    pub email: Option<String>,
    /// The user's display name; null if they have none.
    pub name: Option<String>,
}

impl Person {
    /// The display name, or the address.
    pub fn shown(&self) -> &str {
        shown_name(self.name.as_deref(), self.email.as_deref())
    }
}

/// A user, with everything the user or an admin may see.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    /// UUIDv7 text.
    pub id: String,
    /// Lower case; `None` for users who sign in with a wallet only.
    pub email: Option<String>,
    /// Stored for completeness; never used.
    pub phone: Option<String>,
    /// When the email address was confirmed.
    pub email_confirmed_at: Option<Time>,
    /// When an admin confirmed the phone number.
    pub phone_confirmed_at: Option<Time>,
    /// Pending replacement of `email`.
    pub new_email: Option<String>,
    pub email_change_confirmed: Option<EmailChangeSide>,
    /// Set by admins only.
    pub app_metadata: Metadata,
    /// Set by the user; never used for authorization.
    pub user_metadata: Metadata,
    pub invited_at: Option<Time>,
    /// When the last confirmation email was sent.
    pub confirmation_sent_at: Option<Time>,
    /// When the last recovery or magic link email was sent.
    pub recovery_sent_at: Option<Time>,
    /// When the last email change email was sent.
    pub email_change_sent_at: Option<Time>,
    /// When the last reauthentication email was sent.
    pub reauthentication_sent_at: Option<Time>,
    /// The last successful sign-in.
    pub last_sign_in_at: Option<Time>,
    /// Sign-in is blocked until then.
    pub banned_until: Option<Time>,
    /// Set if the account was deleted and only an anonymized row remains.
    pub deleted_at: Option<Time>,
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
    /// Whether an admin created or invited the account, or granted it a role, while its address was
    /// unconfirmed. Never shown.
    pub admin_managed: bool,
    /// Oldest first.
    pub identities: Vec<Identity>,
    /// Oldest first.
    pub factors: Vec<Factor>,
}

impl User {
    /// Whether sign-in is blocked at `now`.
    pub fn is_banned(&self, now: Time) -> bool {
        self.banned_until.is_some_and(|until| until > now)
    }

    /// Whether the email address is unconfirmed.
    pub fn is_pending(&self) -> bool {
        self.email.is_some() && self.email_confirmed_at.is_none()
    }

    /// Whether sign-in needs a second factor.
    pub fn has_verified_factor(&self) -> bool {
        self.factors.iter().any(|factor| factor.verified)
    }
}

/// One sign-in identity of a user.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    pub id: String,
    pub user_id: String,
    /// `email`, a configured provider's id, `sso:…` or `web3`.
    pub provider: String,
    /// The provider's subject identifier; for `email` the user's id.
    pub subject: String,
    /// The provider's claims.
    pub data: Metadata,
    /// The email address from the provider.
    pub email: Option<String>,
    pub last_sign_in_at: Option<Time>,
    /// When it was linked.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// A second factor, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    pub id: String,
    pub user_id: String,
    /// The user's name for it; may be empty.
    pub friendly_name: String,
    /// Whether a code has been verified once.
    pub verified: bool,
    pub last_challenged_at: Option<Time>,
    /// When enrollment started.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// Authenticator assurance level of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aal {
    /// One factor.
    Aal1,
    /// Two factors.
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

/// One authentication method of a session (`amr` claim).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthMethod {
    /// `password`, `totp`, `recovery` …, as listed in the contract.
    pub method: String,
    /// When it was used, in Unix seconds.
    pub timestamp: i64,
}

/// A session: one sign-in on one device, with one family of refresh tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// UUIDv7 text.
    pub id: String,
    pub user_id: String,
    pub created_at: Time,
    /// When a refresh token was last used.
    pub refreshed_at: Time,
    /// Its assurance level.
    pub aal: Aal,
    /// Authentication methods, newest first.
    pub amr: Vec<AuthMethod>,
    /// The factor used for `Aal2`.
    pub factor_id: Option<String>,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// Counter of the current refresh token.
    pub counter: u32,
    /// Refresh tokens with a lower counter are invalid.
    pub min_counter: u32,
}

/// The roles of `user_roles` (specification section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// May do everything in the dashboard.
    Admin,
    /// Works on requests: no users, no content, no erasure, no export of lists.
    Dispatcher,
}

impl Role {
    /// Its value in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Dispatcher => "dispatcher",
        }
    }

    /// The role of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Admin, Self::Dispatcher]
            .into_iter()
            .find(|role| role.as_str() == name)
    }
}

/// The two addresses of an email change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailChangeSide {
    /// The current address.
    Current,
    /// The new address.
    New,
}

impl EmailChangeSide {
    /// Its value in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::New => "new",
        }
    }
}
