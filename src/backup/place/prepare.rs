//! Prepares a place for a backup: locks the folder, and removes the remains of killed backups.

use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context, Result};
use rustix::fs::{FlockOperation, flock};

use super::create_private_folder;
use super::list::{self, folder_name};
use crate::{MANIFEST, Place};
use domain::clock::{DAY_MS, Time};

/// The beginning of the name of an unfinished backup.
pub(crate) const PARTIAL: &str = ".partial-";
const LOCK: &str = ".lock";
/// The age at which an unfinished backup in a bucket is deleted: a day.
const ABANDONED_MS: i64 = DAY_MS;

/// Prepares `to` for a backup; returns the lock of a folder.
pub(crate) fn prepare(to: &Place, now: Time) -> Result<Option<Lock>> {
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

/// The lock of a folder of backups. It is released explicitly: closing the file is not enough while
/// a process that was just forked still has a copy of it.
pub(crate) struct Lock(File);

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

/// Removes the remains of a killed backup.
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

/// Removes the remains of backups in a bucket that are more than a day old: younger ones may be
/// running.
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
