//! The live feed: the newest events as prepared frames in a bounded ring. A listener is a position
//! in the ring and a `watch`, without a queue; a listener that falls behind by a whole ring must
//! resync.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

use domain::ids;
use domain::live::LiveEvent;

/// Capacity of the ring, in frames.
const CAPACITY: usize = 1024;

/// The feed. Clones share one ring.
#[derive(Clone)]
pub struct LiveFeed(Arc<Shared>);

struct Shared {
    ring: Mutex<Ring>,
    newest: watch::Sender<u64>,
}

struct Ring {
    /// The number of the newest event.
    newest: u64,
    /// The frames of the newest events, oldest first.
    frames: VecDeque<Bytes>,
}

impl Default for LiveFeed {
    /// An empty feed. Its numbers start at random below 2^52, so that numbers of an earlier process
    /// are not mistaken for its own, and JavaScript can represent them.
    fn default() -> Self {
        let newest = u64::from_le_bytes(ids::random_bytes()) >> 12;
        Self(Arc::new(Shared {
            ring: Mutex::new(Ring {
                newest,
                frames: VecDeque::new(),
            }),
            newest: watch::Sender::new(newest),
        }))
    }
}

impl LiveFeed {
    pub fn has_listeners(&self) -> bool {
        self.0.newest.receiver_count() > 0
    }

    /// Publishes events. Without listeners only their number is kept: a reconnecting client must
    /// resync.
    pub fn publish(&self, events: &[LiveEvent]) {
        let mut ring = self.ring();
        if self.has_listeners() {
            for event in events {
                ring.newest += 1;
                let frame = event.frame(Some(ring.newest));
                if ring.frames.len() == CAPACITY {
                    ring.frames.pop_front();
                }
                ring.frames.push_back(frame);
            }
        } else {
            ring.newest += 1;
            ring.frames.clear();
        }
        self.0.newest.send_replace(ring.newest);
    }

    /// A listener for the events after `last`, the number of the last event that the client has
    /// seen; for all further events if it has seen none.
    pub fn listen(&self, last: Option<u64>) -> Listener {
        let ring = self.ring();
        Listener {
            feed: self.clone(),
            seen: last.unwrap_or(ring.newest),
            newest: self.0.newest.subscribe(),
        }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.0.ring.lock()
    }
}

impl Ring {
    /// The frames after event number `seen`; `None` if some have left the ring, or if the number is
    /// not of this feed.
    fn after(&self, seen: u64) -> Option<impl Iterator<Item = &Bytes>> {
        let missed = usize::try_from(self.newest.checked_sub(seen)?).ok()?;
        let known = self.frames.len().checked_sub(missed)?;
        Some(self.frames.range(known..))
    }
}

/// One listener's position in the feed.
pub struct Listener {
    feed: LiveFeed,
    seen: u64,
    newest: watch::Receiver<u64>,
}

impl Listener {
    /// The number of the last event given to this listener.
    pub const fn seen(&self) -> u64 {
        self.seen
    }

    /// Waits for further events; returns their frames concatenated.
    pub async fn next(&mut self) -> Bytes {
        loop {
            self.newest.mark_unchanged();
            if let Some(frames) = self.take() {
                return frames;
            }
            // The sender lives as long as this listener's feed.
            let _ = self.newest.changed().await;
        }
    }

    /// The frames since the last call, if there are any.
    pub fn take(&mut self) -> Option<Bytes> {
        let ring = self.feed.ring();
        let frames = match ring.after(self.seen) {
            None => LiveEvent::Resync.frame(Some(ring.newest)),
            Some(mut frames) => {
                let first = frames.next()?;
                match frames.next() {
                    None => first.clone(),
                    Some(second) => [first, second]
                        .into_iter()
                        .chain(frames)
                        .flatten()
                        .copied()
                        .collect(),
                }
            }
        };
        self.seen = ring.newest;
        Some(frames)
    }
}
