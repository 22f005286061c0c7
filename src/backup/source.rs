//! The source of a backup, and its checks: the required space, the copy of the database, and the
//! key files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::sealing::key::BackupKey;
use super::{DATABASE, Fingerprint, Place, Watch, inspect_copy};
use domain::clock::Time;
use store::database::copies::snapshot;
use store::database::disk::request_reserve::free_bytes;
use store::database::key_files::{KeyFile, KnownKeys};
use store::installation::inspection::Inspection;

/// What to back up, and how.
pub struct Source<'a> {
    /// The data folder.
    pub data: &'a Path,
    /// The settings without secrets, as TOML.
    pub settings: &'a str,
    /// The key that seals the backup; `None`: not sealed.
    pub key: Option<&'a BackupKey>,
    /// Checks the key files.
    pub fingerprint: Fingerprint,
    /// Whether a person asked for it.
    pub by_hand: bool,
    /// The current time.
    pub now: Time,
}

/// The size of a file, 0 if it is missing.
pub(super) fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| file.len())
}

/// Opens the copy and checks its pages, its references, and that the key files belong to it.
pub(super) fn check_snapshot(source: &Source<'_>, copy: &Path, watch: Watch<'_>) -> Result<()> {
    let Inspection { faults, keys, .. } = inspect_copy(copy, "checking the copy", watch)?;
    if let Some(fault) = faults.first() {
        bail!("the database is not fit for a backup: {fault}");
    }
    for (file, known) in keys {
        check_key_file(source.data, file, &known, source.fingerprint)?;
    }
    Ok(())
}

/// Checks that the key file in `folder` matches its record `known` in the database.
pub(super) fn check_key_file(
    folder: &Path,
    file: KeyFile,
    known: &KnownKeys,
    fingerprint: Fingerprint,
) -> Result<()> {
    let path = folder.join(file.name());
    if *known == KnownKeys::Unused && !path.exists() {
        return Ok(());
    }
    let text = fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}, which the database needs", path.display()))?;
    let found =
        fingerprint(file, &text).with_context(|| format!("{} holds no keys", path.display()))?;
    match known {
        KnownKeys::Fingerprint(recorded) if *recorded != found => {
            bail!("{} belongs to another database", path.display())
        }
        _ => Ok(()),
    }
}

/// Fails early if the disk has no space for the backup; a backup in a bucket needs space for a copy
/// of the database.
pub(super) fn check_space<'a>(
    source: &Source<'_>,
    to: &Place,
    names: impl Iterator<Item = &'a String>,
) -> Result<()> {
    let database = snapshot::size(&source.data.join(DATABASE));
    let files = names.map(|name| size(&source.data.join(name)));
    let (to, needed) = match to {
        Place::Folder(folder) => (folder.as_path(), database + files.sum::<u64>()),
        Place::Bucket(_) => (source.data, database),
    };
    require_space(to, needed, "the backup")
}

/// Fails unless the disk of the folder `to` has this many bytes free.
pub(super) fn require_space(to: &Path, needed: u64, what: &str) -> Result<()> {
    let free = free_bytes(to).with_context(|| format!("cannot read {}", to.display()))?;
    if free < needed {
        let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
        bail!(
            "no space is left in {}: {what} needs {} MB, {} MB are free",
            to.display(),
            megabytes(needed),
            megabytes(free)
        );
    }
    Ok(())
}
