//! The hours of one post, collected by their rate: night, weekend, holiday, short notice, overtime.

use std::collections::BTreeMap;

use jiff::Span;
use jiff::civil::Date;

use super::calendar::{Clock, DAY, Weekday};
use super::rate_card::{OvertimeRules, OvertimeTier, RateCard};
use super::shifts::{Days, Shift};
use super::terms::Terms;

/// What is added to the rate of a minute, in the order of the lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extras {
    pub is_minimum: bool,
    pub weekend: bool,
    pub holiday: bool,
    pub night: bool,
    pub short_notice_basis_points: i64,
    pub overtime_basis_points: i64,
}

/// Minutes of one officer, by what is added to their rate.
pub type Minutes = BTreeMap<Extras, i64>;

/// What the minutes of a post depend on besides its shifts.
pub struct Conditions<'a> {
    pub card: &'a RateCard,
    pub days: &'a Days,
    pub clock: Clock,
    pub overtime: &'a OvertimeRules,
    pub minimum_minutes: i64,
    pub same_officers: bool,
    pub short_notice_basis_points: i64,
}

/// A week's work of the officers of a post who work all of its shifts.
#[derive(Default)]
struct Workweek {
    first: Option<Date>,
    /// Days with a shift.
    days: i64,
    last: Option<Date>,
    regular_minutes: i64,
}

/// The extra of short notice in basis points.
pub fn short_notice(card: &RateCard, terms: &Terms) -> i64 {
    let Some(hours) = terms.notice_hours else {
        return 0;
    };
    let tiers = &card.short_notice.tiers;
    let tier = tiers.iter().find(|tier| hours < tier.under_hours);
    tier.map_or(0, |tier| tier.basis_points)
}

impl Conditions<'_> {
    pub fn minutes(&self, shifts: &[Shift]) -> Minutes {
        let mut minutes = Minutes::new();
        let mut week = Workweek::default();
        for shift in shifts {
            week.begin(shift.date);
            self.add_shift(shift, &mut week, &mut minutes);
        }
        minutes
    }

    fn add_shift(&self, shift: &Shift, week: &mut Workweek, minutes: &mut Minutes) {
        let is_seventh = self.same_officers && week.days == 7;
        let tiers = match &self.overtime.seventh_day {
            seventh if is_seventh && !seventh.is_empty() => seventh,
            _ => &self.overtime.daily,
        };
        let short_notice_basis_points = self.short_notice(shift.date);
        let mut worked = 0;
        for (from, to) in self.segments(shift) {
            let extras = Extras {
                short_notice_basis_points,
                ..self.extras(shift.date, from)
            };
            let mut left = self.clock.elapsed(shift.date, from, to);
            while left > 0 {
                let (overtime_basis_points, until) = tier(tiers, worked);
                let mut taken = left.min(until - worked);
                let mut overtime_basis_points = overtime_basis_points;
                if overtime_basis_points == 0 && self.same_officers {
                    (overtime_basis_points, taken) = self.weekly(week, taken);
                }
                let key = Extras {
                    overtime_basis_points,
                    ..extras
                };
                *minutes.entry(key).or_default() += taken;
                worked += taken;
                left -= taken;
            }
        }
        let missing = self.minimum_minutes - worked;
        if missing > 0 && !shift.is_relief {
            let key = Extras {
                is_minimum: true,
                short_notice_basis_points,
                ..Extras::default()
            };
            *minutes.entry(key).or_default() += missing;
        }
    }

    fn short_notice(&self, date: Date) -> i64 {
        let days = Span::new().days(self.card.short_notice.days.clamp(0, 366));
        let is_early = !self.days.is_typical_week && date < self.days.first.saturating_add(days);
        if is_early {
            self.short_notice_basis_points
        } else {
            0
        }
    }

    /// Regular minutes of the week, up to where its overtime begins, then overtime.
    fn weekly(&self, week: &mut Workweek, minutes: i64) -> (i64, i64) {
        let Some(tier) = &self.overtime.weekly else {
            return (0, minutes);
        };
        let left = tier.over_minutes - week.regular_minutes;
        if left <= 0 {
            return (tier.basis_points, minutes);
        }
        let taken = minutes.min(left);
        week.regular_minutes += taken;
        (0, taken)
    }

    /// A shift, divided at midnight and where the night begins and ends.
    fn segments(&self, shift: &Shift) -> Vec<(i64, i64)> {
        let night = &self.card.night;
        let mut ends: Vec<i64> = (0..3)
            .flat_map(|day| [0, night.from.0, night.to.0].map(|minute| day * DAY + minute))
            .filter(|minute| (shift.from + 1..shift.to).contains(minute))
            .collect();
        ends.push(shift.to);
        ends.sort_unstable();
        ends.dedup();
        let begins = std::iter::once(shift.from).chain(ends.iter().copied());
        begins.zip(ends.iter().copied()).collect()
    }

    /// What is added at a minute after the midnight of `date`, without short notice and overtime.
    fn extras(&self, date: Date, minute: i64) -> Extras {
        let local = date.saturating_add(Span::new().days(minute.div_euclid(DAY)));
        let of_day = minute.rem_euclid(DAY);
        let (from, to) = (self.card.night.from.0, self.card.night.to.0);
        let night = match from <= to {
            true => (from..to).contains(&of_day),
            false => of_day >= from || of_day < to,
        };
        let holiday = !self.days.is_typical_week && self.card.is_holiday(local);
        Extras {
            night,
            holiday,
            weekend: !holiday && matches!(Weekday::of(local), Weekday::Saturday | Weekday::Sunday),
            ..Extras::default()
        }
    }
}

impl Workweek {
    /// A shift begins on `date`.
    fn begin(&mut self, date: Date) {
        let sunday = date.saturating_sub(Span::new().days(Weekday::of(date) as i64));
        if self.first != Some(sunday) {
            *self = Self {
                first: Some(sunday),
                ..Self::default()
            };
        }
        if self.last != Some(date) {
            self.days += 1;
            self.last = Some(date);
        }
    }
}

/// The extra after `worked` minutes, and the minute at which the next begins.
fn tier(tiers: &[OvertimeTier], worked: i64) -> (i64, i64) {
    let passed = tiers.iter().rev().find(|tier| worked >= tier.over_minutes);
    let next = tiers.iter().find(|tier| worked < tier.over_minutes);
    (
        passed.map_or(0, |tier| tier.basis_points),
        next.map_or(i64::MAX, |tier| tier.over_minutes),
    )
}
