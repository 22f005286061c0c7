//! Response bodies of the contract's section 2; no other data of a user is exposed.

mod factor;
mod identity;
pub(super) mod user;

use poem_openapi::Object;

use self::user::User;
use auth::Grant;
use auth::sessions::session::WeakPassword;
pub use factor::Factor;

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
    /// Present if the current rules would reject the password.
    pub weak_password: Option<Weakness>,
    /// The provider's access token.
    pub provider_token: Option<String>,
    /// The provider's refresh token.
    pub provider_refresh_token: Option<String>,
}

/// Why the current rules would reject the password.
#[derive(Object)]
pub struct Weakness {
    /// A message for people.
    pub message: String,
    /// `length`, `characters`, `pwned`.
    pub reasons: Vec<String>,
}

/// An empty object, `{}`.
#[derive(Object, Default)]
#[oai(rename = "Nothing")]
pub struct Empty {}

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
