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

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;

    use super::verify;

    fn check(text: &str, signature: &[u8], key: &[u8]) -> bool {
        let address = bs58::encode(key).into_string();
        verify(text, &BASE64_URL_SAFE_NO_PAD.encode(signature), &address).is_ok()
    }

    #[test]
    fn the_vectors_of_rfc_8032_are_accepted_and_nothing_else() {
        let key = hex::decode("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
            .unwrap();
        let mut signature = hex::decode(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
             085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        )
        .unwrap();
        assert!(check("r", &signature, &key));
        assert!(!check("s", &signature, &key));
        assert!(!check("r", &signature[..63], &key));
        assert!(!check("r", &signature, &key[..31]));
        signature[0] ^= 1;
        assert!(!check("r", &signature, &key));
    }

    #[test]
    fn a_key_of_small_order_signs_nothing() {
        let mut neutral = [0; 32];
        neutral[0] = 1;
        let mut signature = [0; 64];
        signature[0] = 1;
        assert!(!check("any message at all", &signature, &neutral));
    }
}
