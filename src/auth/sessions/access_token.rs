//! Access tokens: PASETO v4.public with the key id in the footer (auth API, sections 2 and 7). The
//! verification key comes from our own key ring, and the signature is checked before any claim is
//! read. Nothing in the token selects an algorithm.

use pasetors::token::{Public, UntrustedToken};
use pasetors::version4::{PublicToken, V4};
use serde::{Deserialize, Serialize};

use crate::error::{AuthError, Result, reject};
use crate::keys::key_ring::KeyRing;
use domain::account::{Aal, AuthMethod};
use domain::clock::Time;

/// The `aud` and `role` of every access token.
pub const AUDIENCE: &str = "authenticated";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The user's id.
    pub sub: String,
    pub session_id: String,
    /// Always `authenticated`.
    pub aud: String,
    /// The issuer URL.
    pub iss: String,
    /// Always `authenticated`. Permissions are looked up for each request, never read from the
    /// token.
    pub role: String,
    /// The authenticator assurance level of the session.
    pub aal: Aal,
    /// The authentication methods of the session (RFC 8176).
    pub amr: Vec<AuthMethod>,
    /// Issued at (RFC 3339).
    pub iat: String,
    /// Not valid before (RFC 3339).
    pub nbf: String,
    /// Expires at (RFC 3339).
    pub exp: String,
}

#[derive(Serialize, Deserialize)]
struct Footer {
    kid: String,
}

/// Signs `claims` with the key that is active at `now`. Fails when signing fails.
pub fn sign(ring: &KeyRing, claims: &Claims, now: Time) -> Result<String> {
    let key = ring.signing(now);
    let footer = text(&Footer {
        kid: key.kid.clone(),
    })?;
    let message = text(claims)?;
    Ok(PublicToken::sign(
        &key.secret,
        message.as_bytes(),
        Some(footer.as_bytes()),
        None,
    )?)
}

fn text(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| crate::Error::Internal(error.to_string()))
}

/// Returns the claims of a token that we signed and that is valid at `now`. Errors: `bad_jwt` for
/// any other token.
pub fn verify(ring: &KeyRing, token: &str, issuer: &str, now: Time) -> Result<Claims> {
    match read(ring, token, now) {
        Some(claims) if is_valid(&claims, issuer, now) => Ok(claims),
        _ => reject(AuthError::BAD_JWT),
    }
}

fn read(ring: &KeyRing, token: &str, now: Time) -> Option<Claims> {
    let untrusted = UntrustedToken::<Public, V4>::try_from(token).ok()?;
    let footer: Footer = serde_json::from_slice(untrusted.untrusted_footer()).ok()?;
    let key = ring.verifying(&footer.kid, now)?;
    let trusted = PublicToken::verify(&key.public, &untrusted, None, None).ok()?;
    serde_json::from_str(trusted.payload()).ok()
}

fn is_valid(claims: &Claims, issuer: &str, now: Time) -> bool {
    let (Some(begins), Some(ends)) = (Time::parse(&claims.nbf), Time::parse(&claims.exp)) else {
        return false;
    };
    claims.aud == AUDIENCE && claims.iss == issuer && begins <= now && now < ends
}
