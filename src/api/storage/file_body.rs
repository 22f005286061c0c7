//! Response bodies of downloads: a part of a file, read piece by piece on blocking threads, or the
//! pieces of an object in a bucket, as they arrive. Each piece is charged to the budget of
//! downloads until its last byte is written to the connection.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt, stream};
use poem::Body;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use http::request::body_budget::{BodyBudget, Lease};
use http::server::timeouts::DownloadSlot;

/// Size of a piece, in bytes.
const PIECE: usize = 16 * 1024;
/// Memory of a download from a bucket, in bytes: received and not yet handed out.
const STREAM_MEMORY: usize = 512 * 1024;
/// Polling interval of a download that waits for memory.
const RETRY: Duration = Duration::from_millis(20);
/// How long the beginning of a download may wait for memory.
const PATIENCE: Duration = Duration::from_secs(30);

/// The client to which the memory of a download is charged.
#[derive(Clone)]
pub(super) struct Account {
    budget: Arc<BodyBudget>,
    client: IpAddr,
    slot: DownloadSlot,
}

impl Account {
    /// The account of a download by `client`, an address. `slot` is
    /// also in the extensions of the response.
    pub(super) const fn new(budget: Arc<BodyBudget>, client: IpAddr, slot: DownloadSlot) -> Self {
        Self {
            budget,
            client,
            slot,
        }
    }

    /// Waits for memory of this client.
    async fn memory(&self, bytes: usize) -> Arc<Lease> {
        loop {
            let mut lease = self.budget.lease(self.client);
            match lease.grow(bytes) {
                Ok(()) => return Arc::new(lease),
                Err(_) => sleep(RETRY).await,
            }
        }
    }

    /// Waits for the memory of a download from a bucket. `None` after a timeout.
    pub(super) async fn stream_memory(&self) -> Option<Arc<Lease>> {
        timeout(PATIENCE, self.memory(STREAM_MEMORY)).await.ok()
    }

    fn piece<B>(&self, bytes: B, lease: Option<Arc<Lease>>) -> Bytes
    where
        B: AsRef<[u8]> + Send + 'static,
    {
        Bytes::from_owner(Piece {
            bytes,
            _lease: lease,
            _slot: self.slot.clone(),
        })
    }
}

/// Bytes that are charged, and keep their download open, until they are dropped.
struct Piece<B> {
    bytes: B,
    _lease: Option<Arc<Lease>>,
    _slot: DownloadSlot,
}

impl<B: AsRef<[u8]>> AsRef<[u8]> for Piece<B> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

/// A part of a file.
pub(super) fn file_body(file: File, part: Range<u64>, account: Account) -> Body {
    let file = Arc::new(file);
    let pieces = stream::try_unfold(part, move |part| {
        let (file, account) = (file.clone(), account.clone());
        async move {
            if part.is_empty() {
                return Ok(None);
            }
            let end = part.end.min(part.start + PIECE as u64);
            let mut bytes = vec![0; (end - part.start) as usize];
            let lease = account.memory(bytes.len()).await;
            let read = move || {
                file.read_exact_at(&mut bytes, part.start)?;
                Ok(account.piece(bytes, Some(lease)))
            };
            let piece: io::Result<Bytes> = spawn_blocking(read).await?;
            Ok::<_, io::Error>(Some((piece?, end..part.end)))
        }
    });
    Body::from_bytes_stream(pieces)
}

/// `length` bytes in pieces from elsewhere, as they arrive; `lease` is their memory.
pub(super) fn pieces_body(
    pieces: impl Stream<Item = io::Result<Bytes>> + Send + Unpin + 'static,
    length: u64,
    account: Account,
    lease: Option<Arc<Lease>>,
) -> Body {
    let started = (pieces, Bytes::new(), length);
    let pieces = stream::try_unfold(started, move |(mut pieces, mut arrived, left)| {
        let (account, lease) = (account.clone(), lease.clone());
        async move {
            if left == 0 {
                return Ok(None);
            }
            while arrived.is_empty() {
                // An error closes the connection, so that the client sees that the file is
                // incomplete.
                arrived = pieces.try_next().await?.ok_or(ErrorKind::UnexpectedEof)?;
            }
            let part = arrived.split_to(arrived.len().min(PIECE));
            let left = left.checked_sub(part.len() as u64);
            let left = left.ok_or_else(|| io::Error::other("the bucket sends too much"))?;
            Ok::<_, io::Error>(Some((account.piece(part, lease), (pieces, arrived, left))))
        }
    });
    Body::from_bytes_stream(pieces)
}
