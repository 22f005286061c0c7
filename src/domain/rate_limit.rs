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

/// Counts calls by client.
pub struct RateLimiter<C: Clock = DefaultClock> {
    /// Keyed by a 64-bit hash of the client key, which needs no allocation.
    buckets: Buckets<C>,
    hasher: RandomState,
    calls_to_cleanup: AtomicUsize,
}

impl RateLimiter {
    /// Allows each client a burst of `per_minute` calls, refilled one by one within a minute.
    pub fn per_minute(per_minute: u32) -> Self {
        Self::with_clock(per_minute, DefaultClock::default())
    }
}

impl<C: Clock> RateLimiter<C> {
    fn with_clock(per_minute: u32, clock: C) -> Self {
        let quota = Quota::per_minute(NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN));
        Self {
            buckets: Buckets::dashmap_with_clock(quota, clock),
            hasher: RandomState::new(),
            calls_to_cleanup: AtomicUsize::new(CLEANUP_EVERY),
        }
    }

    /// Counts one call of `client`.
    ///
    /// # Errors
    /// Seconds until the next call is allowed, rounded up, at least one. A rejected call is not
    /// counted.
    pub fn check(&self, client: &str) -> Result<(), u32> {
        if self.calls_to_cleanup.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cleanup();
        }
        let decision = self.buckets.check_key(&self.hasher.hash_one(client));
        decision.map_err(|until| {
            let wait = until.wait_time_from(self.buckets.clock().now());
            u32::try_from(wait.as_millis().div_ceil(1000)).map_or(60, |seconds| seconds.max(1))
        })
    }

    /// Removes clients whose burst is fully refilled. The next cleanup runs after as many calls as
    /// clients remain, so the amortized cost per call is constant.
    fn cleanup(&self) {
        self.buckets.retain_recent();
        self.buckets.shrink_to_fit();
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
    fn each_client_has_its_own_calls_and_they_come_back_within_a_minute() {
        let clock = FakeRelativeClock::default();
        let limiter = RateLimiter::with_clock(3, clock.clone());
        for _ in 0..3 {
            assert_eq!(limiter.check("ada"), Ok(()));
        }
        assert_eq!(limiter.check("ada"), Err(20));
        assert_eq!(limiter.check("max"), Ok(()));
        clock.advance(Duration::from_millis(5_500));
        assert_eq!(limiter.check("ada"), Err(15));
        clock.advance(Duration::from_millis(14_500));
        assert_eq!(limiter.check("ada"), Ok(()));
        assert_eq!(limiter.check("ada"), Err(20));
    }

    #[test]
    fn memory_is_freed_after_a_flood_of_clients() {
        let clock = FakeRelativeClock::default();
        let limiter = RateLimiter::with_clock(600, clock.clone());
        // A thousand new clients in a second, for a minute: at 600 a minute each is idle after 100
        // ms.
        for n in 0..60_000 {
            assert_eq!(limiter.check(&n.to_string()), Ok(()));
            clock.advance(Duration::from_millis(1));
            assert!(limiter.buckets.len() <= 2 * CLEANUP_EVERY);
        }
        // The next cleanup finds all of them idle.
        clock.advance(Duration::from_secs(60));
        for _ in 0..CLEANUP_EVERY {
            let _ = limiter.check("ada");
        }
        assert_eq!(limiter.buckets.len(), 1);
    }

    #[test]
    fn a_cleanup_keeps_busy_clients() {
        let limiter = RateLimiter::with_clock(1, FakeRelativeClock::default());
        for n in 0..3 * CLEANUP_EVERY {
            assert_eq!(limiter.check(&n.to_string()), Ok(()));
        }
        assert!(limiter.check("0").is_err());
        assert_eq!(limiter.buckets.len(), 3 * CLEANUP_EVERY);
    }
}
