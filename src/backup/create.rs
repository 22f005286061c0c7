//! Makes a backup beside the running server: written into a hidden folder, checked, then renamed;
//! or into a bucket, checked, and the manifest last. So there is never half a backup.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, bail};
use rustix::fs::{FlockOperation, flock, statvfs};

use super::key::BackupKey;
use super::list::{self, Entry, folder_name};
use super::manifest::Manifest;
use super::parts::{self, Mode};
use super::place::create_private_folder;
use super::throttle::throttled;
use super::{
    DATABASE, Fingerprint, MANIFEST, Place, SETTINGS, Watch, inspect_copy, ledger, report, verify,
};
use crate::domain::clock::Time;
use crate::store::inspection::Inspection;
use crate::store::key_files::{KeyFile, KnownKeys};
use crate::store::snapshot;

/// The beginning of the name of an unfinished backup.
const PARTIAL: &str = ".partial-";
/// The beginning of the name of the temporary folder of a copy that is going to be sealed.
pub(super) const SNAPSHOT_PREFIX: &str = ".snapshot-";
const LOCK: &str = ".lock";
/// The age at which an unfinished backup in a bucket is given up: a day.
const ABANDONED_MS: i64 = 24 * 60 * 60 * 1000;

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

/// Makes a backup of `source` in `to`, which is created if missing.
///
/// # Errors
/// If another backup is running there, the data is damaged, a file cannot be read or written, or
/// `watch` stopped it. Nothing stays in `to` then.
pub fn create(source: &Source<'_>, to: &Place, watch: Watch<'_>) -> Result<Entry> {
    let _lock = prepare(to, source.now)?;
    let database = source.data.join(DATABASE);
    if !database.exists() {
        bail!("there is no database at {}", database.display());
    }
    let names = parts::beside_database(source.data)?;
    check_space(source, to, &names)?;
    let watch: Watch<'_> = &mut throttled(&database, watch);
    let name = folder_name(source.now);
    let unfinished = match to {
        Place::Folder(_) => to.below(&format!("{PARTIAL}{name}")),
        Place::Bucket(_) => to.below(&name),
    };
    let result = fill(source, &unfinished, &names, watch).and_then(|manifest| {
        let place = to.below(&name);
        if let (Place::Folder(from), Place::Folder(path), Place::Folder(to)) =
            (&unfinished, &place, to)
        {
            parts::sync_folders(from)?;
            fs::rename(from, path).with_context(|| format!("cannot write {place}"))?;
            File::open(to)?.sync_all()?;
        }
        Ok(Entry { place, manifest })
    });
    if result.is_err() {
        let _ = unfinished.remove();
    }
    let entry = result?;
    ledger::copy_beside(source.data, to)?;
    Ok(entry)
}

/// Gets `to` ready for a backup; returns the lock of a folder.
fn prepare(to: &Place, now: Time) -> Result<Option<Lock>> {
    match to {
        Place::Folder(folder) => {
            create_private_folder(folder)?;
            let lock = lock(folder)?;
            remove_unfinished(folder)?;
            Ok(Some(lock))
        }
        Place::Bucket(_) => {
            remove_abandoned(to, now)?;
            Ok(None)
        }
    }
}

/// Writes and checks everything that belongs to the backup; the manifest comes last.
fn fill(
    source: &Source<'_>,
    place: &Place,
    names: &[String],
    watch: Watch<'_>,
) -> Result<Manifest> {
    if let Place::Folder(folder) = place {
        create_private_folder(folder)?;
    }
    let manifest = write(source, place, names, watch)?;
    verify::check_parts(place, &manifest, watch)?;
    manifest.write(place, source.key)?;
    Ok(manifest)
}

/// Writes all parts into `place`.
fn write(
    source: &Source<'_>,
    place: &Place,
    names: &[String],
    watch: Watch<'_>,
) -> Result<Manifest> {
    let mut manifest = Manifest::new(source.now.to_string(), source.key);
    // A snapshot that is going to be sealed never lies open beside the sealed parts.
    let clear = match (source.key, place.folder()) {
        (None, Some(_)) => None,
        _ => Some(
            tempfile::Builder::new()
                .prefix(SNAPSHOT_PREFIX)
                .tempdir_in(source.data)?,
        ),
    };
    let copy = match (&clear, place.folder()) {
        (Some(folder), _) => folder.path().join(DATABASE),
        (None, folder) => folder.unwrap_or(source.data).join(DATABASE),
    };
    snapshot::copy(&source.data.join(DATABASE), &copy, &mut |done, total| {
        watch(super::Progress {
            step: "copying the database",
            done,
            total,
        })
    })
    .context("cannot copy the database")?;
    check_snapshot(source, &copy, watch)?;
    manifest.schema = snapshot::schema_version(&copy)?;
    manifest.counts = snapshot::counts(&copy)?;

    let sizes = names.iter().map(|name| size(&source.data.join(name)));
    let total = sizes.sum::<u64>() + copy.metadata()?.len();
    let mut done = 0;
    let mut each = |bytes| {
        done += bytes;
        report(watch, "writing the parts", done, total)
    };
    let mode = source.key.map_or(Mode::Plain, Mode::Seal);
    let database = if clear.is_some() {
        let to = place.writer(&manifest.file_name(DATABASE), copy.metadata()?.len())?;
        parts::copy(DATABASE, File::open(&copy)?, to, mode, &mut each)?
    } else {
        File::open(&copy)?.sync_all()?;
        parts::sum(DATABASE, place, DATABASE, &mut each)?
    };
    manifest.parts.push(database);
    let settings = source.settings.as_bytes();
    let to = place.writer(&manifest.file_name(SETTINGS), settings.len() as u64)?;
    let settings = parts::copy(SETTINGS, settings, to, mode, &mut each)?;
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
        let to = place.writer(&manifest.file_name(name), size(&from))?;
        let part = parts::copy(name, file, to, mode, &mut each)
            .with_context(|| format!("cannot copy {}", from.display()))?;
        manifest.parts.push(part);
    }
    Ok(manifest)
}

/// The size of a file, 0 if it is missing.
fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| file.len())
}

/// Opens the copy and checks its pages, its references, and that the key files belong to it.
fn check_snapshot(source: &Source<'_>, copy: &Path, watch: Watch<'_>) -> Result<()> {
    let Inspection { faults, keys, .. } = inspect_copy(copy, "checking the copy", watch)?;
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

/// Fails early if the disk has no space for the backup; for one in a bucket, it takes a copy of the
/// database.
fn check_space(source: &Source<'_>, to: &Place, names: &[String]) -> Result<()> {
    let database = snapshot::size(&source.data.join(DATABASE));
    let files = names.iter().map(|name| size(&source.data.join(name)));
    let (to, needed) = match to {
        Place::Folder(folder) => (folder.as_path(), database + files.sum::<u64>()),
        Place::Bucket(_) => (source.data, database),
    };
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

/// Removes what backups have left behind in a bucket that were killed more than a day ago: a
/// younger one may be running.
fn remove_abandoned(to: &Place, now: Time) -> Result<()> {
    let recent = folder_name(now.plus_millis(-ABANDONED_MS));
    let names = to
        .folders()
        .with_context(|| format!("cannot read the backups in {to}"))?;
    for name in names {
        let place = to.below(&name);
        if list::is_name(&name) && name < recent && !place.has(MANIFEST)? {
            place.remove()?;
        }
    }
    Ok(())
}
