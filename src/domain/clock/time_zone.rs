//! The company's time zone, for days and displayed times.

use std::ops::Range;

use jiff::civil::{Date, DateTime};
use jiff::tz::AmbiguousTimestamp;
use jiff::{Timestamp, ToSpan};

use super::Time;

/// A time zone of the IANA database, as `America/Chicago`.
#[derive(Clone, Debug)]
pub struct TimeZone(jiff::tz::TimeZone);

impl TimeZone {
    /// The zone with this name; `None` if there is none.
    pub fn parse(name: &str) -> Option<Self> {
        jiff::tz::TimeZone::get(name).ok().map(Self)
    }

    /// Universal time.
    pub const fn utc() -> Self {
        Self(jiff::tz::TimeZone::UTC)
    }

    /// Its name in the IANA database.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The start of the day `YYYY-MM-DD`; `None` for any other text.
    pub fn start_of_day(&self, day: &str) -> Option<Time> {
        self.start(parse_day(day)?)
    }

    /// The end of the day `YYYY-MM-DD`, which is the start of the next one.
    pub fn end_of_day(&self, day: &str) -> Option<Time> {
        self.start(parse_day(day)?.tomorrow().ok()?)
    }

    /// A time on the clock of this zone, formatted by `strftime`.
    pub fn format(&self, at: Time, format: &str) -> String {
        let at = Timestamp::from_millisecond(at.millis()).unwrap_or(Timestamp::UNIX_EPOCH);
        at.to_zoned(self.0.clone()).strftime(format).to_string()
    }

    /// The time on the clock of this zone.
    pub fn local(&self, at: Time) -> DateTime {
        let at = Timestamp::from_millisecond(at.millis()).unwrap_or(Timestamp::UNIX_EPOCH);
        at.to_zoned(self.0.clone()).datetime()
    }

    /// The time on the clock of this zone with its offset, as in `2026-11-21T06:00:00-0600`.
    pub fn with_offset(&self, at: Time) -> String {
        let at = Timestamp::from_millisecond(at.millis()).unwrap_or(Timestamp::UNIX_EPOCH);
        let at = at.to_zoned(self.0.clone());
        at.strftime("%Y-%m-%dT%H:%M:%S%z").to_string()
    }

    /// From the first moment of a day to that of the next.
    pub fn day(&self, day: Date) -> Range<Time> {
        self.at(day, 0)..self.at(day, 24 * 60)
    }

    /// When the clock of this zone shows `minute` of `day`; a minute that is skipped is the moment
    /// after the gap, and of one that occurs twice it is the first.
    pub fn at(&self, day: Date, minute: u16) -> Time {
        let local = day.at(0, 0, 0, 0);
        let local = local.saturating_add(i64::from(minute).minutes());
        let ambiguous = self.0.to_ambiguous_timestamp(local);
        let at = match ambiguous.offset() {
            // The moment after the gap: the offset before it, at the transition.
            jiff::tz::AmbiguousOffset::Gap { .. } => self.after_gap(&ambiguous),
            _ => ambiguous.earlier(),
        };
        at.map_or_else(
            |_| Time::default(),
            |at| Time::from_millis(at.as_millisecond()),
        )
    }

    /// The transition that skips a time.
    fn after_gap(&self, skipped: &AmbiguousTimestamp) -> Result<Timestamp, jiff::Error> {
        let before = (*skipped).earlier()?;
        let transition = self.0.following(before).next();
        transition.map_or(Ok(before), |transition| Ok(transition.timestamp()))
    }

    fn start(&self, day: Date) -> Option<Time> {
        let at = day.to_zoned(self.0.clone()).ok()?;
        Some(Time::from_millis(at.timestamp().as_millisecond()))
    }
}

fn parse_day(day: &str) -> Option<Date> {
    Some(day)
        .filter(|day| day.len() == "2026-11-21".len())?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::TimeZone;

    #[test]
    fn a_day_starts_and_ends_on_the_clock_of_the_zone() {
        let chicago = TimeZone::parse("America/Chicago").unwrap();
        for (day, start, hours) in [
            ("2026-11-21", "2026-11-21T06:00:00.000Z", 24),
            ("2026-03-08", "2026-03-08T06:00:00.000Z", 23),
            ("2026-11-01", "2026-11-01T05:00:00.000Z", 25),
        ] {
            let (from, to) = (chicago.start_of_day(day), chicago.end_of_day(day));
            let (from, to) = (from.unwrap(), to.unwrap());
            assert_eq!(from.to_string(), start);
            assert_eq!(to.millis() - from.millis(), hours * 3_600_000, "{day}");
        }
        for wrong in ["", "2026-13-01", "2026-11-21T00:00:00Z", "21.11.2026"] {
            assert!(chicago.start_of_day(wrong).is_none(), "{wrong:?}");
        }
        assert!(TimeZone::parse("Houston").is_none());
    }
}
