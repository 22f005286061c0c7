//! How long a connection may wait: for its first request's head, between requests, and for a client
//! that takes an answer slowly. hyper's own header timeout neither covers a silent new connection nor
//! tells an idle one from a slow one. Bodies have their own limit, in `body`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// Bytes of an answer that a client has to take in a second, on the whole.
const SLOWEST: u64 = 4 * 1024;
/// Set in `state` once the connection is to be closed; the other bits count running requests.
const CLOSED: u32 = 1 << 31;

/// What is known of one connection. Times are microseconds since `opened`.
#[derive(Debug)]
pub struct ConnectionTimer {
    opened: Instant,
    head: Duration,
    idle: Duration,
    spoken: AtomicBool,
    state: AtomicU32,
    /// When bytes were last written.
    moved: AtomicU64,
    /// When the last answer should have been taken, at `SLOWEST`. Whatever else the client makes the
    /// server write (HTTP/2 PING and SETTINGS) is no use of the connection.
    taken: AtomicU64,
    closed: Notify,
}

impl ConnectionTimer {
    /// A connection opened now, whose first head has to arrive within `head`, and which may be idle
    /// for `idle` after that.
    pub fn new(head: Duration, idle: Duration) -> Arc<Self> {
        Arc::new(Self {
            opened: Instant::now(),
            head,
            idle,
            spoken: AtomicBool::new(false),
            state: AtomicU32::new(0),
            moved: AtomicU64::new(0),
            taken: AtomicU64::new(0),
            closed: Notify::new(),
        })
    }

    /// A request's head is here.
    pub fn spoken(&self) {
        if !self.spoken.load(Relaxed) {
            self.moved();
            self.answered(0);
            self.spoken.store(true, Relaxed);
        }
    }

    /// A request is being worked on until the guard is dropped; how long that takes is not the
    /// client's doing. `None` where the connection is about to be closed.
    pub fn running(self: &Arc<Self>) -> Option<Running> {
        let before = self.state.fetch_add(1, Relaxed);
        let running = Running(self.clone());
        (before & CLOSED == 0).then_some(running)
    }

    /// An answer of so many bytes was handed over to be sent.
    pub fn answered(&self, bytes: u64) {
        let taken = self.now() + bytes.saturating_mul(1_000_000) / SLOWEST;
        self.taken.fetch_max(taken, Relaxed);
    }

    /// Bytes were written.
    pub fn moved(&self) {
        self.moved.store(self.now(), Relaxed);
    }

    /// Since when nothing has been asked or answered; `None` while a request is worked on, and once
    /// the connection is to be closed. In the future while a client may be taking an answer.
    pub fn idle_since(&self) -> Option<Instant> {
        (self.state.load(Relaxed) == 0)
            .then(|| self.opened + Duration::from_micros(self.taken.load(Relaxed)))
    }

    /// Has the connection closed, unless a request is worked on; says whether it will be.
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

    /// Done when the connection has waited too long, or is to be closed.
    pub async fn lost(&self) {
        loop {
            let (until, now) = (self.deadline(), Instant::now());
            if self.is_closed() || until <= now {
                return;
            }
            tokio::select! {
                // The first head turns the deadline into an earlier one where `idle` is short.
                () = sleep_until(until.min(now + self.idle)) => {}
                () = self.closed.notified() => {}
            }
        }
    }

    fn deadline(&self) -> Instant {
        if self.state.load(Relaxed) > 0 {
            Instant::now() + self.idle
        } else if self.spoken.load(Relaxed) {
            let used = self.moved.load(Relaxed).min(self.taken.load(Relaxed));
            self.opened + Duration::from_micros(used) + self.idle
        } else {
            self.opened + self.head
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// A request that is being worked on.
#[derive(Debug)]
pub struct Running(Arc<ConnectionTimer>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.moved();
        self.0.answered(0);
        self.0.state.fetch_sub(1, Relaxed);
    }
}
