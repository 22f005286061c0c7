//! The key of the hashes under which clients are counted: addresses themselves are never stored.

use std::net::IpAddr;

use anyhow::{Context, Result};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::domain::ids;

/// Hashes addresses.
#[derive(Clone)]
pub struct AddressKey(Hmac<Sha256>);

impl AddressKey {
    /// The hash of `address` in hexadecimal.
    pub fn hash(&self, address: IpAddr) -> String {
        let octets = match address {
            IpAddr::V4(v4) => v4.to_ipv6_mapped().octets(),
            IpAddr::V6(v6) => v6.octets(),
        };
        digest(self.0.clone().chain_update(octets))
    }
}

/// The first half of what `mac` has computed, in hexadecimal.
fn digest(mac: Hmac<Sha256>) -> String {
    hex::encode(&mac.finalize().into_bytes()[..16])
}

/// A new key, as the key file stores it.
///
/// # Errors
/// Never; the signature is that of a key generator.
pub fn generate() -> Result<String> {
    Ok(hex::encode(ids::random_bytes::<32>()))
}

/// The key in a key file's content, and its fingerprint.
///
/// # Errors
/// If the content is not a key.
pub fn parse(text: &str) -> Result<(AddressKey, String)> {
    let key: [u8; 32] = hex::decode(text.trim())
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .context("not 32 bytes in hexadecimal")?;
    let mac = Hmac::<Sha256>::new_from_slice(&key)?;
    let fingerprint = digest(mac.clone().chain_update("fingerprint"));
    Ok((AddressKey(mac), fingerprint))
}
