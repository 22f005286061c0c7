//! Time-based one-time passwords (TOTP, RFC 6238: SHA-1, six digits, 30 seconds): new secrets with
//! a QR code, sealing for the database, and verification.

use qrcode::QrCode;
use qrcode::render::svg;
use totp_rs::{Algorithm, Builder, Secret, Totp};

use crate::error::{AuthError, Error, Result};
use crate::keys::key_ring::KeyRing;
use domain::clock::Time;
use domain::ids;

/// Length of a secret in bytes (RFC 4226 recommendation).
const BYTES: usize = 20;
/// Length of a time step in seconds.
const STEP_SECONDS: i64 = 30;
/// Maximum length of the labels that the authenticator app shows.
const NAME: usize = 100;

/// A newly enrolled factor. The secret is returned only here.
#[derive(Clone, Debug)]
pub struct Enrolled {
    pub id: String,
    /// The user's name for it.
    pub friendly_name: String,
    /// The URI as a QR code in SVG.
    pub qr_code: String,
    /// The secret in base32.
    pub secret: String,
    /// `otpauth://totp/…`
    pub uri: String,
}

/// Creates a factor with a secret for `account`; the app shows it under `issuer`.
pub(crate) fn enroll(
    friendly_name: String,
    account: &str,
    issuer: &str,
    now: Time,
) -> Result<Enrolled> {
    let secret: [u8; BYTES] = ids::random_bytes();
    let totp = Builder::new()
        .with_secret(secret)
        .with_account_name(sanitize_label(account))
        .with_issuer(Some(sanitize_label(issuer)))
        .with_algorithm(Algorithm::SHA1)
        .build()
        .map_err(|_| AuthError::validation("The factor's issuer is not valid"))?;
    let uri = totp
        .to_url()
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Enrolled {
        id: ids::new(now).to_string(),
        friendly_name,
        secret: Secret::from(secret).to_base32(),
        qr_code: qr_svg(&uri)?,
        uri,
    })
}

/// The time step at which `code` is correct: the current one or an adjacent one.
pub(crate) fn step(
    ring: &KeyRing,
    factor_id: &str,
    sealed: &str,
    code: &str,
    now: Time,
) -> Result<Option<i64>> {
    let seconds = u64::try_from(now.seconds()).unwrap_or(0);
    // Apps show the code in two groups.
    let code: String = code.split_whitespace().collect();
    Ok(unseal(ring, factor_id, sealed)?
        .check(&code, seconds)
        .and_then(|step| i64::try_from(step).ok()))
}

/// The latest step whose code is accepted at `now`.
pub(crate) const fn last_step(now: Time) -> i64 {
    now.seconds().div_euclid(STEP_SECONDS) + 1
}

/// A colon separates issuer and account in the URI.
fn sanitize_label(text: &str) -> String {
    text.replace(':', " ")
        .chars()
        .filter(|c| !c.is_control())
        .take(NAME)
        .collect()
}

/// A QR code as bare SVG. Colors are written as names: a `#` would end the data URL that the client
/// builds.
fn qr_svg(uri: &str) -> Result<String> {
    let code = QrCode::new(uri)
        .map_err(|_| AuthError::validation("The factor's issuer is too long for a picture"))?;
    Ok(code
        .render::<svg::Color<'_>>()
        .dark_color(svg::Color("black"))
        .light_color(svg::Color("white"))
        .min_dimensions(200, 200)
        .build())
}

/// Seals a secret for the database, bound to its factor: neither a stolen database nor a row moved
/// to another factor yields a working secret.
pub(crate) fn seal(ring: &KeyRing, factor_id: &str, secret: &str) -> Result<String> {
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
