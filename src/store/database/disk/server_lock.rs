//! The lock of the server that runs on a data folder: a second one would send each email twice. The
//! kernel frees it with the process.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use super::leftovers::SERVER_LOCK;

/// The lock, which is held until it is dropped.
#[derive(Debug)]
pub struct ServerLock(#[expect(dead_code, reason = "open as long as the lock is held")] File);

/// Why the lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// A server runs on the folder.
    #[error("another guardpost runs on it (process {0}): stop that one first")]
    Held(String),
    #[error("cannot write {SERVER_LOCK}: {0}")]
    Io(#[from] io::Error),
}

impl ServerLock {
    /// Takes the lock of the data folder and writes the id of this process into it.
    pub fn take(folder: &Path) -> Result<Self, LockError> {
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.mode(0o600).open(folder.join(SERVER_LOCK))?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            let mut pid = String::new();
            file.read_to_string(&mut pid)?;
            return Err(LockError::Held(pid.trim().to_owned()));
        }
        file.set_len(0)?;
        writeln!(file, "{}", std::process::id())?;
        Ok(Self(file))
    }
}

/// The process id of the server that runs on the data folder; `None` if there is none.
pub fn running(folder: &Path) -> Option<u32> {
    let mut file = File::open(folder.join(SERVER_LOCK)).ok()?;
    flock(&file, FlockOperation::NonBlockingLockShared).err()?;
    let mut pid = String::new();
    file.read_to_string(&mut pid).ok()?;
    pid.trim().parse().ok()
}
