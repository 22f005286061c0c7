//! The keys: Ed25519 pairs that sign access tokens, and the secrets from which refresh tokens, link tokens and digests are derived. They live in one file in
//! the data folder, readable by us alone, made at the first start and rotated by command. What they do is `key_ring.rs`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use super::key_ring::{KeyFile, KeyRing, PUBLISH_AHEAD_SECONDS, SigningKey, Written};
use crate::domain::clock::Time;
use crate::domain::ids;

/// The file in the data folder.
const FILE: &str = "auth-keys.json";
/// How often a running server looks whether the file has changed.
const LOOK_AGAIN_MS: i64 = 5_000;

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
        let ring = Arc::new(
            KeyRing::parse(&text)
                .with_context(|| damaged(&file))?
                .corrected(now),
        );
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
            let put_back = now < state.looked_at;
            state.looked_at = now;
            match std::fs::read_to_string(&self.file) {
                Ok(text) if text == state.text && !put_back => {}
                Ok(text) => match KeyRing::parse(&text) {
                    Ok(ring) => {
                        state.ring = Arc::new(ring.corrected(now));
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
