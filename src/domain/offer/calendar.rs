//! Days and times of day of schedules.

use jiff::ToSpan;
use jiff::civil::Date;
use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use crate::on_call::alarm::parse_minute;
use crate::us_state;

/// Minutes of a day.
pub const DAY: i64 = 24 * 60;

/// A day of the calendar, as `2026-11-21`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Day(pub Date);

/// A time of day as `HH:MM`, in minutes after midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeOfDay(pub i64);

impl TryFrom<String> for TimeOfDay {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let minute = parse_minute(&text).map(i64::from);
        let minute = minute.filter(|minute| *minute < DAY && text.len() == "08:30".len());
        minute.map(Self).ok_or("a time is HH:MM")
    }
}

impl From<TimeOfDay> for String {
    fn from(TimeOfDay(minute): TimeOfDay) -> Self {
        format!("{:02}:{:02}", minute / 60, minute % 60)
    }
}

/// A day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Deserialize, Serialize)]
#[oai(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Weekday {
    Sunday,
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
}

impl Weekday {
    pub const ALL: [Self; 7] = [
        Self::Sunday,
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
    ];

    pub const FROM_MONDAY: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];

    pub fn of(date: Date) -> Self {
        let place = date.weekday().to_sunday_zero_offset();
        Self::ALL[usize::try_from(place).unwrap_or(0)]
    }
}

/// What local minutes last: on the clock of a zone, where an hour can be missing or occur twice, or
/// of a typical week, where each hour occurs once.
pub enum Clock {
    Zone(jiff::tz::TimeZone),
    Typical,
}

impl Clock {
    /// The clock of most of a state.
    pub fn of_state(code: &str) -> Self {
        let zone = jiff::tz::TimeZone::get(us_state::time_zone(code));
        zone.map_or(Self::Typical, Self::Zone)
    }

    /// The minutes between two local times, which are minutes after the midnight of `date`.
    pub fn elapsed(&self, date: Date, from: i64, to: i64) -> i64 {
        match self {
            Self::Typical => to - from,
            Self::Zone(zone) => {
                let at = |minute: i64| {
                    let local = date.at(0, 0, 0, 0).checked_add(minute.minutes()).ok()?;
                    // A missing time is moved ahead; of one that occurs twice the first is taken.
                    let zoned = local.to_zoned(zone.clone()).ok()?;
                    Some(zoned.timestamp().as_second() / 60)
                };
                at(from)
                    .zip(at(to))
                    .map_or(to - from, |(from, to)| to - from)
            }
        }
    }
}
