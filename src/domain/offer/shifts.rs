//! The shifts of a schedule, in the order of their days.

use jiff::civil::Date;
use jiff::{Span, ToSpan};

use super::calendar::{DAY, TimeOfDay, Weekday};
use super::terms::{AroundTheClock, Schedule, SingleShifts, Terms, Visits, WeeklyShifts};

/// The days that a price is for: those of the term, or a typical week from Sunday to Saturday.
pub struct Days {
    pub first: Date,
    pub count: i64,
    pub is_typical_week: bool,
}

/// A shift of one officer; its minutes count from the midnight of its day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    pub date: Date,
    pub from: i64,
    pub to: i64,
    /// A part of a post that is staffed around the clock.
    pub is_relief: bool,
}

impl Days {
    pub fn of(terms: &Terms) -> Self {
        match terms.days() {
            Some(count) => Self {
                first: terms.start.0,
                count,
                is_typical_week: false,
            },
            None => {
                let after_sunday = Weekday::of(terms.start.0) as i64;
                Self {
                    first: terms.start.0.saturating_sub(after_sunday.days()),
                    count: 7,
                    is_typical_week: true,
                }
            }
        }
    }

    pub fn dates(&self) -> impl Iterator<Item = Date> {
        let first = self.first;
        (0..self.count).map(move |day| first.saturating_add(Span::new().days(day)))
    }

    pub fn contains(&self, date: Date) -> bool {
        let last = self.first.saturating_add((self.count - 1).days());
        (self.first..=last).contains(&date)
    }
}

/// The shifts of a schedule on `days`; none of visits. A shift belongs to the day on which it
/// begins.
pub fn shifts(schedule: &Schedule, days: &Days, relief_minutes: i64) -> Vec<Shift> {
    let shift = |date, from: TimeOfDay, to: TimeOfDay| Shift {
        date,
        from: from.0,
        to: if to > from { to.0 } else { to.0 + DAY },
        is_relief: false,
    };
    let mut all: Vec<Shift> = match schedule {
        Schedule::Always(AroundTheClock { from }) => days
            .dates()
            .flat_map(|date| reliefs(shift(date, *from, *from), relief_minutes))
            .collect(),
        Schedule::Weekly(WeeklyShifts { shifts }) => days
            .dates()
            .flat_map(|date| {
                let of_day = shifts
                    .iter()
                    .filter(move |all| all.days.contains(&Weekday::of(date)));
                of_day.map(move |all| shift(date, all.from, all.to))
            })
            .collect(),
        Schedule::Single(SingleShifts { shifts }) => shifts
            .iter()
            .filter(|single| days.contains(single.date.0))
            .map(|single| shift(single.date.0, single.from, single.to))
            .collect(),
        Schedule::Visits(_) => Vec::new(),
    };
    all.sort_by_key(|shift| (shift.date, shift.from, shift.to));
    all
}

/// A day around the clock, divided into shifts of one officer each.
fn reliefs(day: Shift, relief_minutes: i64) -> Vec<Shift> {
    let length = relief_minutes.clamp(60, DAY);
    let mut parts = Vec::new();
    let mut from = day.from;
    while from < day.to {
        let to = day.to.min(from + length);
        parts.push(Shift {
            from,
            to,
            is_relief: true,
            ..day
        });
        from = to;
    }
    parts
}

/// How many visits a schedule has on `days`; 0 of shifts.
pub fn visits(schedule: &Schedule, days: &Days) -> impl Iterator<Item = (Date, i64)> {
    let (of, per_day) = match schedule {
        Schedule::Visits(Visits { days, per_day }) => (days.as_slice(), i64::from(*per_day)),
        _ => (&[] as &[Weekday], 0),
    };
    let dates = days
        .dates()
        .filter(move |date| of.contains(&Weekday::of(*date)));
    dates.map(move |date| (date, per_day))
}
