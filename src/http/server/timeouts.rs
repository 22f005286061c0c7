//! Connection timeouts: for the first request's head, between requests, and for a client that reads
//! a response slowly. A page is shared by all its readers and is timed by its length. A download
//! holds memory and is timed by the bytes that its client reads. hyper's own header timeout neither
//! covers a silent new connection nor distinguishes an idle connection from a slow one. `body` has
//! its own timeout.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// Minimum rate at which a client must read responses, in bytes per second.
const MIN_RATE: u64 = 4 * 1024;
/// How long writes to the client of an event stream may stall. The stream sends a comment more than
/// twice as often.
const STREAM_STALL: Duration = Duration::from_secs(60);
/// Set in `state` when the connection is to be closed; the other bits count running requests.
const CLOSED: u32 = 1 << 31;

/// The timer of one connection. Times are microseconds since `opened`.
#[derive(Debug)]
pub struct ConnectionTimer {
    opened: Instant,
    head: Duration,
    idle: Duration,
    head_received: AtomicBool,
    state: AtomicU32,
    /// Event streams among the running requests.
    streams: AtomicU32,
    /// Downloads with unread bytes.
    downloads: AtomicU32,
    /// The time up to which the client has read its downloads at `MIN_RATE`: reading moves it, at
    /// most to now.
    downloaded: AtomicU64,
    /// When bytes were last written.
    last_write: AtomicU64,
    /// When the last response should have been read, at `MIN_RATE`. Other writes, such as replies
    /// to HTTP/2 PING and SETTINGS, do not count as use of the connection.
    read_by: AtomicU64,
    closed: Notify,
}

impl ConnectionTimer {
    /// Starts now: the first head must arrive within `head`, and the connection may then be idle
    /// for `idle`.
    pub fn new(head: Duration, idle: Duration) -> Arc<Self> {
        Arc::new(Self {
            opened: Instant::now(),
            head,
            idle,
            head_received: AtomicBool::new(false),
            state: AtomicU32::new(0),
            streams: AtomicU32::new(0),
            downloads: AtomicU32::new(0),
            downloaded: AtomicU64::new(0),
            last_write: AtomicU64::new(0),
            read_by: AtomicU64::new(0),
            closed: Notify::new(),
        })
    }

    /// Records that a request's head has arrived.
    pub fn head_received(&self) {
        if !self.head_received.load(Relaxed) {
            self.record_write(0);
            self.record_response(0);
            self.head_received.store(true, Relaxed);
        }
    }

    /// Marks a request as running until the guard is dropped; the client is not timed while it
    /// runs. `None` if the connection is about to be closed.
    pub fn begin_request(self: &Arc<Self>) -> Option<RunningRequest> {
        let before = self.state.fetch_add(1, Relaxed);
        let begin_request = RunningRequest(self.clone());
        (before & CLOSED == 0).then_some(begin_request)
    }

    /// Marks a running request as an event stream until the guard is dropped: the connection is not
    /// idle, and the client is timed by the writes that succeed.
    pub fn begin_stream(running: RunningRequest) -> OpenStream {
        running.0.streams.fetch_add(1, Relaxed);
        OpenStream(running)
    }

    /// Marks a download as open until the guard is dropped: when the last of its bytes has been
    /// written, or the client has disconnected.
    pub fn begin_download(self: &Arc<Self>) -> OpenDownload {
        if self.downloads.fetch_add(1, Relaxed) == 0 {
            self.downloaded.store(self.now(), Relaxed);
        }
        OpenDownload(self.clone())
    }

    /// Records that a response of `bytes` bytes is being sent.
    pub fn record_response(&self, bytes: u64) {
        let read_by = self.now() + bytes.saturating_mul(1_000_000) / MIN_RATE;
        self.read_by.fetch_max(read_by, Relaxed);
    }

    /// Records a write of `bytes` bytes.
    pub fn record_write(&self, bytes: u64) {
        let now = self.now();
        self.last_write.store(now, Relaxed);
        if self.downloads.load(Relaxed) > 0 {
            let reached = self.downloaded.load(Relaxed) + bytes * 1_000_000 / MIN_RATE;
            self.downloaded.store(reached.min(now), Relaxed);
        }
    }

    /// When the connection became idle; `None` while a request is running or once the connection is
    /// to be closed. In the future while the client may still be reading a response.
    pub fn idle_since(&self) -> Option<Instant> {
        let since = match self.downloads.load(Relaxed) {
            0 => &self.read_by,
            // A slow reader counts as idle for the time it is behind.
            _ => &self.downloaded,
        };
        let is_idle = self.state.load(Relaxed) == 0;
        is_idle.then(|| self.opened + Duration::from_micros(since.load(Relaxed)))
    }

    /// Closes the connection unless a request is running; returns whether it does.
    pub fn close(&self) -> bool {
        let idle = self.state.compare_exchange(0, CLOSED, Relaxed, Relaxed);
        if idle.is_ok() {
            self.closed.notify_one();
        }
        idle.is_ok()
    }

    /// Whether the connection is to be closed.
    pub fn is_closed(&self) -> bool {
        self.state.load(Relaxed) & CLOSED != 0
    }

    /// Completes when the connection has timed out or is to be closed.
    pub async fn expired(&self) {
        loop {
            let (until, now) = (self.deadline(), Instant::now());
            if self.is_closed() || until <= now {
                return;
            }
            tokio::select! {
                // If `idle` is short, the first head moves the deadline to an earlier time.
                () = sleep_until(until.min(now + self.idle)) => {}
                () = self.closed.notified() => {}
            }
        }
    }

    fn deadline(&self) -> Instant {
        let running = self.state.load(Relaxed);
        if self.downloads.load(Relaxed) > 0 {
            let downloaded = Duration::from_micros(self.downloaded.load(Relaxed));
            self.opened + downloaded + self.idle
        } else if running > 0 && running == self.streams.load(Relaxed) {
            self.opened + Duration::from_micros(self.last_write.load(Relaxed)) + STREAM_STALL
        } else if running > 0 {
            Instant::now() + self.idle
        } else if self.head_received.load(Relaxed) {
            let used = self
                .last_write
                .load(Relaxed)
                .min(self.read_by.load(Relaxed));
            self.opened + Duration::from_micros(used) + self.idle
        } else {
            self.opened + self.head
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// The guard of a running request.
#[derive(Debug)]
pub struct RunningRequest(Arc<ConnectionTimer>);

impl Drop for RunningRequest {
    fn drop(&mut self) {
        self.0.record_write(0);
        self.0.record_response(0);
        self.0.state.fetch_sub(1, Relaxed);
    }
}

/// The guard of a running event stream.
#[derive(Debug)]
pub struct OpenStream(RunningRequest);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.0.streams.fetch_sub(1, Relaxed);
    }
}

/// The guard of an open download.
#[derive(Debug)]
pub struct OpenDownload(Arc<ConnectionTimer>);

impl Drop for OpenDownload {
    fn drop(&mut self) {
        self.0.record_response(0);
        self.0.downloads.fetch_sub(1, Relaxed);
    }
}

/// Marks an event stream, as one that is timed in its own way. The handler puts one clone into the
/// response's extensions and one into the body; the server sets the guard, which lives as long as
/// the body.
pub type StreamSlot = Arc<OnceLock<OpenStream>>;
/// Marks a download. Its pieces in memory hold the guard, too.
pub type DownloadSlot = Arc<OnceLock<OpenDownload>>;
