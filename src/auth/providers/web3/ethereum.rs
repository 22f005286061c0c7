//! Signatures of Ethereum accounts: EIP-191 personal messages, secp256k1 with public key recovery.
//! Contract wallets (EIP-1271) need a node of the chain and are not supported.

use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use sha3::{Digest, Keccak256};

use super::Error;

/// Checks that `address` made `signature` (`0x` and 130 hex digits) over `text`. Returns the
/// address in lower case.
pub(super) fn verify(text: &str, signature: &str, address: &str) -> Result<String, Error> {
    let bytes: [u8; 65] = signature
        .strip_prefix("0x")
        .and_then(|digits| hex::decode(digits).ok())
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or(Error::Malformed("signature must be 0x and 130 hex digits"))?;
    if !address
        .strip_prefix("0x")
        .is_some_and(|digits| digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
    {
        return Err(Error::Malformed("message has no Ethereum address"));
    }
    let address = address.to_ascii_lowercase();
    match signer(text, &bytes) {
        Some(signer) if signer == address => Ok(address),
        _ => Err(Error::Rejected("The signature is not the address's")),
    }
}

/// The address whose key made the signature; `None` for an invalid signature.
fn signer(text: &str, bytes: &[u8; 65]) -> Option<String> {
    let (numbers, parity) = (&bytes[..64], bytes[64]);
    // Wallets write the recovery id as 27 or 28, hardware wallets as 0 or 1.
    let parity = match parity {
        0 | 1 => parity,
        27 | 28 => parity - 27,
        _ => return None,
    };
    let recovery = RecoveryId::from_byte(parity)?;
    let signature = Signature::from_slice(numbers).ok()?;
    let hash = Keccak256::new()
        .chain_update(format!("\x19Ethereum Signed Message:\n{}", text.len()))
        .chain_update(text)
        .finalize();
    let key = VerifyingKey::recover_from_prehash(&hash, &signature, recovery).ok()?;
    let point = key.to_sec1_point(false);
    let digest = Keccak256::digest(&point.as_bytes()[1..]);
    Some(format!("0x{}", hex::encode(&digest[12..])))
}
