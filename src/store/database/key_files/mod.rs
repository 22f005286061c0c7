//! The key files beside the database. The database stores a fingerprint of each to detect missing
//! or wrong files: with other keys, second factors and links would fail one by one. New keys are
//! generated for a new database only.

mod key_file;
pub mod rows;

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::disk::file_permissions::{AccessError, require_private};
use super::disk::leftovers::{KEYS, use_while_open};
use crate::{Result, Store};
pub use key_file::{KeyFile, KnownKeys};
use rows::{known_keys, record_fingerprint};

/// Why a key file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The database was used with keys that are missing.
    #[error("{} is missing, and this database was used with it. {RESTORE}", .0.display())]
    Missing(PathBuf),
    /// The keys are those of another database.
    #[error("{} belongs to another database. {RESTORE}", .0.display())]
    Foreign(PathBuf),
    /// It contains no valid keys.
    #[error("{} holds no keys ({reason}). {RESTORE}", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// It cannot be read, or other users can read it.
    #[error(transparent)]
    Access(#[from] AccessError),
}

/// The advice to operators.
const RESTORE: &str = "Put the copy back that was made with this database. \
    Only if there is none: `guardpost replace-keys --lost` makes new keys (its --help says what \
    that costs)";

/// The content of a key file.
pub struct LoadedKeys<T> {
    /// The parsed keys.
    pub keys: T,
    pub fingerprint: String,
    pub text: String,
}

/// The keys in the text of a key file.
pub struct ParsedKeys<T> {
    pub keys: T,
    pub fingerprint: String,
}

/// Parses the text of a key file.
pub type Parse<T> = fn(&str) -> anyhow::Result<ParsedKeys<T>>;

/// Reads the key file in `folder` and compares it with the record in the database. `None` if there
/// is no file and none is needed yet. Errors: describes the fault and its remedy.
pub fn read<T>(
    folder: &Path,
    file: KeyFile,
    known: &KnownKeys,
    parse: impl FnOnce(&str) -> anyhow::Result<ParsedKeys<T>>,
) -> Result<Option<LoadedKeys<T>>, KeyError> {
    let path = folder.join(file.name());
    let unreadable = |error| AccessError::Unreadable {
        path: path.clone(),
        error,
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return match known {
                KnownKeys::Unused => Ok(None),
                KnownKeys::Used | KnownKeys::Fingerprint(_) => Err(KeyError::Missing(path)),
            };
        }
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            let reason = error.to_string();
            return Err(KeyError::Damaged { path, reason });
        }
        Err(error) => return Err(unreadable(error).into()),
    };
    require_private(&path)?;
    let ParsedKeys { keys, fingerprint } = match parse(&text) {
        Ok(parsed) => parsed,
        Err(error) => {
            let reason = error.to_string();
            return Err(KeyError::Damaged { path, reason });
        }
    };
    match known {
        KnownKeys::Fingerprint(recorded) if *recorded != fingerprint => {
            Err(KeyError::Foreign(path))
        }
        _ => Ok(Some(LoadedKeys {
            keys,
            fingerprint,
            text,
        })),
    }
}

impl Store {
    /// Reads the keys of this database from `folder`; `generate` creates those of a new database.
    /// Fails when they are missing, foreign or unreadable, or cannot be written.
    pub async fn open_keys<T>(
        &self,
        folder: &Path,
        file: KeyFile,
        parse: Parse<T>,
        generate: fn() -> anyhow::Result<String>,
    ) -> anyhow::Result<LoadedKeys<T>> {
        let known = self.read(move |conn| known_keys(conn, file)).await?;
        let found = match read(folder, file, &known, parse)? {
            Some(found) => found,
            None => {
                create(folder, file, &generate()?).map_err(|error| {
                    let path = folder.join(file.name());
                    anyhow::anyhow!("cannot write {}: {error}", path.display())
                })?;
                // If two processes start at once, both use the file of the first.
                read(folder, file, &known, parse)?
                    .ok_or_else(|| KeyError::Missing(folder.join(file.name())))?
            }
        };
        if !matches!(known, KnownKeys::Fingerprint(_)) {
            let fingerprint = found.fingerprint.clone();
            self.write(move |conn| record_fingerprint(conn, file, &fingerprint))
                .await?;
        }
        Ok(found)
    }
}

/// Creates a key file atomically; an existing one is kept.
fn create(folder: &Path, file: KeyFile, text: &str) -> std::io::Result<()> {
    match write_temporary(folder, text)?.persist_noclobber(folder.join(file.name())) {
        Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
        _ => std::fs::File::open(folder)?.sync_all(),
    }
}

/// Replaces a key file atomically. Errors: the error of the system; the old file stays then.
pub fn replace(folder: &Path, file: KeyFile, text: &str) -> std::io::Result<()> {
    write_temporary(folder, text)?.persist(folder.join(file.name()))?;
    std::fs::File::open(folder)?.sync_all()
}

/// Writes and syncs a temporary file in `folder`, readable by its owner only.
fn write_temporary(folder: &Path, text: &str) -> std::io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::NamedTempFile::with_prefix_in(KEYS, folder)?;
    use_while_open(file.as_file())?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}
