//! Response bodies of the contract's section 2; nothing else about a user is ever exposed.

pub(super) mod user;

use poem_openapi::Object;
use poem_openapi::types::Any;
use serde_json::Value;

use self::user::User;
use crate::auth::Grant;
use crate::auth::sessions::session::WeakPassword;
use crate::domain::account;
use crate::domain::clock::Time;

/// A session, the response of every token endpoint.
#[derive(Object)]
#[oai(skip_serializing_if_is_none)]
pub struct Session {
    /// PASETO v4.public; for the `Authorization` header.
    pub access_token: String,
    /// Always `bearer`.
    pub token_type: String,
    /// Lifetime of the access token in seconds.
    pub expires_in: i64,
    /// When the access token expires, in Unix seconds.
    pub expires_at: i64,
    /// Single use; each refresh returns a new one.
    pub refresh_token: String,
    /// `aal1` or `aal2`: the authenticator assurance level of this session.
    pub aal: String,
    /// The user.
    pub user: User,
    /// Present if today's rules would reject the password.
    pub weak_password: Option<Weakness>,
    /// The provider's access token.
    pub provider_token: Option<String>,
    /// The provider's refresh token.
    pub provider_refresh_token: Option<String>,
}

/// Why today's rules would reject the password.
#[derive(Object)]
pub struct Weakness {
    /// A message for people.
    pub message: String,
    /// `length`, `characters`, `pwned`.
    pub reasons: Vec<String>,
}

/// One way to sign in.
#[derive(Object, Clone)]
#[oai(skip_serializing_if_is_none)]
pub struct Identity {
    /// The row's id.
    pub identity_id: String,
    /// The provider's id of the user.
    pub id: String,
    /// The user's id.
    pub user_id: String,
    /// `email` or a provider.
    pub provider: String,
    /// The provider's claims.
    pub identity_data: Any<Value>,
    /// The address the provider gave.
    pub email: Option<String>,
    /// The last sign-in by it.
    pub last_sign_in_at: Option<String>,
    /// When it was linked.
    pub created_at: String,
    /// The last change.
    pub updated_at: String,
}

/// A second factor.
#[derive(Object, Clone)]
#[oai(skip_serializing_if_is_none)]
pub struct Factor {
    /// UUID.
    pub id: String,
    /// `totp`.
    pub factor_type: String,
    /// `unverified` or `verified`.
    pub status: String,
    /// The user's name for it.
    pub friendly_name: String,
    /// When enrollment started.
    pub created_at: String,
    /// The last change.
    pub updated_at: String,
    /// The last challenge.
    pub last_challenged_at: Option<String>,
}

/// An empty object, `{}`.
#[derive(Object, Default)]
#[oai(rename = "Nothing")]
pub struct Empty {}

fn text(time: Time) -> String {
    time.to_string()
}

impl From<Grant> for Session {
    fn from(grant: Grant) -> Self {
        Self {
            access_token: grant.access_token,
            token_type: "bearer".to_owned(),
            expires_in: grant.expires_in,
            expires_at: grant.expires_at,
            refresh_token: grant.refresh_token,
            aal: grant.aal.as_str().to_owned(),
            user: (&grant.user).into(),
            weak_password: grant.weak_password.map(Weakness::from),
            provider_token: grant.provider_token,
            provider_refresh_token: grant.provider_refresh_token,
        }
    }
}

impl From<WeakPassword> for Weakness {
    fn from(weak: WeakPassword) -> Self {
        Self {
            message: weak.message,
            reasons: weak.reasons.into_iter().map(ToOwned::to_owned).collect(),
        }
    }
}

impl From<&account::Identity> for Identity {
    fn from(identity: &account::Identity) -> Self {
        Self {
            identity_id: identity.id.clone(),
            id: identity.subject.clone(),
            user_id: identity.user_id.clone(),
            provider: identity.provider.clone(),
            identity_data: Any(Value::Object(identity.data.clone())),
            email: identity.email.clone(),
            last_sign_in_at: identity.last_sign_in_at.map(text),
            created_at: text(identity.created_at),
            updated_at: text(identity.updated_at),
        }
    }
}

impl From<&account::Factor> for Factor {
    fn from(factor: &account::Factor) -> Self {
        Self {
            id: factor.id.clone(),
            factor_type: "totp".to_owned(),
            status: if factor.verified {
                "verified"
            } else {
                "unverified"
            }
            .to_owned(),
            friendly_name: factor.friendly_name.clone(),
            created_at: text(factor.created_at),
            updated_at: text(factor.updated_at),
            last_challenged_at: factor.last_challenged_at.map(text),
        }
    }
}
