//! The key files beside the database, and which ones belong to it: the database keeps a fingerprint of each. New keys
//! are made for a new database only; with missing or other keys, second factors and links would fail one by one.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension};

use super::access::{AccessError, require_private};
use super::{Result, Store};

/// One of the key files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFile {
    /// Signs access tokens, derives links, seals second factors.
    Auth,
    /// Hashes the addresses of clients.
    Address,
}

impl KeyFile {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Auth, Self::Address];

    /// Its name in the data folder.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auth => "auth-keys.json",
            Self::Address => "address.key",
        }
    }
}

/// What the database knows of a key file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownKeys {
    /// The fingerprint of the keys it was used with.
    Fingerprint(String),
    /// It was used with some keys, before fingerprints were kept.
    Used,
    /// Nothing depends on such keys yet.
    Unused,
}

/// Why a key file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The database was used with keys that are not there.
    #[error("{} is missing, and this database was used with it. {RESTORE}", .0.display())]
    Missing(PathBuf),
    /// The keys are those of another database.
    #[error("{} belongs to another database. {RESTORE}", .0.display())]
    Foreign(PathBuf),
    /// It holds no keys.
    #[error("{} holds no keys ({reason}). {RESTORE}", path.display())]
    Damaged {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// It cannot be read, or others can read it too.
    #[error(transparent)]
    Access(#[from] AccessError),
}

/// What an operator can do.
const RESTORE: &str = "Put the copy back that was made with this database. \
    Only if there is none: `guardpost replace-keys --lost` makes new keys (its --help says what that costs)";

/// Keys as read from their file.
pub struct LoadedKeys<T> {
    /// What they are.
    pub keys: T,
    /// By which the database knows them.
    pub fingerprint: String,
    /// The file's content.
    pub text: String,
}

/// Makes sense of a key file's content: the keys and their fingerprint.
pub type Parse<T> = fn(&str) -> anyhow::Result<(T, String)>;

/// Reads the key file in `folder` and makes sure that it belongs to a database that knows `known` of it. None where
/// there is no file and none is needed yet.
///
/// # Errors
/// Says what is wrong and what helps.
pub fn read<T>(
    folder: &Path,
    file: KeyFile,
    known: &KnownKeys,
    parse: impl FnOnce(&str) -> anyhow::Result<(T, String)>,
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
    let (keys, fingerprint) = match parse(&text) {
        Ok(parsed) => parsed,
        Err(error) => {
            let reason = error.to_string();
            return Err(KeyError::Damaged { path, reason });
        }
    };
    match known {
        KnownKeys::Fingerprint(ours) if *ours != fingerprint => Err(KeyError::Foreign(path)),
        _ => Ok(Some(LoadedKeys {
            keys,
            fingerprint,
            text,
        })),
    }
}

/// What the database knows of `file`.
///
/// # Errors
/// What the database says.
pub fn known_keys(conn: &Connection, file: KeyFile) -> Result<KnownKeys> {
    Ok(match fingerprint(conn, file)? {
        Some(fingerprint) => KnownKeys::Fingerprint(fingerprint),
        None if file == KeyFile::Auth && has_users(conn)? => KnownKeys::Used,
        None => KnownKeys::Unused,
    })
}

/// None from a database that no start has brought up to date yet.
fn fingerprint(conn: &Connection, file: KeyFile) -> Result<Option<String>> {
    if !conn.table_exists(None, "key_files")? {
        return Ok(None);
    }
    let fingerprint = "SELECT fingerprint FROM key_files WHERE name = ?1";
    Ok(conn
        .query_row(fingerprint, [file.name()], |row| row.get(0))
        .optional()?)
}

/// Accounts are of no use without the keys of their second factors and links.
fn has_users(conn: &Connection) -> Result<bool> {
    Ok(conn.query_row("SELECT EXISTS (SELECT 1 FROM users)", [], |row| row.get(0))?)
}

/// Remembers the keys that the database is used with from now on.
///
/// # Errors
/// What the database says.
pub fn record_fingerprint(conn: &Connection, file: KeyFile, fingerprint: &str) -> Result<()> {
    conn.execute(
        "INSERT INTO key_files (name, fingerprint) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET fingerprint = ?2",
        [file.name(), fingerprint],
    )?;
    Ok(())
}

impl Store {
    /// The keys in `folder` that belong to this database; those of a new database are made by `make`.
    ///
    /// # Errors
    /// When they are missing, foreign or unreadable, or cannot be written.
    pub async fn open_keys<T>(
        &self,
        folder: &Path,
        file: KeyFile,
        parse: Parse<T>,
        make: fn() -> anyhow::Result<String>,
    ) -> anyhow::Result<LoadedKeys<T>> {
        let known = self.read(move |conn| known_keys(conn, file)).await?;
        let found = match read(folder, file, &known, parse)? {
            Some(found) => found,
            None => {
                create(folder, file, &make()?).map_err(|error| {
                    let path = folder.join(file.name());
                    anyhow::anyhow!("cannot write {}: {error}", path.display())
                })?;
                // Of two processes that start together, the first one's file stands.
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

/// Writes a new key file, whole or not at all; one that is there already stays.
fn create(folder: &Path, file: KeyFile, text: &str) -> std::io::Result<()> {
    match draft(folder, text)?.persist_noclobber(folder.join(file.name())) {
        Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
        _ => std::fs::File::open(folder)?.sync_all(),
    }
}

/// Writes a key file in the place of the present one.
///
/// # Errors
/// What the system says; the old file stays then.
pub fn replace(folder: &Path, file: KeyFile, text: &str) -> std::io::Result<()> {
    draft(folder, text)?.persist(folder.join(file.name()))?;
    std::fs::File::open(folder)?.sync_all()
}

/// A whole file beside its place; temporary files are readable by their owner alone.
fn draft(folder: &Path, text: &str) -> std::io::Result<tempfile::NamedTempFile> {
    let mut draft = tempfile::NamedTempFile::new_in(folder)?;
    draft.write_all(text.as_bytes())?;
    draft.as_file().sync_all()?;
    Ok(draft)
}

/// What ended with the keys it depended on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeletedDependents {
    /// Sessions.
    pub sessions: usize,
    /// People whose second factor is gone.
    pub people: i64,
    /// Emails whose code nobody can read any more.
    pub emails: usize,
}

/// Removes what is worthless without the lost keys of `file`.
///
/// # Errors
/// What the database says.
pub fn delete_dependents(conn: &Connection, file: KeyFile) -> Result<DeletedDependents> {
    conn.execute("DELETE FROM known_clients", [])?;
    if file == KeyFile::Address {
        return Ok(DeletedDependents::default());
    }
    let people = "SELECT count(DISTINCT user_id) FROM factors WHERE status = 'verified'";
    let people = conn.query_row(people, [], |row| row.get(0))?;
    for table in [
        "factors",
        "recovery_codes",
        "one_time_tokens",
        "flows",
        "buckets",
    ] {
        conn.execute(&format!("DELETE FROM {table}"), [])?;
    }
    let emails = "UPDATE outbox SET state = 'failed', lease = NULL, notice = '',
           last_error = 'its code was sealed with keys that are lost'
         WHERE kind = 'account' AND state <> 'sent' AND notice <> ''";
    Ok(DeletedDependents {
        emails: conn.execute(emails, [])?,
        sessions: conn.execute("DELETE FROM sessions", [])?,
        people,
    })
}
