//! Rate limit per client: a burst of calls, refilled steadily over a minute (governor). Held in
//! memory, so a restart resets it. Uses the monotonic clock, so a wall clock that jumps has no
//! effect.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};

use governor::Quota;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;

/// Minimum number of calls between two removals of idle keys.
const CLEANUP_EVERY: usize = 1024;

type Buckets<C> =
    governor::RateLimiter<u64, DashMapStateStore<u64>, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// How many times the limit of one client an IPv6 /48 has, which may be one customer of a provider
/// with 65,536 networks of 64 bits, each of which counts as a client.
pub const SITE_FACTOR: u32 = 10;

/// Counts calls by client, and by the IPv6 /48 of clients.
pub struct RateLimiter<C: Clock = DefaultClock> {
    /// Keyed by a 64-bit hash of the client key, which needs no allocation.
    buckets: Buckets<C>,
    sites: Buckets<C>,
    hasher: RandomState,
    calls_to_cleanup: AtomicUsize,
}

impl RateLimiter {
    /// Allows each client a burst of `per_minute` calls, refilled one by one within a minute.
    pub fn per_minute(per_minute: u32) -> Self {
        Self::with_clock(per_minute, DefaultClock::default())
    }
}

impl<C: Clock + Clone> RateLimiter<C> {
    fn with_clock(per_minute: u32, clock: C) -> Self {
        let quota = |calls| Quota::per_minute(NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN));
        let of_site = quota(per_minute.saturating_mul(SITE_FACTOR));
        Self {
            buckets: Buckets::dashmap_with_clock(quota(per_minute), clock.clone()),
            sites: Buckets::dashmap_with_clock(of_site, clock),
            hasher: RandomState::new(),
            calls_to_cleanup: AtomicUsize::new(CLEANUP_EVERY),
        }
    }

    /// Counts one call of `client` in the /48 `site`, if it has one. `Err` holds the seconds until
    /// the next call is allowed, rounded up, at least one. A call that the client's own limit
    /// rejects is not counted.
    pub fn check(&self, client: &str, site: Option<&str>) -> Result<(), u32> {
        if self.calls_to_cleanup.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cleanup();
        }
        self.count(&self.buckets, client)?;
        site.map_or(Ok(()), |site| self.count(&self.sites, site))
    }

    fn count(&self, buckets: &Buckets<C>, key: &str) -> Result<(), u32> {
        let decision = buckets.check_key(&self.hasher.hash_one(key));
        decision.map_err(|until| {
            let wait = until.wait_time_from(buckets.clock().now());
            u32::try_from(wait.as_millis().div_ceil(1000)).map_or(60, |seconds| seconds.max(1))
        })
    }

    /// Removes clients whose burst is fully refilled. The next cleanup runs after as many calls as
    /// clients remain, so the amortized cost per call is constant.
    fn cleanup(&self) {
        for buckets in [&self.buckets, &self.sites] {
            buckets.retain_recent();
            buckets.shrink_to_fit();
        }
        let next = self.buckets.len().max(CLEANUP_EVERY);
        self.calls_to_cleanup.store(next, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use governor::clock::FakeRelativeClock;

    use super::{CLEANUP_EVERY, RateLimiter};

    #[test]
    fn memory_is_freed_after_a_flood_of_clients() {
        let clock = FakeRelativeClock::default();
        let limiter = RateLimiter::with_clock(600, clock.clone());
        // A thousand new clients in a second, for a minute: at 600 a minute each is idle after 100
        // ms.
        for n in 0..60_000 {
            assert_eq!(limiter.check(&n.to_string(), None), Ok(()));
            clock.advance(Duration::from_millis(1));
            assert!(limiter.buckets.len() <= 2 * CLEANUP_EVERY);
        }
        // The next cleanup finds all of them idle.
        clock.advance(Duration::from_secs(60));
        for _ in 0..CLEANUP_EVERY {
            let _ = limiter.check("ada", None);
        }
        assert_eq!(limiter.buckets.len(), 1);
    }

    #[test]
    fn a_cleanup_keeps_busy_clients() {
        let limiter = RateLimiter::with_clock(1, FakeRelativeClock::default());
        for n in 0..3 * CLEANUP_EVERY {
            assert_eq!(limiter.check(&n.to_string(), None), Ok(()));
        }
        assert!(limiter.check("0", None).is_err());
        assert_eq!(limiter.buckets.len(), 3 * CLEANUP_EVERY);
    }
}
