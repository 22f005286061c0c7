//! Inspects the copy of a database, with progress and the fingerprints of its keys.

use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::progress::{Watch, report};
use store::database::key_files::KeyFile;
use store::installation::inspection::{Inspection, inspect};

/// Computes the fingerprint of a key file's content, or fails if it holds no keys.
pub type Fingerprint = fn(KeyFile, &str) -> anyhow::Result<String>;

/// Inspects the database in `file`. Every millisecond or so it waits for a call of `watch`, which
/// can stop it.
pub(super) fn inspect_copy(
    file: &Path,
    step: &'static str,
    watch: Watch<'_>,
) -> anyhow::Result<Inspection> {
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
