//! Time as a value. `Time` is stored and printed; `Clock` is the only source of the current time:
//! the system clock, or a manual clock in tests.

pub mod clock_jump;
mod described_time;
pub mod local_time;
pub mod time_zone;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

pub const MINUTE_MS: i64 = 60 * 1000;
pub const HOUR_MS: i64 = 60 * MINUTE_MS;
/// 24 hours.
pub const DAY_MS: i64 = 24 * HOUR_MS;

/// For a text that is no time.
const EXPECTED: &str = "Choose a day and a time, as in 2026-11-21T15:00:00Z.";

/// A point in time: milliseconds since the Unix epoch. Prints as fixed-width RFC 3339 UTC with
/// milliseconds, so that text order is time order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    /// From milliseconds since the Unix epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since the Unix epoch.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// This time plus `millis` (negative: earlier), saturating.
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// This time plus `seconds`, saturating.
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        self.plus_millis(seconds.saturating_mul(1000))
    }

    /// Parses an RFC 3339 timestamp, or a `YYYY-MM-DD` date as midnight UTC. `None` for anything
    /// else.
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(at) = text.parse::<Timestamp>() {
            return Some(Self(at.as_millisecond()));
        }
        let day: jiff::civil::Date = text.parse().ok()?;
        let at = day.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Self(at.timestamp().as_millisecond()))
    }

    /// The UTC calendar day, `YYYY-MM-DD`.
    pub fn day(self) -> String {
        self.to_string()[..10].to_owned()
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Only a corrupt row is outside jiff's range; print the epoch then.
        let at = Timestamp::from_millisecond(self.0).unwrap_or(Timestamp::UNIX_EPOCH);
        write!(f, "{at:.3}")
    }
}

impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Time {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(EXPECTED))
    }
}

/// Source of the current time.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    Manual(Arc<AtomicI64>),
}

impl Clock {
    pub const fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stays at `start` until `advance` is called; for tests.
    pub fn manual(start: Time) -> Self {
        Self(Source::Manual(Arc::new(AtomicI64::new(start.millis()))))
    }

    /// The current time.
    pub fn now(&self) -> Time {
        match &self.0 {
            #[expect(
                clippy::disallowed_methods,
                reason = "the only caller of the system clock"
            )]
            Source::System => Time(Timestamp::now().as_millisecond()),
            Source::Manual(at) => Time(at.load(Ordering::SeqCst)),
        }
    }

    /// Moves a manual clock by `millis` (negative: back). Does nothing to the system clock.
    pub fn advance(&self, millis: i64) {
        if let Source::Manual(at) = &self.0 {
            at.fetch_add(millis, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn times_print_at_fixed_width_and_read_back() {
        let time = Time::from_millis(1_795_230_245_067);
        assert_eq!(time.to_string().len(), "2026-11-21T03:04:05.678Z".len());
        assert_eq!(Time::parse(&time.to_string()), Some(time));
        assert_eq!(
            Time::parse("2026-11-21").map(|t| t.to_string()).as_deref(),
            Some("2026-11-21T00:00:00.000Z")
        );
        assert_eq!(Time::parse("yesterday"), None);
    }
}
