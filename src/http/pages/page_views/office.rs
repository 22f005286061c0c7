//! The addresses from which people work at the desk, hashed, in memory.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;

use parking_lot::Mutex;

use crate::request::address_key::client_network;
use domain::clock::{DAY_MS, Time};

/// Maximum number of addresses.
const CAPACITY: usize = 1000;

/// When a person last worked at the desk, by the hash of the address.
#[derive(Default)]
pub(super) struct Office {
    hasher: RandomState,
    seen: Mutex<HashMap<u64, Time>>,
}

impl Office {
    pub(super) fn mark(&self, address: IpAddr, now: Time) {
        let hash = self.hasher.hash_one(client_network(address));
        let mut seen = self.seen.lock();
        if seen.len() >= CAPACITY {
            seen.retain(|_, at| is_recent(*at, now));
        }
        if seen.len() < CAPACITY || seen.contains_key(&hash) {
            seen.insert(hash, now);
        }
    }

    /// Whether a person has worked at the desk from the address within a day.
    pub(super) fn has(&self, address: impl FnOnce() -> IpAddr, now: Time) -> bool {
        if self.seen.lock().is_empty() {
            return false;
        }
        let hash = self.hasher.hash_one(client_network(address()));
        self.seen
            .lock()
            .get(&hash)
            .is_some_and(|at| is_recent(*at, now))
    }
}

fn is_recent(at: Time, now: Time) -> bool {
    now.millis() - at.millis() < DAY_MS
}
