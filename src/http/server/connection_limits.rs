//! Limits open connections: a share per client, and when all are in use, the longest-idle
//! connection is closed for a new one.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use super::timeouts::ConnectionTimer;

/// How often to look again for an idle connection while all are busy.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);
/// When all connections are in use, one in `BATCH` is closed at once, so that a flood of new
/// connections does not scan all of them each time.
const BATCH: usize = 100;

/// The open connections, by client.
pub struct Connections {
    max: usize,
    share: usize,
    slots: Arc<Semaphore>,
    open: Mutex<HashMap<IpAddr, Vec<Arc<ConnectionTimer>>>>,
}

impl Connections {
    /// Allows `max` connections in total and `share` per client.
    pub fn new(max: usize, share: usize) -> Arc<Self> {
        Arc::new(Self {
            max,
            share,
            slots: Arc::new(Semaphore::new(max)),
            open: Mutex::default(),
        })
    }

    /// Waits for a free slot for a connection of `client`; closes idle connections to make one.
    /// `None` if the client has used its share and none of its connections is idle. A client that
    /// is not `limited`, such as a trusted proxy, acts for many clients and has no share.
    pub async fn admit(
        self: &Arc<Self>,
        client: IpAddr,
        limited: bool,
        timer: Arc<ConnectionTimer>,
    ) -> Option<ConnectionSlot> {
        if limited && !self.is_within_share(client) {
            return None;
        }
        let acquire = self.acquire().await?;
        self.open().entry(client).or_default().push(timer.clone());
        Some(ConnectionSlot {
            connections: self.clone(),
            client,
            timer,
            _permit: acquire,
        })
    }

    /// Closes a batch of the longest-idle connections.
    pub fn close_oldest(&self) {
        let open = self.open();
        close_idle(open.values().flatten(), (self.max / BATCH).max(1));
    }

    /// Waits until no connection is open.
    pub async fn wait_until_closed(&self) {
        let all = u32::try_from(self.max).unwrap_or(u32::MAX);
        let _ = self.slots.acquire_many(all).await;
    }

    /// Whether the client may open one more connection; closes an idle one of its own if needed.
    fn is_within_share(&self, client: IpAddr) -> bool {
        let mut open = self.open();
        let Some(own) = open.get_mut(&client) else {
            return true;
        };
        if own.len() < self.share {
            return true;
        }
        let closed = close_idle(own.iter(), 1);
        own.retain(|timer| !timer.is_closed());
        closed > 0
    }

    async fn acquire(&self) -> Option<OwnedSemaphorePermit> {
        loop {
            if let Ok(acquire) = self.slots.clone().try_acquire_owned() {
                return Some(acquire);
            }
            self.close_oldest();
            if let Ok(acquire) = timeout(RETRY_INTERVAL, self.slots.clone().acquire_owned()).await {
                return acquire.ok();
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<IpAddr, Vec<Arc<ConnectionTimer>>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes up to `max` idle connections, the longest idle first; returns how many.
fn close_idle<'a>(
    connections: impl Iterator<Item = &'a Arc<ConnectionTimer>>,
    max: usize,
) -> usize {
    let mut idle: Vec<(Instant, &ConnectionTimer)> = connections
        .filter_map(|timer| Some((timer.idle_since()?, &**timer)))
        .collect();
    if idle.len() > max {
        idle.select_nth_unstable_by_key(max - 1, |(since, _)| *since);
        idle.truncate(max);
    }
    idle.iter().filter(|(_, timer)| timer.close()).count()
}

/// The slot of an open connection. Dropping it frees the slot.
pub struct ConnectionSlot {
    connections: Arc<Connections>,
    client: IpAddr,
    timer: Arc<ConnectionTimer>,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionSlot {
    /// The connection's timer.
    pub const fn timer(&self) -> &Arc<ConnectionTimer> {
        &self.timer
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        let Some(own) = open.get_mut(&self.client) else {
            return;
        };
        if let Some(at) = own.iter().position(|timer| Arc::ptr_eq(timer, &self.timer)) {
            own.swap_remove(at);
        }
        if own.is_empty() {
            open.remove(&self.client);
        }
    }
}
