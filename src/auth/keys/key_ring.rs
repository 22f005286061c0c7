//! The keys in use: the one that signs, those that verify, and the values derived from the
//! derivation key. `keys/mod.rs` loads them from the file.

use anyhow::{Result, bail};
use ed25519_compact::{KeyPair, Seed};
use hmac::{Hmac, KeyInit, Mac};
use pasetors::keys::{AsymmetricPublicKey, AsymmetricSecretKey};
use pasetors::version4::V4;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use domain::clock::Time;
use domain::sealing::SealingKey;

/// How long a new key is published before it signs: as long as clients may cache the key set
/// (specification, section 9).
pub(crate) const PUBLISH_AHEAD_SECONDS: i64 = 600;

/// A signing key in the key file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyRecord {
    pub seed: String,
    pub signs_from: i64,
    /// The key verifies until this time (Unix milliseconds); `None` until a successor exists.
    pub ends: Option<i64>,
}

/// Content of the key file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyFileData {
    pub signing: Vec<KeyRecord>,
    pub derivation: String,
    pub sealing: String,
}

/// A signing key in use.
pub struct SigningKey {
    /// The key id in the token's footer.
    pub kid: String,
    /// The public key, for verification.
    pub public: AsymmetricPublicKey<V4>,
    pub(crate) secret: AsymmetricSecretKey<V4>,
    signs_from: i64,
    ends: Option<i64>,
}

/// All keys of one version of the file.
pub struct KeyRing {
    signing: Vec<SigningKey>,
    derivation: Hmac<Sha256>,
    pub(crate) sealing: SealingKey,
    emails: SealingKey,
    fingerprint: String,
}

fn bytes(text: &str) -> Result<[u8; 32]> {
    match hex::decode(text).map(<[u8; 32]>::try_from) {
        Ok(Ok(bytes)) => Ok(bytes),
        _ => bail!("a key is not 32 bytes in hexadecimal"),
    }
}

impl SigningKey {
    pub(crate) fn parse(written: &KeyRecord) -> Result<Self> {
        let seed = bytes(&written.seed)?;
        let public = *KeyPair::from_seed(Seed::new(seed)).pk;
        Ok(Self {
            kid: hex::encode(&Sha256::digest(public)[..8]),
            public: AsymmetricPublicKey::from(&public)?,
            secret: AsymmetricSecretKey::from(&[seed, public].concat())?,
            signs_from: written.signs_from,
            ends: written.ends,
        })
    }
}

impl KeyRing {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let keys: KeyFileData = serde_json::from_str(text)?;
        if keys.signing.is_empty() {
            bail!("there is no signing key");
        }
        let derivation = Hmac::new_from_slice(&bytes(&keys.derivation)?)?;
        let sealing = bytes(&keys.sealing)?;
        Ok(Self {
            signing: keys
                .signing
                .iter()
                .map(SigningKey::parse)
                .collect::<Result<_>>()?,
            sealing: SealingKey::new(&sealing)?,
            emails: SealingKey::new(&keyed(&derivation, "email", &[]))?,
            fingerprint: hex::encode(&keyed(&derivation, "fingerprint", &[&sealing])[..16]),
            derivation,
        })
    }

    /// The key that seals codes and links in unsent emails.
    pub fn emails(&self) -> &SealingKey {
        &self.emails
    }

    /// Identifies the secrets that stay the same when signing keys are rotated. The database stores
    /// it to recognize its key file.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The key that signs at `now`: the newest one that is active.
    pub fn signing(&self, now: Time) -> &SigningKey {
        self.signing
            .iter()
            .rev()
            .find(|key| key.signs_from <= now.millis())
            .unwrap_or(&self.signing[0])
    }

    /// The key with this id, if it still verifies at `now`.
    pub fn verifying(&self, kid: &str, now: Time) -> Option<&SigningKey> {
        self.published(now).find(|key| key.kid == kid)
    }

    /// The keys that are published at `now`.
    pub fn published(&self, now: Time) -> impl Iterator<Item = &SigningKey> {
        self.signing
            .iter()
            .filter(move |key| key.ends.is_none_or(|ends| ends > now.millis()))
    }

    /// Derives a secret value: HMAC-SHA-256 over `purpose` and `parts`, each with a length prefix,
    /// so that different lists never collide.
    pub fn derive(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        keyed(&self.derivation, purpose, parts)
    }

    /// The derived value in hex, for columns.
    pub fn digest(&self, purpose: &str, parts: &[&[u8]]) -> String {
        hex::encode(self.derive(purpose, parts))
    }
}

fn keyed(key: &Hmac<Sha256>, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = key.clone();
    for part in std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()) {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}
