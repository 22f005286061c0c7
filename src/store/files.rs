//! Notices when the files of the database are deleted, moved or replaced while they are open: the
//! process goes on writing into files that have no name, and nothing of it would be there after
//! its end.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What tells a file from every other: its device and its inode.
type Identity = (u64, u64);

/// What is no longer where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    /// The database file itself.
    Database,
    /// Its log (`-wal`) or the index of that (`-shm`).
    Log,
}

/// The three files as they were when they were opened.
pub(super) struct Files {
    database: (PathBuf, Option<Identity>),
    beside: [(PathBuf, Option<Identity>); 2],
}

impl Files {
    /// The files of the database at `file` as they are now.
    pub(super) fn of(file: &Path) -> Self {
        let known = |path: PathBuf| {
            let identity = identity(&path);
            (path, identity)
        };
        Self {
            database: known(file.to_path_buf()),
            beside: ["-wal", "-shm"].map(|end| known(with_end(file, end))),
        }
    }

    /// What has been lost since, if anything. Three calls of `stat`.
    pub(super) fn lost(&self) -> Option<Loss> {
        let gone = |(path, known): &(PathBuf, Option<Identity>)| {
            known.is_some() && identity(path) != *known
        };
        if gone(&self.database) {
            return Some(Loss::Database);
        }
        self.beside.iter().any(gone).then_some(Loss::Log)
    }
}

/// Bytes of the log of the database at `file`.
pub(super) fn log_size(file: &Path) -> u64 {
    fs::metadata(with_end(file, "-wal")).map_or(0, |log| log.len())
}

fn with_end(file: &Path, end: &str) -> PathBuf {
    let mut path = OsString::from(file);
    path.push(end);
    path.into()
}

fn identity(path: &Path) -> Option<Identity> {
    let file = fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}
