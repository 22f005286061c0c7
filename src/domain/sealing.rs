//! Encrypts secrets that are stored in the database (PASETO v4.local: XChaCha20 and keyed BLAKE2b).
//! The key comes from the key file, so a copy of the database alone reveals nothing.

use pasetors::errors::Error;
use pasetors::keys::SymmetricKey;
use pasetors::token::{Local, UntrustedToken};
use pasetors::version4::{LocalToken, V4};

/// A key for one kind of secret.
#[derive(Clone)]
pub struct SealingKey(SymmetricKey<V4>);

impl SealingKey {
    /// A key from 32 bytes. Fails if the library rejects the bytes.
    pub fn new(bytes: &[u8; 32]) -> Result<Self, Error> {
        SymmetricKey::from(bytes).map(Self)
    }

    /// Encrypts `secret` for the row named by `owner`; it cannot be decrypted in another row.
    pub fn seal(&self, secret: &str, owner: &str) -> Result<String, Error> {
        LocalToken::encrypt(&self.0, secret.as_bytes(), None, Some(owner.as_bytes()))
    }

    /// Decrypts the output of `seal` for the same key and `owner`. Fails if the key or owner
    /// differs, or the text was modified.
    pub fn open(&self, sealed: &str, owner: &str) -> Result<String, Error> {
        let untrusted = UntrustedToken::<Local, V4>::try_from(sealed)?;
        let opened = LocalToken::decrypt(&self.0, &untrusted, None, Some(owner.as_bytes()))?;
        Ok(opened.payload().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::SealingKey;

    #[test]
    fn a_sealed_secret_opens_with_its_key_for_its_owner_only() {
        let ours = SealingKey::new(&[1; 32]).unwrap();
        let sealed = ours.seal("JBSWY3DP", "factor-1").unwrap();
        assert!(!sealed.contains("JBSWY3DP"));
        assert_eq!(ours.open(&sealed, "factor-1").unwrap(), "JBSWY3DP");
        assert!(ours.open(&sealed, "factor-2").is_err());
        let others = SealingKey::new(&[2; 32]).unwrap();
        assert!(others.open(&sealed, "factor-1").is_err());
        assert!(ours.open("v4.local.nothing", "factor-1").is_err());
    }
}
