//! Decides when a failed email is retried and when it is given up: by its age, not by the number of
//! attempts (RFC 5321, section 4.5.4.1).

use domain::clock::{HOUR_MS, Time};
use domain::ids;

/// Minimum number of attempts regardless of age: a clock that was far ahead for a moment, or a
/// server that was off for a week, must not end delivery.
const MIN_ATTEMPTS: u32 = 8;
/// Longest delay between two attempts before jitter, in milliseconds.
const MAX_DELAY_MS: i64 = HOUR_MS;

/// Retry policy from the settings. All durations are in milliseconds.
pub(super) struct RetryPolicy {
    give_up_after: i64,
    first_delay: i64,
}

impl RetryPolicy {
    pub(super) fn new(settings: &config::Mail) -> Self {
        Self {
            give_up_after: i64::from(settings.give_up_hours) * HOUR_MS,
            first_delay: i64::from(settings.retry_seconds) * 1000,
        }
    }

    /// Whether an email whose first attempt was at `tried_since` is given up after `attempts`
    /// attempts.
    pub(super) fn is_exhausted(&self, tried_since: Time, attempts: u32, now: Time) -> bool {
        attempts >= MIN_ATTEMPTS && now >= tried_since.plus_millis(self.give_up_after)
    }

    /// Delay after attempt number `attempts`: doubles up to an hour, plus up to 25 % jitter, so
    /// that emails rejected together are not retried together.
    pub(super) fn delay(&self, attempts: u32) -> i64 {
        let doubled = 2_i64.saturating_pow(attempts.saturating_sub(1));
        let delay = self.first_delay.saturating_mul(doubled).min(MAX_DELAY_MS);
        let random = i64::from(u16::from_le_bytes(ids::random_bytes()));
        delay + delay / 4 * random / i64::from(u16::MAX)
    }
}
