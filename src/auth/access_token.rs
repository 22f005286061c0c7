//! Access tokens: PASETO v4.public with the key's id in the footer (contract sections 2 and 7). The key is chosen from our own ring and the signature checked
//! before a single claim is read; nothing in the token chooses an algorithm.

use pasetors::token::{Public, UntrustedToken};
use pasetors::version4::{PublicToken, V4};
use serde::{Deserialize, Serialize};

use super::error::{AuthError, Kind, Result, reject};
use super::key_ring::KeyRing;
use crate::domain::account::{Aal, Proof};
use crate::domain::clock::Time;

/// Whom our tokens are for.
pub const AUDIENCE: &str = "authenticated";

/// What a token says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The user's id.
    pub sub: String,
    /// The session's id.
    pub session_id: String,
    /// Always `authenticated`.
    pub aud: String,
    /// The address of the service.
    pub iss: String,
    /// Always `authenticated`: rights are looked up, never carried.
    pub role: String,
    /// How far the session has proved who it is.
    pub aal: Aal,
    /// By what.
    pub amr: Vec<Proof>,
    /// Issued at.
    pub iat: String,
    /// Not before.
    pub nbf: String,
    /// Not after.
    pub exp: String,
}

#[derive(Serialize, Deserialize)]
struct Footer {
    kid: String,
}

/// Signs `claims` with the key of `now`.
///
/// # Errors
/// When signing fails.
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
    serde_json::to_string(value).map_err(|error| super::Error::Internal(error.to_string()))
}

/// The claims of a token that is ours and valid at `now`.
///
/// # Errors
/// `bad_jwt` for everything else.
pub fn verify(ring: &KeyRing, token: &str, issuer: &str, now: Time) -> Result<Claims> {
    match read(ring, token, now) {
        Some(claims) if is_valid(&claims, issuer, now) => Ok(claims),
        _ => reject(AuthError::new(
            Kind::Forbidden,
            "bad_jwt",
            "invalid token: unable to verify it, or it has expired",
        )),
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
