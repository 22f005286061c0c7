//! Prepares a place for a backup: locks the folder, and removes the remains of killed backups.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result};
use rustix::fs::{FlockOperation, flock};

use super::create_private_folder;
use super::list::{self, folder_name};
use crate::{MANIFEST, Place};
use domain::clock::{DAY_MS, Time};
use store::database::disk::leftovers::{BACKUP_LOCK, remove_unfinished_backups};

/// The age at which an unfinished backup in a bucket is deleted: a day.
const ABANDONED_MS: i64 = DAY_MS;

/// Prepares `to` for a backup; returns the lock of a folder.
pub(crate) fn prepare(to: &Place, now: Time) -> Result<Option<Lock>> {
    match to {
        Place::Folder(folder) => {
            create_private_folder(folder)?;
            let lock = lock(folder)?;
            remove_unfinished_backups(folder)
                .with_context(|| format!("cannot remove old work in {}", folder.display()))?;
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
    let path = to.join(BACKUP_LOCK);
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
