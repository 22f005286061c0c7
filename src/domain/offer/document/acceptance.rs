//! The acceptance of a version: its canonical form, its digest and the server's seal.

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::types::{Digests, canonical, digest};

/// What was accepted, by whom, when and from where.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Acceptance {
    /// The number of the offer.
    pub number: String,
    pub version: u32,
    /// Of the exact bytes that were shown.
    pub digests: Digests,
    /// The words beside the box that was checked.
    pub consent: String,
    /// As typed.
    pub name: String,
    pub title: String,
    pub email: String,
    /// When, as `2026-12-01T15:04:05.678Z`.
    pub accepted_at: String,
    /// The client's address, by the rule for proxies.
    pub client: String,
    pub user_agent: String,
    /// Who of the office has entered it on the customer's behalf.
    pub entered_by: Option<String>,
    /// Why, in the words of the office.
    pub note: Option<String>,
    /// The digest of the acceptance before this one; empty for the first.
    pub previous: String,
}

/// An acceptance with what proves it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    pub acceptance: Acceptance,
    pub digest: String,
    pub seal: String,
}

/// The server's key of seals.
#[derive(Clone)]
pub struct SealKey(Hmac<Sha256>);

impl SealKey {
    /// A key from 32 bytes. Fails if the library rejects the bytes.
    pub fn new(bytes: &[u8; 32]) -> Result<Self, hmac::digest::InvalidLength> {
        Hmac::new_from_slice(bytes).map(Self)
    }

    /// The seal of a digest: HMAC-SHA256 in lower-case hexadecimal.
    pub fn seal(&self, digest: &str) -> String {
        let mac = self.0.clone().chain_update(digest);
        hex::encode(mac.finalize().into_bytes())
    }

    /// Whether `seal` is that of the digest.
    pub fn is_seal(&self, digest: &str, seal: &str) -> bool {
        let mac = self.0.clone().chain_update(digest);
        hex::decode(seal).is_ok_and(|seal| mac.verify_slice(&seal).is_ok())
    }
}

impl Acceptance {
    /// The canonical JSON (RFC 8785).
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn to_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        canonical(self)
    }

    /// The acceptance with its digest and seal.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn sealed(self, key: &SealKey) -> Result<Receipt, serde_json::Error> {
        let digest = digest(&self.to_json()?);
        let seal = key.seal(&digest);
        Ok(Receipt {
            acceptance: self,
            digest,
            seal,
        })
    }
}
