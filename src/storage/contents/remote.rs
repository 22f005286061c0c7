//! Contents in a bucket. Contents that are still in the data folder, not moved yet or stored by a
//! drill, are read there.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::contents::place::{Folder, Opened, Place};
use s3::ownership::{Marked, Role};
use s3::{Bucket, Found};

/// How long a check of the bucket's owner is valid for storing. Each deletion checks it again.
const TRUSTED: Duration = Duration::from_secs(10);

/// The bucket of `files.to`. A drill stores in the data folder, and deletes only there.
pub(crate) struct Remote {
    bucket: Bucket,
    local: Folder,
    role: Role,
    claimed_at: Mutex<Option<Instant>>,
}

impl Remote {
    pub(crate) fn new(bucket: Bucket, local: Folder, role: Role) -> Self {
        Self {
            bucket,
            local,
            role,
            claimed_at: Mutex::new(None),
        }
    }

    /// Fails unless the bucket is this server's.
    fn require(&self, trusted: Duration) -> io::Result<()> {
        let is_trusted = |at: Instant| at.elapsed() < trusted;
        if self.claimed_at.lock().is_some_and(is_trusted) {
            return Ok(());
        }
        // Not while the lock is held: others would wait for the bucket, one after the other.
        let claimed = self.role.claim(&Marked::Bucket(self.bucket.clone()));
        *self.claimed_at.lock() = claimed.is_ok().then(Instant::now);
        claimed.map_err(|error| s3::Error::Failed(format!("{error:#}")))?;
        Ok(())
    }
}

/// The answer of `local`, or that of `remote` if there is no such file.
fn or_else<T>(local: io::Result<T>, remote: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    match local {
        Err(error) if error.kind() == ErrorKind::NotFound => remote(),
        answer => answer,
    }
}

impl Place for Remote {
    fn publish(&self, path: &Path, file: &File, sha256: &str) -> io::Result<()> {
        if self.role.is_drill() {
            return self.local.publish(path, file, sha256);
        }
        self.require(TRUSTED)?;
        self.bucket.publish(path, file, sha256)
    }

    fn open(&self, sha256: &str, part: Range<u64>) -> io::Result<Opened> {
        let local = self.local.open(sha256, part.clone());
        or_else(local, || self.bucket.open(sha256, part))
    }

    fn file(&self, sha256: &str, tmp: &Path) -> io::Result<File> {
        let local = self.local.file(sha256, tmp);
        or_else(local, || self.bucket.file(sha256, tmp))
    }

    fn has(&self, sha256: &str) -> io::Result<bool> {
        Ok(self.local.has(sha256)? || Place::has(&self.bucket, sha256)?)
    }

    fn remove(&self, sha256: &str) -> io::Result<()> {
        if !self.role.is_drill() {
            self.require(Duration::ZERO)?;
            self.bucket.remove(sha256)?;
        }
        self.local.remove(sha256)
    }

    fn claim(&self) -> io::Result<()> {
        match self.role.is_drill() {
            true => Ok(()),
            false => self.require(TRUSTED),
        }
    }

    fn list(&self) -> io::Result<Vec<Found>> {
        let mut found = Place::list(&self.bucket)?;
        found.extend(self.local.list()?);
        // A content in both places counts as the younger one: it may be about to be moved.
        found.sort_by(|a, b| (&a.name, b.written_at).cmp(&(&b.name, a.written_at)));
        found.dedup_by(|next, kept| next.name == kept.name);
        Ok(found)
    }
}
