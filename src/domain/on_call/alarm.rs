//! Alarms: who is notified of an emergency, in which steps, and by which channels. The store writes
//! what these rules say; `alarms` delivers it.

use jiff::civil::Weekday;
use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use crate::clock::time_zone::TimeZone;
use crate::clock::{MINUTE_MS, Time};

const DAY_MINUTES: u16 = 24 * 60;

crate::text_enum! {
    /// Why people are notified.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum AlarmKind {
        /// A visitor wants a call right away.
        Emergency = "emergency",
        /// A request is overdue.
        Overdue = "overdue",
        /// The weekly test.
        Test = "test",
        /// A time without a person on call.
        Gap = "gap",
    }
}

crate::text_enum! {
    /// The state of an alarm.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
    #[oai(rename_all = "snake_case")]
    pub enum AlarmState {
        Raised = "raised",
        Acknowledged = "acknowledged",
        Over = "over",
    }
}

/// Who is notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The person on call; everybody in a gap.
    OnCall,
    /// The next person after the one on call.
    Next,
    Everybody,
}

crate::text_enum! {
    /// How a person is notified, in the order in which one stands in for another that fails.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Enum)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename = "AlarmChannel", rename_all = "snake_case")]
    pub enum Channel {
        Push = "push",
        Call = "call",
        Sms = "sms",
        Email = "email",
    }
}

/// One step of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// After the beginning of the round.
    pub after_ms: i64,
    pub who: Who,
    pub by: Vec<Channel>,
}

/// How many calls and text messages are placed at most, from the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// To one person, in each of `bounds::WINDOWS_MS`.
    pub calls: [u32; 4],
    pub texts: [u32; 4],
    /// To all people, in 24 hours.
    pub calls_a_day: u32,
    pub texts_a_day: u32,
}

/// The rules of alarms, from the settings.
#[derive(Clone, Debug)]
pub struct AlarmRules {
    pub chain: Vec<Step>,
    /// After which an acknowledged emergency whose customer was not reached starts again.
    pub again_ms: i64,
    pub working_hours: WorkingHours,
    /// When the weekly test is due.
    pub test: Option<WeeklyTime>,
    pub gap_ms: i64,
    /// Whether people can be called, and sent text messages.
    pub calls: bool,
    pub sms: bool,
    /// How many calls and text messages are placed at most.
    pub bounds: Bounds,
    pub time_zone: TimeZone,
}

impl AlarmRules {
    /// When a round without an acknowledgement is followed by the next.
    pub fn next_round(&self, round_at: Time) -> Time {
        let last = self.chain.last().map_or(0, |step| step.after_ms);
        round_at.plus_millis(self.again_ms.max(last + 10 * MINUTE_MS))
    }
}

/// The days and hours in which the office works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkingHours {
    /// From Monday.
    days: [bool; 7],
    /// Minutes of the day.
    from: u16,
    until: u16,
}

impl WorkingHours {
    /// From a text such as `Mon-Fri 08:00-18:00` or `Sat 09:00-12:00`.
    pub fn parse(text: &str) -> Option<Self> {
        let (days, hours) = text.trim().split_once(' ')?;
        let (from, until) = hours.trim().split_once('-')?;
        let (from, until) = (parse_minute(from)?, parse_minute(until)?);
        let (first, last) = days.split_once('-').unwrap_or((days, days));
        let (first, last) = (day_index(first)?, day_index(last)?);
        let mut chosen = [false; 7];
        let mut day = first;
        loop {
            chosen[day] = true;
            if day == last {
                break;
            }
            day = (day + 1) % 7;
        }
        (from < until).then_some(Self {
            days: chosen,
            from,
            until,
        })
    }

    /// `now` if it is within working hours, else when they next begin.
    pub fn next(&self, zone: &TimeZone, now: Time) -> Time {
        let local = zone.local(now);
        for ahead in 0..=7_i64 {
            let Ok(day) = local.date().checked_add(jiff::Span::new().days(ahead)) else {
                break;
            };
            let weekday = usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or(0);
            if !self.days[weekday] {
                continue;
            }
            let (start, end) = (zone.at(day, self.from), zone.at(day, self.until));
            if now < start {
                return start;
            }
            if now < end {
                return now;
            }
        }
        now
    }
}

/// A time of each week.
#[derive(Clone, Copy, Debug)]
pub struct WeeklyTime {
    weekday: Weekday,
    /// The minute of the day.
    minute: u16,
}

impl WeeklyTime {
    /// From a text such as `Mon 10:00`.
    pub fn parse(text: &str) -> Option<Self> {
        let (day, time) = text.trim().split_once(' ')?;
        let index = i8::try_from(day_index(day)?).ok()?;
        Some(Self {
            weekday: Weekday::from_monday_zero_offset(index).ok()?,
            minute: parse_minute(time.trim()).filter(|minute| *minute < DAY_MINUTES)?,
        })
    }

    /// The last such time at or before `now`.
    pub fn last(self, zone: &TimeZone, now: Time) -> Option<Time> {
        let today = zone.local(now).date();
        (0..=7_i64)
            .filter_map(|ago| today.checked_sub(jiff::Span::new().days(ago)).ok())
            .filter(|day| day.weekday() == self.weekday)
            .map(|day| zone.at(day, self.minute))
            .find(|at| *at <= now)
    }
}

/// The minute of the day of a text such as `08:30`; `24:00` is the end of the day.
pub fn parse_minute(text: &str) -> Option<u16> {
    let (hours, minutes) = text.trim().split_once(':')?;
    let two = |part: &str| {
        let is_plain = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u16>().ok().filter(|_| is_plain)
    };
    let (hours, minutes) = (two(hours)?, two(minutes)?);
    let minute = hours * 60 + minutes;
    (minutes < 60 && minute <= DAY_MINUTES).then_some(minute)
}

fn day_index(text: &str) -> Option<usize> {
    let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let text = text.trim().to_ascii_lowercase();
    names.iter().position(|name| *name == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Time {
        Time::parse(text).unwrap()
    }

    #[test]
    fn overdue_requests_wait_for_the_next_working_hour() {
        let zone = TimeZone::parse("America/Chicago").unwrap();
        let hours = WorkingHours::parse("Mon-Fri 08:00-18:00").unwrap();
        for (now, expected) in [
            // Friday 17:59 and 18:00, Saturday, Monday 07:00 and 08:00.
            ("2026-11-20T23:59:00Z", "2026-11-20T23:59:00.000Z"),
            ("2026-11-21T00:00:00Z", "2026-11-23T14:00:00.000Z"),
            ("2026-11-21T18:00:00Z", "2026-11-23T14:00:00.000Z"),
            ("2026-11-23T13:00:00Z", "2026-11-23T14:00:00.000Z"),
            ("2026-11-23T14:00:00Z", "2026-11-23T14:00:00.000Z"),
        ] {
            assert_eq!(hours.next(&zone, at(now)).to_string(), expected, "{now}");
        }
        let weekend = WorkingHours::parse("Sat-Mon 00:00-24:00").unwrap();
        assert_eq!(weekend.days, [true, false, false, false, false, true, true]);
        for wrong in [
            "",
            "Mon",
            "Mon-Fri",
            "Mon-Fri 18:00-08:00",
            "Mon-Fri 08:00-08:00",
            "Moon 08:00-09:00",
            "Mon 8-9",
        ] {
            assert!(WorkingHours::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_weekly_time_is_found_on_the_clock_of_the_zone() {
        let zone = TimeZone::parse("America/Chicago").unwrap();
        let monday = WeeklyTime::parse("Mon 10:00").unwrap();
        let last = |now: &str| monday.last(&zone, at(now)).unwrap().to_string();
        assert_eq!(last("2026-11-23T15:59:00Z"), "2026-11-16T16:00:00.000Z");
        assert_eq!(last("2026-11-23T16:00:00Z"), "2026-11-23T16:00:00.000Z");
        assert!(WeeklyTime::parse("Mon 24:00").is_none());
        assert!(WeeklyTime::parse("10:00").is_none());
    }
}
