//! The media folder: lists its images, and reports those missing since the last start.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::Result;

use store::Store;

/// The names of the files in the folder, without hidden ones. Empty if the folder does not exist.
pub(super) fn file_names(folder: &Path) -> io::Result<BTreeSet<String>> {
    let entries = match folder.read_dir() {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(error),
    };
    let mut names = BTreeSet::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            names.insert(name);
        }
    }
    Ok(names)
}

/// Logs a warning for each file missing since the last start, and stores the present names.
pub(super) async fn record_files(store: &Store, folder: &Path) -> Result<()> {
    let present = match file_names(folder) {
        Ok(present) => present,
        Err(error) => {
            tracing::error!(%error, "cannot read the media folder");
            return Ok(());
        }
    };
    for name in store.sync_media_files(present).await? {
        tracing::warn!(
            name,
            "an image of the media folder is gone since the last start"
        );
    }
    Ok(())
}
