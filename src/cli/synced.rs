//! A file that is synced while it grows, by a thread of its own: the disk is at work from the beginning, and nobody waits for it before the end.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Bytes after which the next sync begins, unless the last one still runs: 8 MB.
const SYNC: usize = 1 << 23;

/// Takes bytes for a file. Flush it at the end: that says whether everything is on disk.
pub(super) struct SyncedFile {
    file: File,
    unsynced: usize,
    syncing: Option<(SyncSender<()>, JoinHandle<io::Result<()>>)>,
}

impl SyncedFile {
    /// Begins to write to `file`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn begin(file: File) -> io::Result<Self> {
        let (ask, asked) = sync_channel(1);
        let same = file.try_clone()?;
        let thread = thread::Builder::new()
            .name("sync".into())
            .spawn(move || sync(&same, &asked))?;
        Ok(Self {
            file,
            unsynced: 0,
            syncing: Some((ask, thread)),
        })
    }
}

impl Write for SyncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.unsynced += written;
        if self.unsynced >= SYNC {
            self.unsynced = 0;
            if let Some((ask, _)) = &self.syncing {
                // Where it is still busy, or has failed, the end will tell.
                let _ = ask.try_send(());
            }
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some((ask, thread)) = self.syncing.take() {
            drop(ask);
            let ended = thread.join();
            ended.unwrap_or_else(|_| Err(io::Error::other("the sync was given up")))?;
        }
        self.file.sync_all()
    }
}

fn sync(file: &File, asked: &Receiver<()>) -> io::Result<()> {
    asked.iter().try_for_each(|()| file.sync_data())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_in_the_file_once_flushed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut synced = SyncedFile::begin(File::create(&path).unwrap()).unwrap();
        for _ in 0..20_000 {
            synced.write_all(&[b'x'; 1000]).unwrap();
        }
        synced.flush().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), [b'x'; 20_000_000]);
    }

    #[test]
    fn a_disk_that_takes_nothing_is_told_of() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ended = SyncedFile::begin(full).unwrap().write_all(b"x");
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::StorageFull);
        let (_end, pipe) = io::pipe().unwrap();
        let pipe = File::from(std::os::fd::OwnedFd::from(pipe));
        assert!(SyncedFile::begin(pipe).unwrap().flush().is_err());
    }
}
