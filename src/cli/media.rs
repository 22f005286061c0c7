//! The media folder: which pictures are there, and which are gone since the last start.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::Result;

use crate::store::Store;

/// What lies in the folder; nothing where there is none. Names that begin with a dot are no pictures.
pub(super) fn names(folder: &Path) -> io::Result<BTreeSet<String>> {
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

/// Tells the log of pictures that are gone since the last start, and remembers what is there now.
pub(super) async fn remember(store: &Store, folder: &Path) -> Result<()> {
    let present = match names(folder) {
        Ok(present) => present,
        Err(error) => {
            tracing::error!(%error, "the media folder cannot be read");
            return Ok(());
        }
    };
    for name in store.sync_media_files(present).await? {
        tracing::warn!(
            name,
            "a picture of the media folder is gone since the last start"
        );
    }
    Ok(())
}
