//! Verification of id_tokens (OpenID Connect Core 1.0, section 3.1.3.7). The key determines the
//! algorithm; only the key id is read from the header.

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use sha2::{Digest, Sha256, Sha384, Sha512};
use subtle::ConstantTimeEq;

use super::Error;
use super::claims::{Audience, Claims, VerifiedClaims};
use domain::clock::Time;

/// Accepted clock difference between the provider and us, in seconds.
const LEEWAY_SECONDS: f64 = 60.0;

/// The values that a token must contain.
pub(super) struct Expected<'a> {
    pub issuer: &'a str,
    pub client_ids: &'a [String],
    pub nonce: Option<&'a str>,
    pub access_token: Option<&'a str>,
}

/// The key id in the header of `token`.
pub(super) fn key_id(token: &str) -> Result<Option<String>, Error> {
    jsonwebtoken::decode_header(token)
        .map(|header| header.kid)
        .map_err(|_| Error::InvalidToken("The id_token is not a signed token"))
}

/// Checks `token` against `key` and `expected`.
pub(super) fn verify(
    token: &str,
    key: &Jwk,
    expected: &Expected<'_>,
    now: Time,
) -> Result<VerifiedClaims, Error> {
    let algorithm = algorithm(key).ok_or(Error::InvalidToken(
        "The id_token is signed with a key of the wrong kind",
    ))?;
    let claims = decode_claims(token, key, algorithm, expected)?;
    check_times(&claims, now)?;
    check_audience(&claims, expected.client_ids)?;
    check_nonce(&claims, expected.nonce)?;
    check_access_token(&claims, algorithm, expected.access_token)?;
    if claims.sub.is_empty() || claims.sub.len() > 255 {
        return Err(Error::InvalidToken("The id_token has no subject"));
    }
    Ok(VerifiedClaims {
        digest: digest(expected.issuer, token),
        expires_at: rejected_from(&claims),
        identity: claims.into(),
    })
}

/// Identifies a token by what its signature covers: some signatures can be rewritten without the
/// key (ECDSA: `s` and `n - s`), and the copy is the same token.
fn digest(issuer: &str, token: &str) -> String {
    let signed = token.rsplit_once('.').map_or(token, |(signed, _)| signed);
    let mut hash = Sha256::new();
    hash.update(b"id_token\0");
    hash.update(issuer);
    hash.update(b"\0");
    hash.update(signed);
    hex::encode(hash.finalize())
}

/// The moment from which `check_times` rejects the token, at the latest.
#[expect(
    clippy::cast_possible_truncation,
    reason = "clamped to what a timestamp can say"
)]
fn rejected_from(claims: &Claims) -> Time {
    /// The last second of the year 9999.
    const LAST: f64 = 253_402_300_799.0;
    let seconds = (claims.exp.ceil() + LEEWAY_SECONDS).clamp(0.0, LAST);
    Time::from_millis(seconds as i64 * 1000)
}

/// The algorithm of a key: the one it names, else the default of its type. Symmetric keys are
/// rejected: they do not belong in a published set.
fn algorithm(key: &Jwk) -> Option<Algorithm> {
    let usual = match &key.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(ec) => match ec.curve {
            EllipticCurve::P256 => Algorithm::ES256,
            EllipticCurve::P384 => Algorithm::ES384,
            _ => return None,
        },
        AlgorithmParameters::OctetKeyPair(okp) if okp.curve == EllipticCurve::Ed25519 => {
            Algorithm::EdDSA
        }
        _ => return None,
    };
    let Some(named) = key.common.key_algorithm else {
        return Some(usual);
    };
    let named = Algorithm::try_from(named).ok()?;
    (named.family() == usual.family()).then_some(named)
}

/// The claims, after checking the signature, the issuer and the audience. `check_times` checks the
/// times against our own clock.
fn decode_claims(
    token: &str,
    key: &Jwk,
    algorithm: Algorithm,
    expected: &Expected<'_>,
) -> Result<Claims, Error> {
    let key = DecodingKey::from_jwk(key)
        .map_err(|_| Error::InvalidToken("The id_token is signed with a broken key"))?;
    let mut rules = Validation::new(algorithm);
    rules.set_issuer(&[expected.issuer]);
    rules.set_audience(expected.client_ids);
    rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    rules.validate_exp = false;
    let token = jsonwebtoken::decode::<Claims>(token, &key, &rules).map_err(|error| {
        use jsonwebtoken::errors::ErrorKind;
        Error::InvalidToken(match error.kind() {
            ErrorKind::InvalidIssuer => "The id_token is another issuer's",
            ErrorKind::InvalidAudience => "The id_token is for another client",
            ErrorKind::InvalidAlgorithm => "The id_token is signed with another algorithm",
            ErrorKind::InvalidSignature => "The id_token's signature is wrong",
            _ => "The id_token is not what the standard asks for",
        })
    })?;
    // RFC 7515, section 4.1.11: a token with an unknown critical extension must be rejected, and we
    // support none.
    if token.header.crit.is_some() {
        return Err(Error::InvalidToken(
            "The id_token asks for an extension that is not known here",
        ));
    }
    Ok(token.claims)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "seconds of this era are exact in an f64"
)]
fn check_times(claims: &Claims, now: Time) -> Result<(), Error> {
    let (now, leeway) = (now.seconds() as f64, LEEWAY_SECONDS);
    if claims.exp + leeway <= now {
        return Err(Error::InvalidToken("The id_token has expired"));
    }
    if claims.iat > now + leeway || claims.nbf.is_some_and(|nbf| nbf > now + leeway) {
        return Err(Error::InvalidToken("The id_token is from the future"));
    }
    Ok(())
}

/// A token with several audiences must have been issued to us (`azp`); otherwise another audience
/// could use it here.
fn check_audience(claims: &Claims, client_ids: &[String]) -> Result<(), Error> {
    let shared = matches!(&claims.aud, Audience::Many(all) if all.len() > 1);
    let issued_to_us = claims
        .azp
        .as_ref()
        .map_or(!shared, |azp| client_ids.contains(azp));
    let named = match &claims.aud {
        Audience::One(one) => client_ids.contains(one),
        Audience::Many(all) => all.iter().any(|one| client_ids.contains(one)),
    };
    if named && issued_to_us {
        Ok(())
    } else {
        Err(Error::InvalidToken("The id_token is for another client"))
    }
}

fn check_nonce(claims: &Claims, raw: Option<&str>) -> Result<(), Error> {
    match (raw, &claims.nonce) {
        (None, None) => Ok(()),
        (Some(raw), Some(hash))
            if hex::encode(Sha256::digest(raw))
                .as_bytes()
                .ct_eq(hash.as_bytes())
                .into() =>
        {
            Ok(())
        }
        (Some(_), Some(_)) => Err(Error::InvalidToken("Nonces mismatch")),
        _ => Err(Error::InvalidToken(
            "Passed nonce and nonce in id_token should either both exist or not",
        )),
    }
}

/// `at_hash`: the left half of the access token's hash, by the hash of the signature's algorithm.
fn check_access_token(
    claims: &Claims,
    algorithm: Algorithm,
    access_token: Option<&str>,
) -> Result<(), Error> {
    let (Some(hash), Some(token)) = (&claims.at_hash, access_token) else {
        return Ok(());
    };
    let digest = match algorithm {
        Algorithm::RS384 | Algorithm::PS384 | Algorithm::ES384 => Sha384::digest(token).to_vec(),
        Algorithm::RS512 | Algorithm::PS512 | Algorithm::EdDSA => Sha512::digest(token).to_vec(),
        _ => Sha256::digest(token).to_vec(),
    };
    let half = base64::Engine::encode(
        &base64::prelude::BASE64_URL_SAFE_NO_PAD,
        &digest[..digest.len() / 2],
    );
    if half == *hash {
        Ok(())
    } else {
        Err(Error::InvalidToken(
            "The access token does not belong to the id_token",
        ))
    }
}

#[cfg(test)]
mod tests;
