//! Detects that the files of the database were deleted, moved or replaced while open: the process
//! would keep writing to unlinked files, whose content is gone when it ends.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The identity of a file: its device and its inode.
type Identity = (u64, u64);

/// Which file is no longer at its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    /// The database file itself.
    Database,
    /// Its log (`-wal`) or the index of the log (`-shm`).
    Log,
}

/// The three files of a database, as they were when opened.
pub(super) struct Files {
    database: (PathBuf, Option<Identity>),
    log: [(PathBuf, Option<Identity>); 2],
}

impl Files {
    /// Records the files of the database at `file`.
    pub(super) fn of(file: &Path) -> Self {
        let record = |path: PathBuf| {
            let identity = identity(&path);
            (path, identity)
        };
        Self {
            database: record(file.to_path_buf()),
            log: ["-wal", "-shm"].map(|suffix| record(with_suffix(file, suffix))),
        }
    }

    /// What was lost since, or was already missing then, if anything. Three calls of `stat`.
    pub(super) fn lost(&self) -> Option<Loss> {
        let is_lost = |(path, recorded): &(PathBuf, Option<Identity>)| {
            recorded.is_none() || identity(path) != *recorded
        };
        if is_lost(&self.database) {
            return Some(Loss::Database);
        }
        self.log.iter().any(is_lost).then_some(Loss::Log)
    }
}

/// The size of the log of the database at `file`, in bytes.
pub(super) fn log_size(file: &Path) -> u64 {
    fs::metadata(with_suffix(file, "-wal")).map_or(0, |log| log.len())
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(file);
    path.push(suffix);
    path.into()
}

fn identity(path: &Path) -> Option<Identity> {
    let file = fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}
