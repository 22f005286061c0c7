//! Response bodies of downloads: a part of a file, read piece by piece on blocking threads, or the
//! pieces of an object in a bucket, as they arrive.

use std::fs::File;
use std::future::Future;
use std::io;
use std::os::unix::fs::FileExt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::Stream;
use http_body::{Body, Frame, SizeHint};
use tokio::task::JoinHandle;

/// Bytes read at once.
const PIECE: u64 = 256 * 1024;

/// A part of a file.
pub(super) struct FileBody {
    file: Arc<File>,
    offset: u64,
    left: u64,
    reading: Option<JoinHandle<io::Result<Bytes>>>,
}

impl FileBody {
    /// `length` bytes of `file` from `offset`.
    pub(super) fn new(file: File, offset: u64, length: u64) -> Self {
        Self {
            file: Arc::new(file),
            offset,
            left: length,
            reading: None,
        }
    }

    fn read_piece(&self) -> JoinHandle<io::Result<Bytes>> {
        let (file, offset) = (self.file.clone(), self.offset);
        let length = self.left.min(PIECE) as usize;
        tokio::task::spawn_blocking(move || {
            let mut piece = vec![0; length];
            file.read_exact_at(&mut piece, offset)?;
            Ok(piece.into())
        })
    }
}

impl Body for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let mut reading = match self.reading.take() {
            Some(reading) => reading,
            None => self.read_piece(),
        };
        let Poll::Ready(read) = Pin::new(&mut reading).poll(context) else {
            self.reading = Some(reading);
            return Poll::Pending;
        };
        let piece = read.map_err(io::Error::other).and_then(|piece| piece)?;
        self.offset += piece.len() as u64;
        self.left -= piece.len() as u64;
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

/// So many bytes, in pieces that arrive from elsewhere.
pub(super) struct PiecesBody<S> {
    pieces: S,
    left: u64,
}

impl<S> PiecesBody<S> {
    /// `length` bytes from `pieces`.
    pub(super) const fn new(pieces: S, length: u64) -> Self {
        Self {
            pieces,
            left: length,
        }
    }
}

impl<S: Stream<Item = io::Result<Bytes>> + Unpin> Body for PiecesBody<S> {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let Poll::Ready(piece) = Pin::new(&mut self.pieces).poll_next(context) else {
            return Poll::Pending;
        };
        // An error closes the connection: the client sees that the file is not whole.
        let piece = piece.ok_or(io::ErrorKind::UnexpectedEof)??;
        let left = self.left.checked_sub(piece.len() as u64);
        self.left = left.ok_or_else(|| io::Error::other("the bucket sends too much"))?;
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
