//! The keys: Ed25519 pairs that sign access tokens, and the secrets from which refresh tokens, link tokens and digests are derived. They live in one file in
//! the data folder, readable by us alone, made at the first start. What the tokens say is in `token.rs`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use hmac::{Hmac, KeyInit, Mac};
use pasetors::keys::{AsymmetricPublicKey, AsymmetricSecretKey, SymmetricKey};
use pasetors::version4::V4;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::domain::clock::Time;
use crate::domain::ids;

/// The file in the data folder.
const FILE: &str = "auth-keys.json";
/// How long a new key is published before it signs: as long as the key set may be cached (specification section 9).
const PUBLISH_AHEAD_SECONDS: i64 = 600;
/// How often a running server looks whether the file has changed.
const LOOK_AGAIN_MS: i64 = 5_000;

/// A signing key as it stands in the file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    seed: String,
    signs_from: i64,
    /// Not for verifying after this moment; none while no successor is known.
    ends: Option<i64>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    signing: Vec<Written>,
    derivation: String,
    sealing: String,
}

/// A signing key in use.
pub struct SigningKey {
    /// The name in the token's footer.
    pub kid: String,
    /// Verifies.
    pub public: AsymmetricPublicKey<V4>,
    pub(super) secret: AsymmetricSecretKey<V4>,
    signs_from: i64,
    ends: Option<i64>,
}

/// Everything of one state of the file.
pub struct KeyRing {
    signing: Vec<SigningKey>,
    derivation: Hmac<Sha256>,
    pub(super) sealing: SymmetricKey<V4>,
}

/// The keys of a running program: the file as last read.
pub struct Keys {
    file: PathBuf,
    state: Mutex<State>,
}

struct State {
    ring: Arc<KeyRing>,
    text: String,
    looked_at: Time,
}

impl Keys {
    /// Reads the keys in `folder`, or makes them at the first start.
    ///
    /// # Errors
    /// When the file can be neither read nor written, or holds something else.
    pub fn open(folder: &Path, now: Time) -> Result<Self> {
        let file = folder.join(FILE);
        if !file.exists() {
            create(folder, &file).with_context(|| format!("cannot write {}", file.display()))?;
        }
        let text = read(&file)?;
        let ring = Arc::new(KeyRing::parse(&text).with_context(|| damaged(&file))?);
        Ok(Self {
            file,
            state: Mutex::new(State {
                ring,
                text,
                looked_at: now,
            }),
        })
    }

    /// The keys as they are at `now`. A rotation by another process is noticed within seconds; a file that has become unreadable changes nothing.
    pub fn ring(&self, now: Time) -> Arc<KeyRing> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if (now.millis() - state.looked_at.millis()).abs() >= LOOK_AGAIN_MS {
            state.looked_at = now;
            match std::fs::read_to_string(&self.file) {
                Ok(text) if text == state.text => {}
                Ok(text) => match KeyRing::parse(&text) {
                    Ok(ring) => {
                        state.ring = Arc::new(ring);
                        state.text = text;
                    }
                    Err(error) => {
                        tracing::error!(%error, "the key file is damaged; the keys read before stay in use")
                    }
                },
                Err(error) => {
                    tracing::error!(%error, "the key file cannot be read; the keys read before stay in use")
                }
            }
        }
        state.ring.clone()
    }
}

/// Adds a signing key: published at once, signing after ten minutes, so that no cached key set lacks it; the old ones verify until the tokens they signed have
/// ended. Nobody is signed out. Returns the new key's id.
///
/// # Errors
/// When the file can be neither read nor written.
pub fn rotate(folder: &Path, access_token_seconds: u32, now: Time) -> Result<String> {
    let file = folder.join(FILE);
    if !file.exists() {
        create(folder, &file)?;
    }
    let mut keys: KeyFile = serde_json::from_str(&read(&file)?).with_context(|| damaged(&file))?;
    let signs_from = now.plus_seconds(PUBLISH_AHEAD_SECONDS).millis();
    // Twice the life of a token: room for a server that notices late.
    let ends = signs_from + 2 * 1000 * i64::from(access_token_seconds);
    keys.signing
        .retain(|key| key.ends.is_none_or(|ends| ends > now.millis()));
    for key in &mut keys.signing {
        key.ends.get_or_insert(ends);
    }
    let fresh = Written {
        seed: hex::encode(ids::random_bytes::<32>()),
        signs_from,
        ends: None,
    };
    let kid = SigningKey::parse(&fresh)?.kid;
    keys.signing.push(fresh);
    let draft = draft(folder, &keys)?;
    draft
        .persist(&file)
        .with_context(|| format!("cannot write {}", file.display()))?;
    sync_folder(folder)?;
    Ok(kid)
}

/// Of two processes that start together, the first one's file stands.
fn create(folder: &Path, file: &Path) -> Result<()> {
    let keys = KeyFile {
        signing: vec![Written {
            seed: hex::encode(ids::random_bytes::<32>()),
            signs_from: 0,
            ends: None,
        }],
        derivation: hex::encode(ids::random_bytes::<32>()),
        sealing: hex::encode(ids::random_bytes::<32>()),
    };
    match draft(folder, &keys)?.persist_noclobber(file) {
        Ok(_) => sync_folder(folder),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error.into()),
    }
}

/// A whole file beside its place; temporary files are readable by their owner alone.
fn draft(folder: &Path, keys: &KeyFile) -> Result<tempfile::NamedTempFile> {
    let mut draft = tempfile::NamedTempFile::new_in(folder)?;
    draft.write_all(&serde_json::to_vec_pretty(keys)?)?;
    draft.as_file().sync_all()?;
    Ok(draft)
}

fn sync_folder(folder: &Path) -> Result<()> {
    Ok(std::fs::File::open(folder)?.sync_all()?)
}

fn read(file: &Path) -> Result<String> {
    refuse_open_door(file)?;
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

#[cfg(unix)]
fn refuse_open_door(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(file)
        .with_context(|| format!("cannot read {}", file.display()))?
        .permissions()
        .mode();
    if mode & 0o077 != 0 {
        bail!(
            "{} can be read by others (mode {:o}): run `chmod 600` on it",
            file.display(),
            mode & 0o777
        );
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_open_door(_: &Path) -> Result<()> {
    Ok(())
}

fn damaged(file: &Path) -> String {
    format!(
        "{} does not hold our keys: put the backup back, or delete it to have new ones made (everybody signs in again)",
        file.display()
    )
}

fn bytes(text: &str) -> Result<[u8; 32]> {
    match hex::decode(text).map(<[u8; 32]>::try_from) {
        Ok(Ok(bytes)) => Ok(bytes),
        _ => bail!("a key is not 32 bytes in hexadecimal"),
    }
}

impl SigningKey {
    fn parse(written: &Written) -> Result<Self> {
        let seed = bytes(&written.seed)?;
        let public = ed25519_dalek::SigningKey::from_bytes(&seed)
            .verifying_key()
            .to_bytes();
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
    fn parse(text: &str) -> Result<Self> {
        let keys: KeyFile = serde_json::from_str(text)?;
        if keys.signing.is_empty() {
            bail!("there is no signing key");
        }
        Ok(Self {
            signing: keys
                .signing
                .iter()
                .map(SigningKey::parse)
                .collect::<Result<_>>()?,
            derivation: Hmac::new_from_slice(&bytes(&keys.derivation)?)?,
            sealing: SymmetricKey::from(&bytes(&keys.sealing)?)?,
        })
    }

    /// The key that signs at `now`: the newest whose time has come.
    pub fn signing(&self, now: Time) -> &SigningKey {
        self.signing
            .iter()
            .rev()
            .find(|key| key.signs_from <= now.millis())
            .unwrap_or(&self.signing[0])
    }

    /// The key of this name, if it still verifies at `now`.
    pub fn verifying(&self, kid: &str, now: Time) -> Option<&SigningKey> {
        self.published(now).find(|key| key.kid == kid)
    }

    /// The keys whose public halves are shown at `now`.
    pub fn published(&self, now: Time) -> impl Iterator<Item = &SigningKey> {
        self.signing
            .iter()
            .filter(move |key| key.ends.is_none_or(|ends| ends > now.millis()))
    }

    /// A secret value that nobody can make without the file: HMAC-SHA-256 over `purpose` and `parts`, each with its length, so that no two lists run together.
    pub fn derive(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.derivation.clone();
        for part in std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }

    /// The same as hexadecimal text, for columns.
    pub fn digest(&self, purpose: &str, parts: &[&[u8]]) -> String {
        hex::encode(self.derive(purpose, parts))
    }
}

#[cfg(test)]
mod tests {
    use super::{Keys, rotate};
    use crate::domain::clock::Time;

    const NOW: Time = Time::from_millis(1_795_000_000_000);

    #[cfg(unix)]
    #[test]
    fn keys_are_made_once_kept_from_others_and_refused_when_others_can_read_them() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let kid = |()| {
            let keys = Keys::open(folder.path(), NOW).unwrap();
            keys.ring(NOW).signing(NOW).kid.clone()
        };
        assert_eq!(kid(()), kid(()));
        let file = folder.path().join(super::FILE);
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(Keys::open(folder.path(), NOW).is_err());
    }

    #[test]
    fn a_new_key_is_published_before_it_signs_and_the_old_one_verifies_until_its_tokens_end() {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::open(folder.path(), NOW).unwrap();
        let old = keys.ring(NOW).signing(NOW).kid.clone();
        let new = rotate(folder.path(), 900, NOW).unwrap();
        let soon = NOW.plus_seconds(60);
        let ring = keys.ring(soon);
        assert_eq!(ring.published(soon).count(), 2);
        assert_eq!(ring.signing(soon).kid, old);
        let later = NOW.plus_seconds(601);
        assert_eq!(ring.signing(later).kid, new);
        assert!(ring.verifying(&old, NOW.plus_seconds(600 + 900)).is_some());
        assert!(ring.verifying(&old, NOW.plus_seconds(600 + 1801)).is_none());
    }
}
