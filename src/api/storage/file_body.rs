//! Response bodies of downloads: a part of a file, read piece by piece on blocking threads, or the
//! pieces of an object in a bucket, as they arrive. Each piece is charged to the budget of
//! downloads until its last byte is written to the connection.

use std::fs::File;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::os::unix::fs::FileExt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use http_body::{Body, Frame, SizeHint};
use tokio::task::JoinHandle;
use tokio::time::{Sleep, sleep, timeout};

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

    /// `None` if there is no memory for this client now.
    fn charge(&self, bytes: usize) -> Option<Arc<Lease>> {
        let mut lease = self.budget.lease(self.client);
        lease.grow(bytes).ok()?;
        Some(Arc::new(lease))
    }

    /// Waits for the memory of a download from a bucket. `None` after a timeout.
    pub(super) async fn stream_memory(&self) -> Option<Arc<Lease>> {
        let charged = async {
            loop {
                match self.charge(STREAM_MEMORY) {
                    Some(lease) => return lease,
                    None => sleep(RETRY).await,
                }
            }
        };
        timeout(PATIENCE, charged).await.ok()
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
pub(super) struct FileBody {
    file: Arc<File>,
    offset: u64,
    left: u64,
    account: Account,
    step: Step,
}

enum Step {
    Idle,
    /// There is no memory.
    Waiting(Pin<Box<Sleep>>),
    Reading(JoinHandle<io::Result<Bytes>>),
}

impl FileBody {
    /// `length` bytes of `file` from `offset`.
    pub(super) fn new(file: File, offset: u64, length: u64, account: Account) -> Self {
        Self {
            file: Arc::new(file),
            offset,
            left: length,
            account,
            step: Step::Idle,
        }
    }

    /// Begins to read a piece, if there is memory for it.
    fn next_step(&self) -> Step {
        let length = usize::try_from(self.left).unwrap_or(PIECE).min(PIECE);
        let Some(lease) = self.account.charge(length) else {
            return Step::Waiting(Box::pin(sleep(RETRY)));
        };
        let (file, offset, account) = (self.file.clone(), self.offset, self.account.clone());
        Step::Reading(tokio::task::spawn_blocking(move || {
            let mut bytes = vec![0; length];
            file.read_exact_at(&mut bytes, offset)?;
            Ok(account.piece(bytes, Some(lease)))
        }))
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
        loop {
            match &mut self.step {
                Step::Idle => self.step = self.next_step(),
                Step::Waiting(retry) => {
                    ready!(retry.as_mut().poll(context));
                    self.step = Step::Idle;
                }
                Step::Reading(reading) => {
                    let read = ready!(Pin::new(reading).poll(context));
                    self.step = Step::Idle;
                    let piece = read.map_err(io::Error::other).and_then(|piece| piece)?;
                    self.offset += piece.len() as u64;
                    self.left -= piece.len() as u64;
                    return Poll::Ready(Some(Ok(Frame::data(piece))));
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

/// A known number of bytes, in pieces from elsewhere.
pub(super) struct PiecesBody<S> {
    pieces: S,
    /// Bytes received and not yet handed out.
    arrived: Bytes,
    left: u64,
    account: Account,
    lease: Option<Arc<Lease>>,
}

impl<S> PiecesBody<S> {
    /// `length` bytes from `pieces`; `lease` is their memory.
    pub(super) const fn new(
        pieces: S,
        length: u64,
        account: Account,
        lease: Option<Arc<Lease>>,
    ) -> Self {
        Self {
            pieces,
            arrived: Bytes::new(),
            left: length,
            account,
            lease,
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
        while self.arrived.is_empty() {
            let arrived = ready!(Pin::new(&mut self.pieces).poll_next(context));
            // An error closes the connection, so that the client sees that the file is incomplete.
            self.arrived = arrived.ok_or(io::ErrorKind::UnexpectedEof)??;
        }
        let length = self.arrived.len().min(PIECE);
        let left = self.left.checked_sub(length as u64);
        self.left = left.ok_or_else(|| io::Error::other("the bucket sends too much"))?;
        let part = self.arrived.split_to(length);
        let piece = self.account.piece(part, self.lease.clone());
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
