//! A file that a thread of its own writes and syncs, while the next bytes are made.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Bytes handed over at once.
const PIECE: usize = 1 << 16;
/// Pieces that may wait to be written.
const WAITING: usize = 32;
/// Pieces between two syncs, so that the disk is at work from the beginning and the last sync is short: 8 MB.
const SYNC: usize = 128;

/// Takes bytes for a file. Flush it at the end: that says whether everything is on disk, and nothing can be written after it.
pub(super) struct Writing {
    piece: Vec<u8>,
    hand: Option<SyncSender<Vec<u8>>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Writing {
    /// Begins to write to `file`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn begin(file: File) -> io::Result<Self> {
        let (hand, pieces) = sync_channel(WAITING);
        let thread = thread::Builder::new()
            .name("file".into())
            .spawn(move || write_all(file, &pieces))?;
        Ok(Self {
            piece: Vec::with_capacity(PIECE),
            hand: Some(hand),
            thread: Some(thread),
        })
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        match &self.hand {
            Some(hand) if hand.send(piece).is_ok() => Ok(()),
            _ => self.end(),
        }
    }

    /// Why the thread has ended, or that it came to a good end.
    fn end(&mut self) -> io::Result<()> {
        self.hand = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(ended)) => ended,
            _ => Err(io::Error::other("the file has been closed")),
        }
    }
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.hand_over()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_over()?;
        self.end()
    }
}

fn write_all(mut file: File, pieces: &Receiver<Vec<u8>>) -> io::Result<()> {
    for (n, piece) in pieces.iter().enumerate() {
        file.write_all(&piece)?;
        if n % SYNC == SYNC - 1 {
            file.sync_data()?;
        }
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_in_the_file_once_flushed_and_nothing_follows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut writing = Writing::begin(File::create(&path).unwrap()).unwrap();
        let line = [b'x'; 1000];
        for _ in 0..5000 {
            writing.write_all(&line).unwrap();
        }
        writing.flush().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), [b'x'; 5_000_000]);
        assert!(writing.flush().is_err());
    }

    #[test]
    fn a_disk_that_takes_nothing_is_told_of() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut writing = Writing::begin(full).unwrap();
        let line = [b'x'; 1000];
        let ended = (0..5000)
            .try_for_each(|_| writing.write_all(&line))
            .and_then(|()| writing.flush());
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
