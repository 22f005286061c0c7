//! Makes a backup beside the running server: written into a hidden folder, checked, then renamed,
//! so that there is never half a backup.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, bail};
use rustix::fs::{FlockOperation, flock, statvfs};

use super::key::BackupKey;
use super::list::{Entry, folder_name};
use super::manifest::Manifest;
use super::parts::{self, Mode, create_private_folder};
use super::{DATABASE, Fingerprint, SETTINGS, Watch, ledger, report, verify};
use crate::domain::clock::Time;
use crate::store::inspection::{Inspection, inspect};
use crate::store::key_files::{KeyFile, KnownKeys};
use crate::store::snapshot;

/// The beginning of the name of an unfinished backup.
const PARTIAL: &str = ".partial-";
/// The beginning of the name of the temporary folder of a copy that is going to be sealed.
pub(super) const SNAPSHOT_PREFIX: &str = ".snapshot-";
const LOCK: &str = ".lock";

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
    /// The current time.
    pub now: Time,
}

/// Makes a backup of `source` as a new folder in `to`, which is created if missing.
///
/// # Errors
/// If another backup is running there, the data is damaged, a file cannot be read or written, or
/// `watch` stopped it. Nothing stays in `to` then.
pub fn create(source: &Source<'_>, to: &Path, watch: Watch<'_>) -> Result<Entry> {
    create_private_folder(to)?;
    let _lock = lock(to)?;
    remove_unfinished(to)?;
    let database = source.data.join(DATABASE);
    if !database.exists() {
        bail!("there is no database at {}", database.display());
    }
    let names = parts::beside_database(source.data)?;
    check_space(source, to, &names)?;
    let name = folder_name(source.now);
    let partial = to.join(format!("{PARTIAL}{name}"));
    create_private_folder(&partial)?;
    let result = write(source, &partial, &names, watch).and_then(|manifest| {
        verify::check_parts(&partial, &manifest, watch)?;
        parts::sync_folders(&partial)?;
        let path = to.join(&name);
        fs::rename(&partial, &path).with_context(|| format!("cannot write {}", path.display()))?;
        File::open(to)?.sync_all()?;
        Ok(Entry { path, manifest })
    });
    if result.is_err() {
        let _ = fs::remove_dir_all(&partial);
    }
    let entry = result?;
    ledger::copy_beside(source.data, to)?;
    Ok(entry)
}

/// Writes all parts and the manifest into `partial`.
fn write(
    source: &Source<'_>,
    partial: &Path,
    names: &[String],
    watch: Watch<'_>,
) -> Result<Manifest> {
    let mut manifest = Manifest::new(source.now.to_string(), source.key);
    // A snapshot that is going to be sealed never lies open beside the sealed parts.
    let clear = match source.key {
        Some(_) => Some(
            tempfile::Builder::new()
                .prefix(SNAPSHOT_PREFIX)
                .tempdir_in(source.data)?,
        ),
        None => None,
    };
    let copy = match &clear {
        Some(folder) => folder.path().join(DATABASE),
        None => partial.join(DATABASE),
    };
    snapshot::copy(&source.data.join(DATABASE), &copy, &mut |done, total| {
        watch(super::Progress {
            step: "copying the database",
            done,
            total,
        })
    })
    .context("cannot copy the database")?;
    report(watch, "checking the copy", 0, 1)?;
    check_snapshot(source, &copy)?;
    manifest.schema = snapshot::schema_version(&copy)?;
    manifest.counts = snapshot::counts(&copy)?;

    let sizes = |name: &String| {
        source
            .data
            .join(name)
            .metadata()
            .map_or(0, |file| file.len())
    };
    let total = names.iter().map(sizes).sum::<u64>() + copy.metadata()?.len();
    let mut done = 0;
    let mut each = |bytes| {
        done += bytes;
        report(watch, "writing the parts", done, total)
    };
    let mode = source.key.map_or(Mode::Plain, Mode::Seal);
    let database = if clear.is_some() {
        let to = partial.join(manifest.file_name(DATABASE));
        parts::copy(DATABASE, File::open(&copy)?, &to, mode, &mut each)?
    } else {
        File::open(&copy)?.sync_all()?;
        parts::sum(DATABASE, &copy, &mut each)?
    };
    manifest.parts.push(database);
    let settings = partial.join(manifest.file_name(SETTINGS));
    let settings = parts::copy(
        SETTINGS,
        source.settings.as_bytes(),
        &settings,
        mode,
        &mut each,
    )?;
    manifest.parts.push(settings);
    for name in names {
        let from = source.data.join(name);
        let file = match File::open(&from) {
            Ok(file) => file,
            // Removed since it was listed, as an erasure does.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", from.display()));
            }
        };
        let to = partial.join(manifest.file_name(name));
        let part = parts::copy(name, file, &to, mode, &mut each)
            .with_context(|| format!("cannot copy {}", from.display()))?;
        manifest.parts.push(part);
    }
    manifest.write(partial, source.key)?;
    Ok(manifest)
}

/// Opens the copy and checks its pages, its references, and that the key files belong to it.
fn check_snapshot(source: &Source<'_>, copy: &Path) -> Result<()> {
    let Inspection { faults, keys, .. } = inspect(copy);
    if let Some(fault) = faults.first() {
        bail!("the database is not fit for a backup: {fault}");
    }
    for (file, known) in keys {
        check_key_file(source.data, file, &known, source.fingerprint)?;
    }
    Ok(())
}

/// Checks that the key file in `folder` belongs to the database that knows `known` about it.
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

/// Fails early if the disk has no space for the backup.
fn check_space(source: &Source<'_>, to: &Path, names: &[String]) -> Result<()> {
    let files: u64 = names
        .iter()
        .map(|name| {
            source
                .data
                .join(name)
                .metadata()
                .map_or(0, |file| file.len())
        })
        .sum();
    let needed = files + snapshot::size(&source.data.join(DATABASE));
    let space = statvfs(to).with_context(|| format!("cannot read {}", to.display()))?;
    let free = space.f_bavail.saturating_mul(space.f_frsize);
    if free < needed {
        let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
        bail!(
            "no space is left in {}: the backup needs {} MB, {} MB are free",
            to.display(),
            megabytes(needed),
            megabytes(free)
        );
    }
    Ok(())
}

/// The lock of a folder of backups. It is released explicitly: closing the file is not enough while
/// a process that was just forked still has a copy of it.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}

/// Locks the folder of backups, so that two backups never run at once.
fn lock(to: &Path) -> Result<Lock> {
    let path = to.join(LOCK);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .with_context(|| format!("cannot write into {}", to.display()))?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)
        .map_err(|_| anyhow::anyhow!("another backup to {} is running", to.display()))?;
    Ok(Lock(file))
}

/// Removes what a backup has left behind that was killed.
fn remove_unfinished(to: &Path) -> Result<()> {
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(PARTIAL) {
            fs::remove_dir_all(entry.path())
                .with_context(|| format!("cannot remove {}", entry.path().display()))?;
        }
    }
    Ok(())
}
