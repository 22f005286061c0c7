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
