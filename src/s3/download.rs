//! Reading an object piece by piece: as a stream, or from a blocking thread.

use std::io::{self, Read};
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use futures_util::{Stream, StreamExt};
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{GetOptions, ObjectStore};
use tokio::sync::mpsc::{Receiver, channel};

use super::background::Background;
use super::error::{Error, Result};

/// Pieces that wait for a slow reader.
const PIECES: usize = 1;

/// The pieces of an object, as they arrive.
pub struct Reading {
    pieces: Receiver<Result<Bytes>>,
}

impl Reading {
    /// Requests an object, or a part of it; to be called on the client's thread.
    pub(super) async fn open(
        store: Arc<AmazonS3>,
        path: Path,
        range: Option<Range<u64>>,
    ) -> Result<Self> {
        let options = GetOptions::new().with_range(range);
        let mut stream = store.get_opts(&path, options).await?.into_stream();
        let (send, pieces) = channel(PIECES);
        tokio::spawn(async move {
            while let Some(piece) = stream.next().await {
                let has_failed = piece.is_err();
                if send.send(piece.map_err(Error::from)).await.is_err() || has_failed {
                    return;
                }
            }
        });
        Ok(Self { pieces })
    }
}

impl Stream for Reading {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let piece = self.pieces.poll_recv(context);
        piece.map(|piece| piece.map(|piece| piece.map_err(io::Error::from)))
    }
}

/// An object that is read from a blocking thread.
pub struct Download {
    /// `None` after the end.
    pub(super) reading: Option<Reading>,
    pub(super) piece: Bytes,
    pub(super) background: Arc<Background>,
}

impl Read for Download {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            let Some(mut reading) = self.reading.take() else {
                return Ok(0);
            };
            let next = self.background.wait(async move {
                let piece = reading.pieces.recv().await.transpose()?;
                Ok(piece.map(|piece| (reading, piece)))
            });
            if let Some((reading, piece)) = next? {
                self.reading = Some(reading);
                self.piece = piece;
            }
        }
        let length = buffer.len().min(self.piece.len());
        self.piece.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}
