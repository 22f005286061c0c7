//! The claims of an id_token as parsed, and the identity that remains after verification.

use serde::Deserialize;
use serde_json::{Map, Value};

use domain::clock::Time;

/// The verified identity claims of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityClaims {
    /// The provider's id of the user: never changes and is never reassigned.
    pub subject: String,
    /// The email address in ASCII lower case.
    pub email: Option<String>,
    /// Whether the provider has verified the address.
    pub email_verified: bool,
    /// Profile claims (`name`, `picture` …), for display only.
    pub profile: Map<String, Value>,
}

/// The result of verifying an id_token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedClaims {
    /// The user.
    pub identity: IdentityClaims,
    /// Digest of the token, stored until `expires_at` to prevent replay.
    pub digest: String,
    /// From this moment the token is rejected as expired.
    pub expires_at: Time,
}

/// The claims that are read.
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

impl From<Claims> for IdentityClaims {
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
        // Some providers send the flag as text.
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
