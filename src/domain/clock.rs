//! Time as a value. `Time` is what the product stores and prints; `Clock` is the one place that asks the system, or a test's hand.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// A moment: milliseconds since the Unix epoch. Prints as fixed-width RFC 3339 UTC with milliseconds, so that text order is time order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// This moment moved by `millis` (negative: earlier), saturating.
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// This moment moved by `seconds`.
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        self.plus_millis(seconds.saturating_mul(1000))
    }

    /// Reads an RFC 3339 timestamp, or a bare `YYYY-MM-DD` day as its first moment in UTC. `None` for anything else.
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
        // Out of jiff's range only by a corrupt row; the epoch is then as good a text as any.
        let at = Timestamp::from_millisecond(self.0).unwrap_or(Timestamp::UNIX_EPOCH);
        write!(f, "{at:.3}")
    }
}

impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Tells the time: the system's, or one that a test turns by hand.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    Hand(Arc<AtomicI64>),
}

impl Clock {
    /// The system's clock.
    pub const fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands at `start` until `turn` moves it; for tests.
    pub fn manual(start: Time) -> Self {
        Self(Source::Hand(Arc::new(AtomicI64::new(start.millis()))))
    }

    /// The present moment.
    pub fn now(&self) -> Time {
        match &self.0 {
            #[expect(
                clippy::disallowed_methods,
                reason = "the one place that asks the system"
            )]
            Source::System => Time(Timestamp::now().as_millisecond()),
            Source::Hand(at) => Time(at.load(Ordering::SeqCst)),
        }
    }

    /// Moves a clock made by `by_hand` by `millis` (negative: back). The system's clock is left alone.
    pub fn advance(&self, millis: i64) {
        if let Source::Hand(at) = &self.0 {
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
