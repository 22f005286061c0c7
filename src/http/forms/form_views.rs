//! When clients first opened a form's page, in memory: measures how long a form was open, without
//! script and cookie. A client that never requested the page, as after navigation in the browser,
//! is not measured.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use parking_lot::Mutex;

use domain::clock::{MINUTE_MS, Time};

/// Lifetime of a view.
const WINDOW_MILLIS: i64 = 30 * MINUTE_MS;
/// Maximum number of clients per map. There are two maps: when the newer one is full, the older one
/// is dropped as a whole, so that old views need not be searched.
const CAPACITY: usize = 10_000;

/// The views.
#[derive(Default)]
pub struct FormViews {
    hasher: RandomState,
    views: Mutex<Generations>,
}

/// The first view of each client, by the hash of its key. A view is in one of them.
#[derive(Default)]
struct Generations {
    newer: HashMap<u64, Time>,
    older: HashMap<u64, Time>,
}

impl FormViews {
    /// Records that this client has opened a form's page.
    pub fn record(&self, client: &str, now: Time) {
        let hash = self.hasher.hash_one(client);
        let mut views = self.views.lock();
        if views
            .first(hash)
            .is_some_and(|first| age(first, now).is_some())
        {
            return;
        }
        if views.newer.len() >= CAPACITY {
            views.older = std::mem::take(&mut views.newer);
        }
        views.older.remove(&hash);
        views.newer.insert(hash, now);
    }

    /// Milliseconds since this client first opened a form's page; `None` if it has not within the
    /// lifetime.
    pub fn since_first(&self, client: &str, now: Time) -> Option<i64> {
        let first = self.views.lock().first(self.hasher.hash_one(client))?;
        age(first, now)
    }

    /// Deletes the client's views after it has sent a form, so that the next one is measured
    /// separately.
    pub fn forget(&self, client: &str) {
        let hash = self.hasher.hash_one(client);
        let mut views = self.views.lock();
        views.newer.remove(&hash);
        views.older.remove(&hash);
    }
}

impl Generations {
    fn first(&self, hash: u64) -> Option<Time> {
        self.older
            .get(&hash)
            .or_else(|| self.newer.get(&hash))
            .copied()
    }
}

/// Milliseconds from `first` to `now`, within the window.
fn age(first: Time, now: Time) -> Option<i64> {
    let age = now.millis() - first.millis();
    (0..WINDOW_MILLIS).contains(&age).then_some(age)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_clients_takes_bounded_memory() {
        let (views, now) = (FormViews::default(), Time::from_millis(1_800_000_000_000));
        for client in 0..5 * CAPACITY {
            views.record(&client.to_string(), now);
        }
        let kept = views.views.lock();
        assert!(kept.newer.len() + kept.older.len() <= 2 * CAPACITY);
    }
}
