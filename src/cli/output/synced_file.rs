//! A file that a background thread syncs while it grows, so that the last sync is short.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Bytes written between two syncs: 8 MB. At most one further sync is queued.
const SYNC_INTERVAL: usize = 1 << 23;

/// A writer whose `flush` returns only when all bytes are on disk. Flush it once, at the end.
pub(in crate::cli) struct SyncedFile {
    file: File,
    unsynced: usize,
    sync_thread: Option<(SyncSender<()>, JoinHandle<io::Result<()>>)>,
}

impl SyncedFile {
    /// Wraps `file` and starts its sync thread. Fails if the thread cannot be started.
    pub(in crate::cli) fn new(file: File) -> io::Result<Self> {
        let (requests, queue) = sync_channel(1);
        let clone = file.try_clone()?;
        let thread = thread::Builder::new()
            .name("export-sync".into())
            .spawn(move || sync_on_request(&clone, &queue))?;
        Ok(Self {
            file,
            unsynced: 0,
            sync_thread: Some((requests, thread)),
        })
    }
}

impl Write for SyncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.unsynced += written;
        if self.unsynced >= SYNC_INTERVAL {
            self.unsynced = 0;
            if let Some((requests, _)) = &self.sync_thread {
                // Fails if a sync is queued already, or if one failed: `flush` reports that.
                let _ = requests.try_send(());
            }
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some((requests, thread)) = self.sync_thread.take() {
            drop(requests);
            let result = thread.join();
            result.unwrap_or_else(|_| Err(io::Error::other("the sync thread panicked")))?;
        }
        self.file.sync_all()
    }
}

fn sync_on_request(file: &File, requests: &Receiver<()>) -> io::Result<()> {
    requests.iter().try_for_each(|()| file.sync_data())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_in_the_file_after_a_flush() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = SyncedFile::new(File::create(&path).unwrap()).unwrap();
        for _ in 0..20_000 {
            file.write_all(&[b'x'; 1000]).unwrap();
        }
        file.flush().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), [b'x'; 20_000_000]);
    }

    #[test]
    fn write_and_sync_errors_are_returned() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let result = SyncedFile::new(full).unwrap().write_all(b"x");
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull);
        let (_reader, pipe) = io::pipe().unwrap();
        let pipe = File::from(std::os::fd::OwnedFd::from(pipe));
        assert!(SyncedFile::new(pipe).unwrap().flush().is_err());
    }
}
