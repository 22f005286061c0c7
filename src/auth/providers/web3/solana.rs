//! Signatures of Solana accounts: Ed25519 over the message's bytes; the address is the public key
//! in base 58.

use base64::Engine;
use base64::prelude::{BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD};
use ed25519_compact::{PublicKey, Signature};

use super::Error;

/// Checks that `address` made `signature` (base64url of 64 bytes) over `text`. Returns the address.
pub(super) fn verify(text: &str, signature: &str, address: &str) -> Result<String, Error> {
    let bytes: [u8; 64] = BASE64_URL_SAFE_NO_PAD
        .decode(signature)
        .or_else(|_| BASE64_URL_SAFE.decode(signature))
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or(Error::Malformed("signature must be base64url of 64 bytes"))?;
    let mut key = [0; 32];
    match bs58::decode(address).onto(&mut key) {
        Ok(32) => {}
        _ => return Err(Error::Malformed("message has no Solana address")),
    }
    // The check also rejects weak keys, under which one signature matches many messages.
    PublicKey::new(key)
        .verify(text, &Signature::new(bytes))
        .map_err(|_| Error::Rejected("The signature is not the address's"))?;
    Ok(address.to_owned())
}
