//! Random secrets and the form in which they are stored.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use domain::ids;

/// SHA-256 in hex: the stored form of a secret.
pub(crate) fn digest(secret: &str) -> String {
    hex::encode(Sha256::digest(secret))
}

/// A random token of 32 bytes in base64url.
pub fn random_token() -> String {
    URL_SAFE_NO_PAD.encode(ids::random_bytes::<32>())
}
