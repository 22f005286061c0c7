//! Limits open connections: a share per client, and when all are in use, the longest-idle
//! connection is closed for a new one.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use super::timeouts::ConnectionTimer;
use crate::request::address_key::{client_network, is_site, site_network};
use domain::rate_limit::SITE_FACTOR;

/// Polling interval for an idle connection while all are busy.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);
/// When all connections are in use, one in `BATCH` is closed at once, so that a flood of new
/// connections does not scan all of them each time.
const BATCH: usize = 100;

/// The open connections, by client.
pub struct Connections {
    max: usize,
    share: usize,
    slots: Arc<Semaphore>,
    /// By network: each connection is in that of its client and in its IPv6 /48.
    open: Mutex<HashMap<IpNet, Vec<Arc<ConnectionTimer>>>>,
}

impl Connections {
    /// Allows `max` connections in total, `share` per client and `SITE_FACTOR` shares per IPv6
    /// /48.
    pub fn new(max: usize, share: usize) -> Arc<Self> {
        Arc::new(Self {
            max,
            share,
            slots: Arc::new(Semaphore::new(max)),
            open: Mutex::default(),
        })
    }

    /// Waits for a free slot for a connection from `address`; closes idle connections to make one.
    /// `None` if the client or its /48 has used its share and none of its connections is idle. A
    /// client that is not `limited`, such as a trusted proxy, acts for many clients and has no
    /// share.
    pub async fn admit(
        self: &Arc<Self>,
        address: IpAddr,
        limited: bool,
        timer: Arc<ConnectionTimer>,
    ) -> Option<ConnectionSlot> {
        let client = client_network(address);
        let site = site_network(address);
        let of_site = self.share.saturating_mul(SITE_FACTOR as usize);
        if limited {
            let is_site_within = |site| self.is_within_share(site, of_site);
            if !self.is_within_share(client, self.share) || !site.is_none_or(is_site_within) {
                return None;
            }
        }
        let acquire = self.acquire().await?;
        let networks = [Some(client), site];
        for network in networks.into_iter().flatten() {
            self.open
                .lock()
                .entry(network)
                .or_default()
                .push(timer.clone());
        }
        Some(ConnectionSlot {
            connections: self.clone(),
            networks,
            timer,
            _permit: acquire,
        })
    }

    /// Closes a batch of the longest-idle connections.
    pub fn close_oldest(&self) {
        let open = self.open.lock();
        // A connection of a /48 is in the network of its client too.
        let clients = open.iter().filter(|(network, _)| !is_site(network));
        let timers = clients.flat_map(|(_, timers)| timers);
        close_idle(timers, (self.max / BATCH).max(1));
    }

    /// Waits until all connections are closed.
    pub async fn wait_until_closed(&self) {
        let all = u32::try_from(self.max).unwrap_or(u32::MAX);
        let _ = self.slots.acquire_many(all).await;
    }

    /// Whether the network may open one more connection; closes one of its idle ones if needed.
    fn is_within_share(&self, network: IpNet, share: usize) -> bool {
        let mut open = self.open.lock();
        let Some(own) = open.get_mut(&network) else {
            return true;
        };
        if own.len() < share {
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
    networks: [Option<IpNet>; 2],
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
        let mut open = self.connections.open.lock();
        for network in self.networks.iter().flatten() {
            let Some(own) = open.get_mut(network) else {
                continue;
            };
            if let Some(at) = own.iter().position(|timer| Arc::ptr_eq(timer, &self.timer)) {
                own.swap_remove(at);
            }
            if own.is_empty() {
                open.remove(network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_clients_of_one_48_share_ten_times_the_connections_of_one() {
        let connections = Connections::new(100, 2);
        let minute = Duration::from_secs(60);
        let timer = || ConnectionTimer::new(minute, minute);
        let (mut slots, mut requests) = (Vec::new(), Vec::new());
        for number in 0..30 {
            let address = format!("2001:db8:1:{number:x}::1").parse().unwrap();
            let busy = timer();
            requests.extend(busy.begin_request());
            slots.extend(connections.admit(address, true, busy).await);
        }
        assert_eq!(slots.len(), 20);
        let elsewhere = "2001:db8:2::1".parse().unwrap();
        assert!(connections.admit(elsewhere, true, timer()).await.is_some());
        drop(slots);
        assert!(
            connections.open.lock().is_empty(),
            "no network is remembered"
        );
    }
}
