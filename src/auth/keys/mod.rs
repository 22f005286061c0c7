//! The keys: Ed25519 pairs that sign access tokens, and the secrets from which refresh tokens, link
//! tokens and digests are derived. They are stored in one file in the data folder, which is created
//! at the first start (`store/database/key_files/`) and rotated by command. `key_ring.rs` uses
//! them.

pub mod hashing;
pub mod key_ring;
pub mod lost_keys;
pub mod secrets;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use parking_lot::Mutex;

use domain::clock::Time;
use domain::ids;
use key_ring::{KeyFileData, KeyRecord, KeyRing, PUBLISH_AHEAD_SECONDS, SigningKey};
use store::Store;
use store::database::disk::file_permissions::require_private;
use store::database::key_files::{self, KeyFile, ParsedKeys};

/// How often a running server checks whether the file has changed.
const RELOAD_INTERVAL_MS: i64 = 5_000;

/// The keys of a running server: the file as last read.
pub struct Keys {
    file: PathBuf,
    state: Mutex<LoadedKeys>,
}

struct LoadedKeys {
    ring: Arc<KeyRing>,
    text: String,
    checked_at: Time,
}

impl Keys {
    /// Reads the keys of `store` from `folder`, or creates them at the first start. Fails when the
    /// file is missing, belongs to another database, or cannot be read or written.
    pub async fn open(store: &Store, folder: &Path, now: Time) -> Result<Self> {
        let found = store
            .open_keys(folder, KeyFile::Auth, parse, generate)
            .await?;
        Ok(Self {
            file: folder.join(KeyFile::Auth.name()),
            state: Mutex::new(LoadedKeys {
                ring: Arc::new(found.keys),
                text: found.text,
                checked_at: now,
            }),
        })
    }

    /// The keys at `now`. A rotation by another process takes effect within seconds; an unreadable
    /// file changes nothing.
    pub fn ring(&self, now: Time) -> Arc<KeyRing> {
        let mut state = self.state.lock();
        if now.millis() - state.checked_at.millis() >= RELOAD_INTERVAL_MS {
            state.checked_at = now;
            match self.newer(&state) {
                Ok(None) => {}
                Ok(Some((ring, text))) => {
                    state.ring = Arc::new(ring);
                    state.text = text;
                }
                Err(error) => {
                    tracing::error!("the key file {error}; the keys read before stay in use")
                }
            }
        }
        state.ring.clone()
    }

    /// The keys of the file and its text, if it has changed.
    fn newer(&self, state: &LoadedKeys) -> Result<Option<(KeyRing, String)>> {
        let text = std::fs::read_to_string(&self.file);
        let text = text.map_err(|error| anyhow!("cannot be read: {error}"))?;
        if text == state.text {
            return Ok(None);
        }
        let ring = KeyRing::parse(&text).map_err(|error| anyhow!("is damaged: {error}"))?;
        if ring.fingerprint() != state.ring.fingerprint() {
            bail!("belongs to another database");
        }
        Ok(Some((ring, text)))
    }
}

/// Adds a signing key. It is published at once and signs after ten minutes, so that every cached
/// key set contains it. Older keys verify until the tokens they signed have expired, so sessions
/// stay signed in. Returns the new key's id.
pub fn rotate(folder: &Path, access_token_seconds: u32, now: Time) -> Result<String> {
    let file = folder.join(KeyFile::Auth.name());
    require_private(&file)?;
    let text = std::fs::read_to_string(&file)?;
    let mut keys: KeyFileData = serde_json::from_str(&text)?;
    let signs_from = now.plus_seconds(PUBLISH_AHEAD_SECONDS).millis();
    // Twice the lifetime of a token: a margin for a server that reloads late.
    let ends = signs_from + 2 * 1000 * i64::from(access_token_seconds);
    keys.signing
        .retain(|key| key.ends.is_none_or(|ends| ends > now.millis()));
    for key in &mut keys.signing {
        key.ends.get_or_insert(ends);
    }
    let record = KeyRecord {
        seed: random_secret(),
        signs_from,
        ends: None,
    };
    let kid = SigningKey::parse(&record)?.kid;
    keys.signing.push(record);
    key_files::replace(folder, KeyFile::Auth, &serde_json::to_string_pretty(&keys)?)
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(kid)
}

/// New keys in the format of the key file.
pub fn generate() -> Result<String> {
    let keys = KeyFileData {
        signing: vec![KeyRecord {
            seed: random_secret(),
            signs_from: 0,
            ends: None,
        }],
        derivation: random_secret(),
        sealing: random_secret(),
    };
    Ok(serde_json::to_string_pretty(&keys)?)
}

/// Parses a key file. Fails when the content is not a valid key file.
pub fn parse(text: &str) -> Result<ParsedKeys<KeyRing>> {
    let keys = KeyRing::parse(text)?;
    let fingerprint = keys.fingerprint().to_owned();
    Ok(ParsedKeys { keys, fingerprint })
}

fn random_secret() -> String {
    hex::encode(ids::random_bytes::<32>())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time::from_millis(1_795_000_000_000);

    fn new_store(folder: &tempfile::TempDir) -> Store {
        Store::open(&folder.path().join("guardpost.db")).unwrap()
    }

    #[tokio::test]
    async fn a_running_server_keeps_its_keys_when_the_file_becomes_another_databases() {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::open(&new_store(&folder), folder.path(), NOW)
            .await
            .unwrap();
        let ours = keys.ring(NOW).fingerprint().to_owned();
        key_files::replace(folder.path(), KeyFile::Auth, &generate().unwrap()).unwrap();
        assert_eq!(keys.ring(NOW.plus_seconds(60)).fingerprint(), ours);
    }
}
