//! Who may hold a connection: a share for each client, and under pressure a place for every new
//! connection instead of the one that has been idle for the longest.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use super::timeouts::ConnectionTimer;

/// How soon it is looked again for an idle connection, where every one was busy.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// Under pressure one connection in so many is closed at once, so that a flood of new connections
/// does not pay for a look at all of them each time.
const BATCH: usize = 100;

/// The open connections, by client.
pub struct Connections {
    most: usize,
    share: usize,
    places: Arc<Semaphore>,
    open: Mutex<HashMap<IpAddr, Vec<Arc<ConnectionTimer>>>>,
}

impl Connections {
    /// Room for `most` connections, `share` of them for a client.
    pub fn new(most: usize, share: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            share,
            places: Arc::new(Semaphore::new(most)),
            open: Mutex::default(),
        })
    }

    /// A place for a connection of `client`, once there is one; idle connections are closed for it.
    /// `None` where the client has its share and none of its connections is idle. A client that is
    /// not `limited`, such as a trusted proxy, speaks for many and has no share.
    pub async fn admit(
        self: &Arc<Self>,
        client: IpAddr,
        limited: bool,
        pace: Arc<ConnectionTimer>,
    ) -> Option<Place> {
        if limited && !self.is_within_share(client) {
            return None;
        }
        let permit = self.permit().await?;
        self.open().entry(client).or_default().push(pace.clone());
        Some(Place {
            connections: self.clone(),
            client,
            pace,
            _permit: permit,
        })
    }

    /// Closes some of the connections that have been idle for the longest.
    pub fn close_oldest(&self) {
        let open = self.open();
        close_idle(open.values().flatten(), (self.most / BATCH).max(1));
    }

    /// Done when no connection is left.
    pub async fn ended(&self) {
        let all = u32::try_from(self.most).unwrap_or(u32::MAX);
        let _ = self.places.acquire_many(all).await;
    }

    /// Whether the client may have one more, for which an idle one of its own may have to go.
    fn is_within_share(&self, client: IpAddr) -> bool {
        let mut open = self.open();
        let Some(own) = open.get_mut(&client) else {
            return true;
        };
        if own.len() < self.share {
            return true;
        }
        let closed = close_idle(own.iter(), 1);
        own.retain(|pace| !pace.is_closed());
        closed > 0
    }

    async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        loop {
            if let Ok(permit) = self.places.clone().try_acquire_owned() {
                return Some(permit);
            }
            self.close_oldest();
            if let Ok(permit) = timeout(LOOK_AGAIN, self.places.clone().acquire_owned()).await {
                return permit.ok();
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<IpAddr, Vec<Arc<ConnectionTimer>>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes up to `most` of these that are idle, the longest idle first; says how many.
fn close_idle<'a>(
    connections: impl Iterator<Item = &'a Arc<ConnectionTimer>>,
    most: usize,
) -> usize {
    let mut idle: Vec<(Instant, &ConnectionTimer)> = connections
        .filter_map(|pace| Some((pace.idle_since()?, &**pace)))
        .collect();
    if idle.len() > most {
        idle.select_nth_unstable_by_key(most - 1, |(since, _)| *since);
        idle.truncate(most);
    }
    idle.iter().filter(|(_, pace)| pace.close()).count()
}

/// The place of an open connection. Dropping it makes room for another.
pub struct Place {
    connections: Arc<Connections>,
    client: IpAddr,
    pace: Arc<ConnectionTimer>,
    _permit: OwnedSemaphorePermit,
}

impl Place {
    /// The connection's timer.
    pub const fn pace(&self) -> &Arc<ConnectionTimer> {
        &self.pace
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        let Some(own) = open.get_mut(&self.client) else {
            return;
        };
        if let Some(at) = own.iter().position(|pace| Arc::ptr_eq(pace, &self.pace)) {
            own.swap_remove(at);
        }
        if own.is_empty() {
            open.remove(&self.client);
        }
    }
}
