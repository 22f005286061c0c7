//! The rota: who is on call, by week, weekday and hour on the company's clock.
//!
//! A shift begins and ends at times of the wall clock. When the clocks change, a time that does not
//! exist is the moment after the gap, and one that occurs twice is the first: shifts that meet on
//! the wall meet in time, so that each minute has exactly one person or is in a gap.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use jiff::civil::Date;
use poem_openapi::Object;
use serde::Deserialize;

use crate::clock::time_zone::TimeZone;
use crate::clock::{DAY_MS, Time};

/// The longest cycle, in weeks.
pub const MAX_WEEKS: u8 = 12;
const DAY_MINUTES: u16 = 24 * 60;
/// How far the next person is looked for, in days: a cycle and a week.
const NEXT_DAYS: i64 = 7 * (MAX_WEEKS as i64 + 1);

/// A shift that comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// A user id.
    pub person: String,
    /// The week of the cycle, from 1; 0: each week.
    pub week: u8,
    /// From Monday, 0.
    pub weekday: u8,
    /// Minutes of the day. An end that is not after the beginning is on the next day.
    pub from: u16,
    pub until: u16,
}

/// Another person for a time.
#[derive(Clone, Debug, PartialEq, Eq, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "NewOverride")]
pub struct Override {
    /// The user's id.
    pub person: String,
    /// RFC 3339.
    pub from: Time,
    pub until: Time,
}

/// Who is on call when; empty without shifts and overrides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rota {
    /// Weeks of the cycle, 1 to `MAX_WEEKS`.
    pub weeks: u8,
    /// A day in the first week of the cycle.
    pub first_day: Date,
    /// Where two cover a time, the one before is on call and the other is next.
    pub shifts: Vec<Shift>,
    /// The newest first.
    pub overrides: Vec<Override>,
}

/// A time with the same people.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
#[oai(rename = "RotaSpan")]
pub struct Span {
    pub from: Time,
    pub until: Time,
    /// User ids; the first one is on call. Empty: a gap.
    pub people: Vec<String>,
}

impl Span {
    /// Who is on call.
    pub fn on_call(&self) -> Option<&str> {
        self.people.first().map(String::as_str)
    }
}

impl Rota {
    /// Whether it names no person.
    pub fn is_empty(&self) -> bool {
        self.shifts.is_empty() && self.overrides.is_empty()
    }

    /// The times between `from` and `until` in order, without holes: each with the people who are
    /// on call.
    pub fn spans(&self, zone: &TimeZone, from: Time, until: Time) -> Vec<Span> {
        let covers = self.covers(zone, from, until);
        let mut edges = BTreeSet::from([from, until]);
        for (start, end, _) in &covers {
            edges.extend(
                [*start, *end]
                    .into_iter()
                    .filter(|at| (from..until).contains(at)),
            );
        }
        let edges: Vec<Time> = edges.into_iter().collect();
        let mut spans: Vec<Span> = Vec::new();
        for pair in edges.windows(2) {
            let [start, end] = [pair[0], pair[1]];
            let mut people: Vec<String> = Vec::new();
            for (_, _, person) in covers.iter().filter(|it| it.0 <= start && start < it.1) {
                if !people.iter().any(|known| known == person) {
                    people.push((*person).to_owned());
                }
            }
            match spans.last_mut() {
                Some(last) if last.people == people => last.until = end,
                _ => spans.push(Span {
                    from: start,
                    until: end,
                    people,
                }),
            }
        }
        spans
    }

    /// The same for people to read: an empty rota is not in use, and has no gap.
    pub fn shown_spans(&self, zone: &TimeZone, from: Time, until: Time) -> Vec<Span> {
        match self.is_empty() {
            true => Vec::new(),
            false => self.spans(zone, from, until),
        }
    }

    /// The people at `now`, the one on call first.
    pub fn on_call(&self, zone: &TimeZone, now: Time) -> Vec<String> {
        let mut spans = self.spans(zone, now, now.plus_millis(1)).into_iter();
        spans.next().map(|span| span.people).unwrap_or_default()
    }

    /// The next person after the one on call: the second of now, or who is on call later.
    pub fn next(&self, zone: &TimeZone, now: Time) -> Option<String> {
        let people = self.on_call(zone, now);
        let first = people.first();
        let is_other = |person: &&String| first != Some(*person);
        if let Some(second) = people.iter().find(is_other) {
            return Some(second.clone());
        }
        let spans = self.spans(zone, now, now.plus_millis(NEXT_DAYS * DAY_MS));
        spans
            .iter()
            .flat_map(|span| &span.people)
            .find(is_other)
            .cloned()
    }

    /// The times without anybody between `from` and `until`.
    pub fn gaps(&self, zone: &TimeZone, from: Time, until: Time) -> Vec<(Time, Time)> {
        let spans = self.spans(zone, from, until).into_iter();
        spans
            .filter(|span| span.people.is_empty())
            .map(|span| (span.from, span.until))
            .collect()
    }

    /// Who covers which time around `from` to `until`, the most important first.
    fn covers(&self, zone: &TimeZone, from: Time, until: Time) -> Vec<(Time, Time, &str)> {
        let overrides = self.overrides.iter();
        let mut covers: Vec<_> = overrides
            .map(|it| (it.from, it.until, it.person.as_str()))
            .filter(|(start, end, _)| *start < until && *end > from)
            .collect();
        let one_day = jiff::Span::new().days(1);
        let last = zone.local(until).date();
        let Ok(first) = zone.local(from).date().checked_sub(one_day) else {
            return covers;
        };
        for shift in &self.shifts {
            let mut day = first;
            while day <= last {
                if self.is_on(shift, day) {
                    let (start, end) = shift.times(zone, day);
                    if start < until && end > from && start < end {
                        covers.push((start, end, &shift.person));
                    }
                }
                let Ok(next) = day.checked_add(one_day) else {
                    break;
                };
                day = next;
            }
        }
        covers
    }

    fn is_on(&self, shift: &Shift, day: Date) -> bool {
        let weekday = u8::try_from(day.weekday().to_monday_zero_offset()).unwrap_or(0);
        shift.weekday == weekday && (shift.week == 0 || shift.week == self.week_of(day))
    }

    /// The week of the cycle of a day, from 1.
    fn week_of(&self, day: Date) -> u8 {
        let monday = |day: Date| {
            let offset = i64::from(day.weekday().to_monday_zero_offset());
            day.saturating_sub(jiff::Span::new().days(offset))
        };
        let days = i64::from((monday(day) - monday(self.first_day)).get_days());
        let week = (days / 7).rem_euclid(i64::from(self.weeks.max(1)));
        u8::try_from(week).unwrap_or(0) + 1
    }
}

impl Shift {
    fn times(&self, zone: &TimeZone, day: Date) -> (Time, Time) {
        let end_day = match self.until > self.from {
            true => day,
            false => day.saturating_add(jiff::Span::new().days(1)),
        };
        (zone.at(day, self.from), zone.at(end_day, self.until))
    }

    /// What is wrong with it in a cycle of so many weeks, for a person to read; `None` if nothing
    /// is. An end at 00:00 is the end of the day.
    pub fn fault(&self, weeks: u8) -> Option<&'static str> {
        if self.week > weeks {
            Some("its week is after the last one of the cycle")
        } else if self.weekday > 6 {
            Some("its weekday is none of 0, Monday, to 6, Sunday")
        } else if self.from >= DAY_MINUTES {
            Some("it begins at 24:00: write 00:00 of the next day")
        } else if self.until > DAY_MINUTES {
            Some("its end is after 24:00")
        } else {
            None
        }
    }
}
