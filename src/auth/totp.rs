//! Time-based codes (TOTP, RFC 6238: SHA-1, six digits, 30 seconds): a fresh secret with its picture, the secret sealed for the database, and the step of a code.

use qrcode::QrCode;
use qrcode::render::svg;
use totp_rs::{Algorithm, Builder, Secret, Totp};

use super::error::{AuthError, Error, Result};
use super::key_ring::KeyRing;
use crate::domain::clock::Time;
use crate::domain::ids;

/// Bytes of a secret, as RFC 4226 recommends.
const BYTES: usize = 20;
/// Seconds of a step.
const STEP_SECONDS: i64 = 30;
/// Characters of what the app shows.
const NAME: usize = 100;

/// A secret that nobody has seen yet.
pub(super) struct Fresh {
    /// Base32, to type in.
    pub secret: String,
    /// `otpauth://totp/…`
    pub uri: String,
    /// The address as a picture.
    pub qr_code: String,
}

/// Makes a secret for `account`, which the app shows under `issuer`.
pub(super) fn fresh(account: &str, issuer: &str) -> Result<Fresh> {
    let secret: [u8; BYTES] = ids::random_bytes();
    let totp = Builder::new()
        .with_secret(secret)
        .with_account_name(plain(account))
        .with_issuer(Some(plain(issuer)))
        .with_algorithm(Algorithm::SHA1)
        .build()
        .map_err(|_| AuthError::validation("The factor's issuer is not valid"))?;
    let uri = totp
        .to_url()
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Fresh {
        secret: Secret::from(secret).to_base32(),
        qr_code: picture(&uri)?,
        uri,
    })
}

/// The time step at which `code` is right: the present one or one beside it.
pub(super) fn step(
    ring: &KeyRing,
    factor_id: &str,
    sealed: &str,
    code: &str,
    now: Time,
) -> Result<Option<i64>> {
    let seconds = u64::try_from(now.seconds()).unwrap_or(0);
    Ok(unseal(ring, factor_id, sealed)?
        .check(code.trim(), seconds)
        .and_then(|step| i64::try_from(step).ok()))
}

/// The latest step whose code is right at `now`.
pub(super) const fn last_step(now: Time) -> i64 {
    now.seconds().div_euclid(STEP_SECONDS) + 1
}

/// Colons separate issuer and account in the address.
fn plain(text: &str) -> String {
    text.replace(':', " ")
        .chars()
        .filter(|c| !c.is_control())
        .take(NAME)
        .collect()
}

/// The address as bare SVG. Its colours are words: a `#` would end the data URL that the client makes of it.
fn picture(uri: &str) -> Result<String> {
    let code = QrCode::new(uri)
        .map_err(|_| AuthError::validation("The factor's issuer is too long for a picture"))?;
    Ok(code
        .render::<svg::Color<'_>>()
        .dark_color(svg::Color("black"))
        .light_color(svg::Color("white"))
        .min_dimensions(200, 200)
        .build())
}

/// Seals a secret for the database, bound to its factor: neither a stolen database nor a row moved elsewhere gives a working secret.
pub(super) fn seal(ring: &KeyRing, factor_id: &str, secret: &str) -> Result<String> {
    Ok(ring.sealing.seal(secret, factor_id)?)
}

fn unseal(ring: &KeyRing, factor_id: &str, sealed: &str) -> Result<Totp> {
    let opened = ring.sealing.open(sealed, factor_id)?;
    let secret = Secret::try_from_base32(&opened)
        .map_err(|_| Error::Internal("a factor's secret is damaged".into()))?;
    Builder::new()
        .with_secret(secret)
        .with_algorithm(Algorithm::SHA1)
        .build()
        .map_err(|error| Error::Internal(error.to_string()))
}
