//! A folder in the data folder for the time of a backup or a proof.

use std::fs::File;
use std::io;
use std::path::Path;

use store::database::disk::leftovers::use_while_open;
use tempfile::TempDir;

/// It is removed when it is dropped, and by the next start of a server if this process is killed.
pub(super) struct TemporaryFolder {
    folder: TempDir,
    _in_use: File,
}

impl TemporaryFolder {
    pub(super) fn new(prefix: &str, data: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(data)?;
        let in_use = File::open(folder.path())?;
        use_while_open(&in_use)?;
        Ok(Self {
            folder,
            _in_use: in_use,
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}
