//! What an id_token says, as it is read, and the person that is left of it once it is proven.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::domain::clock::Time;

/// Whom a provider vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The provider's own name for them: never changes, never goes to somebody else.
    pub subject: String,
    /// Their mail address, its ASCII letters in lower case.
    pub email: Option<String>,
    /// Whether the provider has seen them read it.
    pub email_verified: bool,
    /// What else the provider says of them (`name`, `picture` …), for display only.
    pub profile: Map<String, Value>,
}

/// What a proven id_token says, and how to know it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Whom it is about.
    pub person: Person,
    /// Names the token: kept until `expires_at`, so that it works once.
    pub digest: String,
    /// From then on the token is refused for its age anyhow.
    pub expires_at: Time,
}

/// The claims we look at.
#[derive(Deserialize)]
pub(super) struct Claims {
    pub sub: String,
    pub exp: f64,
    pub iat: f64,
    pub nbf: Option<f64>,
    pub aud: Audience,
    pub azp: Option<String>,
    pub nonce: Option<String>,
    pub at_hash: Option<String>,
    pub email: Option<String>,
    #[serde(default)]
    pub email_verified: Value,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Audience {
    One(String),
    Many(Vec<String>),
}

impl From<Claims> for Person {
    fn from(claims: Claims) -> Self {
        const SHOWN: [&str; 7] = [
            "name",
            "given_name",
            "family_name",
            "nickname",
            "preferred_username",
            "picture",
            "locale",
        ];
        let email = claims
            .email
            .map(|email| email.trim().to_ascii_lowercase())
            .filter(|email| email.len() <= 255 && email_address::EmailAddress::is_valid(email));
        // Some providers write the flag as text.
        let verified =
            claims.email_verified == Value::Bool(true) || claims.email_verified == "true";
        let shown = claims
            .rest
            .into_iter()
            .filter(|(key, value)| {
                SHOWN.contains(&key.as_str())
                    && value.as_str().is_some_and(|text| text.len() <= 2048)
            })
            .collect();
        Self {
            email_verified: verified && email.is_some(),
            subject: claims.sub,
            email,
            profile: shown,
        }
    }
}
