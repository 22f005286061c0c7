//! Time as a value. `Time` is stored and printed; `Clock` is the only source of the current time:
//! the system clock, or a manual clock in tests. It never goes back, so nothing that is stored lies
//! in its future.

mod described;
pub mod local_time;
pub mod time_zone;

use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

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

/// The time of a file.
impl From<SystemTime> for Time {
    fn from(at: SystemTime) -> Self {
        let since = at
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        Self(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
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

/// Source of the current time, which never goes back: where the machine's clock is set back, it
/// goes on a little slower than time passes until the machine has caught up. Clones are the same
/// clock.
#[derive(Clone, Debug)]
pub struct Clock(Arc<Steady>);

/// How far ahead of the machine the time may be until operators are told, in milliseconds.
pub const MAX_AHEAD_MS: i64 = HOUR_MS;
/// The part by which the clock is slower while it is ahead of the machine.
const SLOWER_BY: i64 = 10;

#[derive(Debug)]
struct Steady {
    source: Source,
    last: Mutex<Reading>,
}

#[derive(Debug)]
enum Source {
    /// The system's clock; what has elapsed is counted from here.
    System(Instant),
    Manual(Mutex<Reading>),
}

/// A time, and the milliseconds that had elapsed then by a clock that nobody sets.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: Time,
    elapsed: i64,
}

impl Clock {
    /// The clock of this process.
    pub fn system() -> Self {
        static SYSTEM: LazyLock<Clock> =
            LazyLock::new(|| Clock::of(Source::System(Instant::now())));
        SYSTEM.clone()
    }

    /// A clock that stays at `start` until `advance` is called; for tests.
    pub fn manual(start: Time) -> Self {
        let reading = Reading {
            at: start,
            elapsed: 0,
        };
        Self::of(Source::Manual(Mutex::new(reading)))
    }

    fn of(source: Source) -> Self {
        let last = Mutex::new(source.read());
        Self(Arc::new(Steady { source, last }))
    }

    /// The current time.
    pub fn now(&self) -> Time {
        let mut last = lock(&self.0.last);
        // Read under the lock: the readings of all threads have one order.
        let machine = self.0.source.read();
        let elapsed = machine.elapsed - last.elapsed;
        let steady = last.at.plus_millis(elapsed - elapsed / SLOWER_BY);
        if machine.at < steady {
            return steady;
        }
        *last = machine;
        machine.at
    }

    /// The time of the machine, which may be set back: for what is compared with the clocks of
    /// other machines.
    pub fn machine(&self) -> Time {
        self.0.source.read().at
    }

    /// Milliseconds by which the time is ahead of the machine.
    pub fn ahead_ms(&self) -> i64 {
        self.now().millis() - self.machine().millis()
    }

    /// Goes on from `newest`, the newest time that is stored, unless the time is later.
    pub fn start_at(&self, newest: Time) {
        if newest > self.now() {
            let elapsed = self.0.source.read().elapsed;
            *lock(&self.0.last) = Reading {
                at: newest,
                elapsed,
            };
        }
    }

    /// Lets `millis` pass on a manual clock; a negative number sets the machine back, as an
    /// operator does. Does nothing to the system clock.
    pub fn advance(&self, millis: i64) {
        if let Source::Manual(reading) = &self.0.source {
            // What was told until now stays the earliest time.
            self.now();
            let mut reading = lock(reading);
            reading.at = reading.at.plus_millis(millis);
            reading.elapsed += millis.max(0);
        }
    }
}

impl Source {
    fn read(&self) -> Reading {
        match self {
            #[expect(
                clippy::disallowed_methods,
                reason = "the only caller of the system clock"
            )]
            Self::System(start) => Reading {
                at: Time(Timestamp::now().as_millisecond()),
                elapsed: i64::try_from(start.elapsed().as_millis()).unwrap_or(i64::MAX),
            },
            Self::Manual(reading) => *lock(reading),
        }
    }
}

/// Nothing panics while it holds the lock.
fn lock(reading: &Mutex<Reading>) -> MutexGuard<'_, Reading> {
    reading.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Clock, DAY_MS, HOUR_MS, MINUTE_MS, Time};

    #[test]
    fn a_clock_that_is_set_back_goes_on_until_the_machine_has_caught_up() {
        let start = Time::from_millis(1_795_230_245_067);
        let clock = Clock::manual(start);
        clock.advance(-HOUR_MS);
        assert_eq!((clock.now(), clock.ahead_ms()), (start, HOUR_MS));
        clock.advance(10 * MINUTE_MS);
        assert_eq!(clock.now(), start.plus_millis(9 * MINUTE_MS));
        assert_eq!(clock.machine(), start.plus_millis(-50 * MINUTE_MS));
        clock.advance(9 * HOUR_MS + 50 * MINUTE_MS);
        assert_eq!((clock.now(), clock.ahead_ms()), (clock.machine(), 0));
        clock.advance(DAY_MS);
        assert_eq!(clock.now(), start.plus_millis(33 * HOUR_MS));
    }

    #[test]
    fn a_clock_begins_at_the_newest_stored_time_and_no_earlier_time_moves_it() {
        let start = Time::from_millis(1_795_230_245_067);
        let clock = Clock::manual(start);
        clock.start_at(start.plus_millis(-1));
        assert_eq!(clock.now(), start);
        clock.start_at(start.plus_millis(DAY_MS));
        clock.start_at(start.plus_millis(HOUR_MS));
        assert_eq!(clock.clone().now(), start.plus_millis(DAY_MS));
        assert_eq!(clock.ahead_ms(), DAY_MS);
    }

    #[test]
    fn no_thread_sees_an_earlier_time_than_another_one_before() {
        let clock = Clock::system();
        clock.start_at(clock.now().plus_millis(50));
        let seen = std::sync::Mutex::new(clock.now());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2000 {
                        let mut seen = seen.lock().unwrap();
                        let now = clock.now();
                        assert!(now >= *seen);
                        *seen = now;
                    }
                });
            }
        });
    }

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
