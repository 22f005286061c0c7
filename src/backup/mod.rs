//! Backups: one folder each, on this machine or in a bucket, with everything that a new machine
//! needs: the database, the keys, the pictures, stored files, written emails, and the settings
//! without secrets.
//!
//! `create` writes one beside the running server, `restore` makes a data folder of it, `verify`
//! looks for damage, `proof` restores the newest one and compares it with the current data.
//! `ledger` records erased people across backups. The server runs all of this on a schedule
//! (`maintenance`).

mod create;
mod earlier;
mod keep;
pub mod key;
pub mod ledger;
mod list;
mod low_priority;
mod manifest;
mod migration_copies;
mod opening;
mod parts;
mod place;
mod prepare;
mod presence;
pub mod proof;
mod restore;
mod sealing;
mod source;
mod throttle;
mod verify;
mod written_emails;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

pub use create::create;
pub use keep::{Keep, prune};
pub use list::{Entry, Newest, list, newest};
pub use low_priority::{lower_priority, run_at_low_priority};
pub use manifest::{Manifest, Part};
pub use migration_copies::remove_migration_copies;
pub use opening::Opening;
pub use place::Place;
pub use presence::{require_place, shares_disk};
pub use restore::{Restore, Restored, restore};
pub use source::Source;
pub use verify::verify;
pub use written_emails::{count_emails_of, remove_emails_of, remove_written_emails, until_for};

use crate::store::database::inspection::{Inspection, inspect};
use crate::store::database::key_files::KeyFile;

/// The database's name in the data folder and in a backup.
pub(crate) const DATABASE: &str = "guardpost.db";
/// The manifest's name in a backup: without it, a backup is not complete.
const MANIFEST: &str = "manifest.json";
/// The settings' name in a backup and in a restored folder.
pub const SETTINGS: &str = "settings.toml";

/// Computes the fingerprint of a key file's content, or fails if it holds no keys.
pub type Fingerprint = fn(KeyFile, &str) -> anyhow::Result<String>;

/// The progress of a long operation.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The step, as in `copying the database`.
    pub step: &'static str,
    /// Bytes done.
    pub done: u64,
    /// Bytes in total.
    pub total: u64,
}

/// Receives the progress; can stop the operation.
pub type Watch<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// The error of an operation that `Watch` has stopped.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// Removes the temporary folders that a killed process has left in the data folder.
pub fn remove_temporary_folders(data: &Path) {
    let Ok(entries) = std::fs::read_dir(data) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(proof::PREFIX) || name.starts_with(create::SNAPSHOT_PREFIX) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Reports progress; fails if the operation is stopped.
fn report(watch: Watch<'_>, step: &'static str, done: u64, total: u64) -> Result<(), Stopped> {
    match watch(Progress { step, done, total }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Stopped),
    }
}

/// Inspects the database in `file`. Every millisecond or so it waits for a call of `watch`, which
/// can stop it.
fn inspect_copy(file: &Path, step: &'static str, watch: Watch<'_>) -> anyhow::Result<Inspection> {
    report(watch, step, 0, 1)?;
    let (sender, receiver) = sync_channel(0);
    thread::scope(move |scope| {
        let inspection = scope.spawn(|| inspect(file, move || sender.send(()).is_err()));
        // Dropped with the first error, which stops the inspection.
        for () in receiver {
            report(watch, step, 0, 1)?;
        }
        let inspection = inspection.join();
        inspection.map_err(|_| anyhow::anyhow!("the inspection panicked; see the log"))
    })
}
