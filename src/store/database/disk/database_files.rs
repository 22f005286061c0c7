//! The files of the database: which file is at its path, and the size of its log.

use std::path::Path;

use crate::database::connection::log_file;

/// The identity of a file: its device and its inode.
pub(crate) type Identity = (u64, u64);

pub(crate) use stat::identity;

/// The size of the WAL of the database at `file`, in bytes.
pub(crate) fn log_size(file: &Path) -> u64 {
    stat::size(&log_file(file)).unwrap_or(0)
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
