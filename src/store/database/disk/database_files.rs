//! Detects that the files of the database were deleted, moved or replaced while open: the process
//! would keep writing to unlinked files, whose content is lost when it ends.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The identity of a file: its device and its inode.
type Identity = (u64, u64);

/// Which file is no longer at its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// The database file itself.
    Database,
    /// Its log (`-wal`) or the index of the log (`-shm`).
    Log,
}

/// The three files of a database when it was opened.
pub(crate) struct Files {
    database: RecordedFile,
    log: [RecordedFile; 2],
}

struct RecordedFile {
    path: PathBuf,
    /// `None` if it was missing.
    identity: Option<Identity>,
}

impl Files {
    /// Records the files of the database at `file`.
    pub(crate) fn of(file: &Path) -> Self {
        let record = |path: PathBuf| RecordedFile {
            identity: stat::identity(&path),
            path,
        };
        Self {
            database: record(file.to_path_buf()),
            log: ["-wal", "-shm"].map(|suffix| record(with_suffix(file, suffix))),
        }
    }

    /// The file lost since then, or already missing then, if any. Calls `stat` three times.
    pub(crate) fn lost(&self) -> Option<Loss> {
        let is_lost = |file: &RecordedFile| {
            file.identity.is_none() || stat::identity(&file.path) != file.identity
        };
        if is_lost(&self.database) {
            return Some(Loss::Database);
        }
        self.log.iter().any(is_lost).then_some(Loss::Log)
    }
}

/// The size of the WAL of the database at `file`, in bytes.
pub(crate) fn log_size(file: &Path) -> u64 {
    stat::size(&with_suffix(file, "-wal")).unwrap_or(0)
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(file);
    path.push(suffix);
    path.into()
}

/// Reads individual `statx` fields. Linux updates the times of a file that were queried, as by
/// `fs::metadata`, at the next write, and `fdatasync` then writes them to the disk too, which makes
/// a single post a quarter slower.
#[cfg(target_os = "linux")]
mod stat {
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Statx, StatxFlags, makedev, statx};

    pub(crate) fn identity(path: &Path) -> Option<super::Identity> {
        let found = ask(path, StatxFlags::INO)?;
        let device = makedev(found.stx_dev_major, found.stx_dev_minor);
        Some((device, found.stx_ino))
    }

    pub(crate) fn size(path: &Path) -> Option<u64> {
        ask(path, StatxFlags::SIZE).map(|found| found.stx_size)
    }

    fn ask(path: &Path, what: StatxFlags) -> Option<Statx> {
        statx(CWD, path, AtFlags::empty(), what).ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod stat {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    pub(crate) fn identity(path: &Path) -> Option<super::Identity> {
        let found = fs::metadata(path).ok()?;
        Some((found.dev(), found.ino()))
    }

    pub(crate) fn size(path: &Path) -> Option<u64> {
        fs::metadata(path).ok().map(|found| found.len())
    }
}
