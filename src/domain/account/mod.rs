//! Accounts: users, identities, factors and sessions as values. Secrets stay in `store` and `auth`.

pub mod account_email;
pub mod profile;

use poem_openapi::types::Any;
use poem_openapi::{Enum, Object};
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
    /// A person of whom no more than the user id is known.
    pub const fn of_id(id: String) -> Self {
        Self {
            id,
            email: None,
            name: None,
        }
    }

    /// The display name, or the address.
    pub fn shown(&self) -> &str {
        shown_name(self.name.as_deref(), self.email.as_deref())
    }
}

/// A user, with everything the user or an admin may see; on the wire with what else clients expect.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[oai(rename = "Account", skip_serializing_if_is_none)]
pub struct User {
    /// UUID.
    pub id: String,
    /// Lower case; `None` for users who sign in with a wallet only.
    #[oai(skip)]
    pub email: Option<String>,
    /// Stored for completeness; never used.
    #[oai(skip)]
    pub phone: Option<String>,
    /// When the address was confirmed.
    pub email_confirmed_at: Option<Time>,
    /// When the number was confirmed.
    pub phone_confirmed_at: Option<Time>,
    /// The new address, until it is confirmed.
    pub new_email: Option<String>,
    #[oai(skip)]
    pub email_change_confirmed: Option<EmailChangeSide>,
    /// Set by admins only.
    #[oai(skip)]
    pub app_metadata: Metadata,
    /// Set by the user; never used for authorization.
    #[oai(skip)]
    pub user_metadata: Metadata,
    /// When the invitation was made.
    pub invited_at: Option<Time>,
    /// When the confirmation was sent.
    pub confirmation_sent_at: Option<Time>,
    /// When a recovery or magic link was sent.
    pub recovery_sent_at: Option<Time>,
    /// When a change of address was sent for confirmation.
    pub email_change_sent_at: Option<Time>,
    /// When a reauthentication code was sent.
    pub reauthentication_sent_at: Option<Time>,
    /// The last sign-in.
    pub last_sign_in_at: Option<Time>,
    /// Sign-in is blocked until this time.
    pub banned_until: Option<Time>,
    /// Set on an anonymized user.
    pub deleted_at: Option<Time>,
    /// RFC 3339, as all times here.
    pub created_at: Time,
    /// The last change.
    pub updated_at: Time,
    /// Whether an admin created or invited the account, or granted it a role, while its address was
    /// unconfirmed. Never shown.
    #[oai(skip)]
    pub admin_managed: bool,
    /// The ways to sign in, oldest first.
    pub identities: Vec<Identity>,
    /// Oldest first.
    #[oai(skip)]
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
        self.factors.iter().any(Factor::is_verified)
    }
}

/// One way to sign in.
#[derive(Clone, Debug, PartialEq, Object)]
#[oai(skip_serializing_if_is_none)]
pub struct Identity {
    /// The row's id.
    #[oai(rename = "identity_id")]
    pub id: String,
    /// The provider's id of the user; for `email` the user's id.
    #[oai(rename = "id")]
    pub subject: String,
    /// The user's id.
    pub user_id: String,
    /// `email` or a provider.
    pub provider: String,
    /// The provider's claims.
    #[oai(rename = "identity_data")]
    pub data: Any<Metadata>,
    /// The address the provider gave.
    pub email: Option<String>,
    /// The last sign-in by it.
    pub last_sign_in_at: Option<Time>,
    /// When it was linked.
    pub created_at: Time,
    /// The last change.
    pub updated_at: Time,
}

/// A second factor, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
#[oai(skip_serializing_if_is_none)]
pub struct Factor {
    /// UUID.
    pub id: String,
    #[oai(skip)]
    pub user_id: String,
    /// `totp`.
    pub factor_type: String,
    pub status: FactorStatus,
    /// The user's name for it; may be empty.
    pub friendly_name: String,
    /// When enrollment started.
    pub created_at: Time,
    /// The last change.
    pub updated_at: Time,
    /// The last challenge.
    pub last_challenged_at: Option<Time>,
}

impl Factor {
    /// Whether a code was verified once.
    pub fn is_verified(&self) -> bool {
        self.status == FactorStatus::Verified
    }
}

crate::text_enum! {
    /// Whether a code of a second factor was verified once.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
    #[oai(rename_all = "snake_case")]
    pub enum FactorStatus {
        Unverified = "unverified",
        Verified = "verified",
    }
}

crate::text_enum! {
    /// Authenticator assurance level of a session.
    #[derive(
        Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum,
    )]
    #[serde(rename_all = "lowercase")]
    #[oai(rename_all = "lowercase")]
    pub enum Aal {
        /// One factor.
        Aal1 = "aal1",
        /// Two factors.
        Aal2 = "aal2",
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

crate::text_enum! {
    /// The roles of `user_roles` (specification section 6).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Role {
        /// May do everything in the dashboard.
        Admin = "admin",
        /// Works on requests: no users, no content, no erasure, no export of lists.
        Dispatcher = "dispatcher",
    }
}

crate::text_enum! {
    /// The two addresses of an email change.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum EmailChangeSide {
        /// The current address.
        Current = "current",
        /// The new address.
        New = "new",
    }
}
