//! Patience with connections: one that does not finish its first request's head in time, or on which nothing moves any more, is dropped. hyper's own
//! header timeout neither covers a silent new connection nor tells an idle one from a slow one. Bodies have their own limit, in `body`.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, sleep_until};

/// How long a connection may stand idle between requests, and how long a reader may take none of an answer. Browsers and proxies give up sooner.
const STILL: Duration = Duration::from_secs(75);

/// What is known of one connection's movement. Milliseconds count from `opened`.
#[derive(Debug)]
pub struct Pace {
    opened: Instant,
    head: Duration,
    spoken: AtomicBool,
    running: AtomicU32,
    moved: AtomicU64,
}

impl Pace {
    /// A connection opened now, whose first head has to be here within `head`.
    pub fn new(head: Duration) -> Arc<Self> {
        Arc::new(Self {
            opened: Instant::now(),
            head,
            spoken: AtomicBool::new(false),
            running: AtomicU32::new(0),
            moved: AtomicU64::new(0),
        })
    }

    /// A request's head is here.
    pub fn spoken(&self) {
        if !self.spoken.load(Relaxed) {
            self.moved();
            self.spoken.store(true, Relaxed);
        }
    }

    /// A request is being worked on until the guard is dropped; how long that takes is not the client's doing.
    pub fn running(self: &Arc<Self>) -> Running {
        self.running.fetch_add(1, Relaxed);
        Running(self.clone())
    }

    /// Done when there is no reason to wait for this connection any longer.
    pub async fn lost(&self) {
        loop {
            let until = self.deadline();
            if until <= Instant::now() {
                return;
            }
            sleep_until(until).await;
        }
    }

    fn deadline(&self) -> Instant {
        if self.running.load(Relaxed) > 0 {
            Instant::now() + STILL
        } else if self.spoken.load(Relaxed) {
            self.opened + Duration::from_millis(self.moved.load(Relaxed)) + STILL
        } else {
            self.opened + self.head
        }
    }

    fn moved(&self) {
        let since = self.opened.elapsed().as_millis();
        self.moved
            .store(u64::try_from(since).unwrap_or(u64::MAX), Relaxed);
    }
}

/// A request that is being worked on.
#[derive(Debug)]
pub struct Running(Arc<Pace>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.moved();
        self.0.running.fetch_sub(1, Relaxed);
    }
}

/// A stream that tells its pace what the other side takes. What it sends does not count: that is what a slow drip does.
#[derive(Debug)]
pub struct Paced<S> {
    stream: S,
    pace: Arc<Pace>,
}

impl<S> Paced<S> {
    /// `stream` under `pace`.
    pub const fn new(stream: S, pace: Arc<Pace>) -> Self {
        Self { stream, pace }
    }

    fn note(&self, written: &Poll<io::Result<usize>>) {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.pace.moved();
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.note(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.note(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
