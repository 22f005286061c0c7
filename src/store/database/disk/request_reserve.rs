//! Disk space that only requests use: a file beside the database, whose space is given up piece by
//! piece when the disk is full, and taken again when there is space. All functions block.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use rustix::fs::{FallocateFlags, fallocate, statvfs};

/// Free space that a transaction may need, in bytes: as much as a full log, copied into the
/// database.
pub(in crate::database) const NEEDED: u64 = 24 << 20;
/// Free space that stays when the reserve is taken, in bytes: more than `make_room` leaves.
const MIN_LEFT: u64 = 4 * NEEDED;
/// The reserve takes at most one part of so many of the disk.
const MAX_PART: u64 = 8;
/// It is at least one part of so many of the database: a larger one needs more for a request.
const DATABASE_PART: u64 = 10;
/// How long after a failure the reserve is not taken again.
const RETRY_DELAY: Duration = Duration::from_secs(60);
/// The name of the file in the data folder.
const NAME: &str = "request-reserve";

/// The file, once its size is known.
#[derive(Default)]
pub(in crate::database) struct RequestReserve(Mutex<Option<Reserve>>);

struct Reserve {
    path: PathBuf,
    /// The size of the whole reserve, in bytes.
    whole: u64,
    /// The size that is left, in bytes.
    left: u64,
    failed_at: Option<Instant>,
}

impl RequestReserve {
    fn lock(&self) -> MutexGuard<'_, Option<Reserve>> {
        self.0.lock()
    }

    /// Gives up as much of the reserve as what needs up to `needed` bytes lacks.
    pub(in crate::database) fn make_room(&self, needed: u64) {
        if let Some(reserve) = self.lock().as_mut().filter(|reserve| reserve.left > 0) {
            let result = reserve
                .free_bytes()
                .and_then(|free| reserve.make_room(free, needed));
            if let Err(error) = result {
                tracing::error!(%error, "the reserve of requests cannot be given up");
            }
        }
    }

    /// Takes as much of what is missing of the reserve as leaves `MIN_LEFT` free.
    pub(in crate::database) fn refill(&self) {
        if let Some(reserve) = self.lock().as_mut() {
            let missing = reserve.whole.saturating_sub(reserve.left);
            let failed = reserve.failed_at;
            if missing == 0 || failed.is_some_and(|at| at.elapsed() < RETRY_DELAY) {
                return;
            }
            match reserve.free_bytes().and_then(|free| reserve.refill(free)) {
                Ok(()) => reserve.failed_at = None,
                Err(error) => {
                    if failed.is_none() {
                        tracing::warn!(%error, "the reserve of requests cannot be taken");
                    }
                    reserve.failed_at = Some(Instant::now());
                }
            }
        }
    }
}

impl Reserve {
    fn open(path: PathBuf, whole: u64) -> Self {
        let left = path.metadata().map_or(0, |file| allocated(&file));
        let left = left.min(whole);
        Self {
            path,
            whole,
            left,
            failed_at: None,
        }
    }

    fn file(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false).mode(0o600);
        options.open(&self.path)
    }

    fn make_room(&mut self, free: u64, needed: u64) -> io::Result<()> {
        if free >= needed {
            return Ok(());
        }
        // Twice as much as is needed, so that not every transaction does this.
        let left = self.left.saturating_sub(2 * needed - free);
        self.file()?.set_len(left)?;
        tracing::warn!(
            left,
            "the disk is full: requests are stored in their reserve"
        );
        self.left = left;
        Ok(())
    }

    fn refill(&mut self, free: u64) -> io::Result<()> {
        let size = self.whole.min(self.left + free.saturating_sub(MIN_LEFT));
        // Whole pieces, so that a slowly changing disk does not cause one for every block.
        if size < self.whole && size < self.left + NEEDED {
            return Ok(());
        }
        let file = self.file()?;
        file.set_len(self.left)?;
        let taken = fallocate(&file, FallocateFlags::empty(), 0, size);
        if let Err(error) = taken {
            file.set_len(self.left)?;
            return Err(error.into());
        }
        file.sync_all()?;
        self.left = size;
        Ok(())
    }

    fn free_bytes(&self) -> io::Result<u64> {
        free_bytes(self.path.parent().unwrap_or(&self.path))
    }
}

/// Free bytes for this user on the disk of a folder.
///
/// # Errors
/// If the disk cannot be examined.
pub fn free_bytes(folder: &Path) -> io::Result<u64> {
    let space = statvfs(folder)?;
    Ok(space.f_bavail.saturating_mul(space.f_frsize))
}

/// The size that the whole reserve has in a data folder, in bytes: `mib`, more beside a large
/// database, or less on a small disk; 0 if `mib` is.
///
/// # Errors
/// If the disk cannot be examined.
pub fn whole_in(folder: &Path, mib: u64) -> io::Result<u64> {
    if mib == 0 {
        return Ok(0);
    }
    let disk = statvfs(folder)?;
    let bytes = disk.f_blocks.saturating_mul(disk.f_frsize);
    let database = folder.join("guardpost.db").metadata();
    let database = database.map_or(0, |file| file.len());
    // Whole MiB, as operators read them.
    let mib = mib.max((database / DATABASE_PART) >> 20);
    Ok(mib.min((bytes / MAX_PART) >> 20) << 20)
}

/// The size of the reserve in a data folder, in bytes; `None` if no server has run.
pub fn size_in(folder: &Path) -> Option<u64> {
    let file = folder.join(NAME).metadata().ok()?;
    Some(allocated(&file))
}

/// The allocated bytes of a file's contents. `blocks` counts the file system's own index too.
fn allocated(file: &Metadata) -> u64 {
    file.len().min(file.blocks() * 512)
}

impl RequestReserve {
    /// Keeps up to `mib` MiB of the disk of the data folder `folder`; less on a small disk, and
    /// none if it cannot be examined.
    pub(in crate::database) fn keep(&self, folder: &Path, mib: u64) {
        let whole = whole_in(folder, mib);
        let whole = whole.inspect_err(|error| tracing::warn!(%error, "no reserve of requests"));
        let reserve = Reserve::open(folder.join(NAME), whole.unwrap_or(0));
        if reserve.whole == 0 {
            let _ = std::fs::remove_file(&reserve.path);
            return;
        }
        // One that was larger gives up the rest.
        let file = reserve.file();
        if let Err(error) = file.and_then(|file| file.set_len(reserve.left)) {
            tracing::warn!(%error, "the reserve of requests cannot be kept");
        }
        *self.lock() = Some(reserve);
        self.refill();
    }

    /// Bytes that are missing.
    pub(in crate::database) fn missing(&self) -> u64 {
        let reserve = self.lock();
        reserve
            .as_ref()
            .map_or(0, |reserve| reserve.whole - reserve.left)
    }
}

#[cfg(test)]
mod tests {
    use super::{Reserve, whole_in};

    #[test]
    fn it_grows_with_the_database_and_not_beyond_a_part_of_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let whole = |mib| whole_in(folder.path(), mib).unwrap() >> 20;
        assert_eq!((whole(0), whole(2)), (0, 2));
        let database = std::fs::File::create(folder.path().join("guardpost.db")).unwrap();
        database.set_len(50 << 20).unwrap();
        assert_eq!((whole(0), whole(2), whole(64)), (0, 5, 64));
        assert!(whole(1 << 40) < 1 << 40);
    }

    #[test]
    fn twice_as_much_is_given_up_as_is_needed_and_nothing_while_that_is_free() {
        let folder = tempfile::tempdir().unwrap();
        let mut reserve = Reserve {
            path: folder.path().join("request-reserve"),
            whole: 64,
            left: 64,
            failed_at: None,
        };
        for (free, needed, left) in [(2, 2, 64), (1, 2, 61), (0, 24, 13), (0, 24, 0)] {
            reserve.make_room(free, needed).unwrap();
            assert_eq!(reserve.left, left, "{free} {needed}");
            assert_eq!(reserve.path.metadata().map_or(64, |file| file.len()), left);
        }
    }
}
