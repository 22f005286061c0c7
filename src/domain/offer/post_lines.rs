//! The lines of one post: hours, visits or seats, travel and equipment.

use super::amounts::{narrow, product};
use super::calendar::Clock;
use super::labor::{Conditions, Extras, short_notice};
use super::lines::{PriceLine, UP_TO_MINIMUM, counted, divided, dollars, hours};
use super::rate_card::{Class, EquipmentUnit, RateCard, RateUnit};
use super::shifts::{Days, Shift, shifts, visits};
use super::terms::{Post, Terms};

/// The lines of one post.
pub(super) struct PostLines<'a> {
    pub card: &'a RateCard,
    pub terms: &'a Terms,
    pub days: &'a Days,
    pub post: &'a Post,
    pub number: usize,
}

impl PostLines<'_> {
    pub(super) fn add_to(&self, lines: &mut Vec<PriceLine>) {
        let Some(class) = self.card.classes.get(&self.post.class) else {
            return;
        };
        match class.unit {
            RateUnit::Hour => self.add_hours(class, lines),
            RateUnit::Visit => self.add_visits(class, lines),
            RateUnit::Seat => self.add_seats(class, lines),
        }
        self.add_equipment(lines);
    }

    fn add_hours(&self, class: &Class, lines: &mut Vec<PriceLine>) {
        let shifts = shifts(&self.post.schedule, self.days, self.card.relief_minutes);
        let officers = i64::from(self.post.officers);
        self.add_labor(&self.post.class, class, officers, &shifts, lines);
        let supervisor = &self.card.supervisor;
        let is_led = supervisor.from_officers > 0 && self.post.officers >= supervisor.from_officers;
        let lead = self.card.classes.get(&supervisor.class).filter(|_| is_led);
        if let Some(class) = lead {
            self.add_labor(&supervisor.class, class, 1, &shifts, lines);
        }
        let trips = i64::try_from(shifts.len()).unwrap_or(i64::MAX);
        let officers = officers + i64::from(lead.is_some());
        if self.card.travel_cents > 0 && trips > 0 {
            let how = [counted(trips, "shift"), counted(officers, "officer")].join(" × ");
            let cents = self.card.travel_cents;
            let how = format!("{how} × {}", dollars(cents));
            lines.push(self.line("Travel", how, narrow(product(&[trips, officers, cents]))));
        }
    }

    fn add_labor(
        &self,
        key: &str,
        class: &Class,
        officers: i64,
        shifts: &[Shift],
        lines: &mut Vec<PriceLine>,
    ) {
        let conditions = Conditions {
            card: self.card,
            days: self.days,
            clock: match self.days.is_typical_week {
                true => Clock::Typical,
                false => Clock::of_state(&self.post.state),
            },
            overtime: self.card.overtime(&self.post.state),
            minimum_minutes: class.minimum_minutes,
            same_officers: self.post.same_officers,
            short_notice_basis_points: short_notice(self.card, self.terms),
        };
        let base = self.rate(key);
        for (extras, minutes) in conditions.minutes(shifts) {
            let (rate, parts) = self.with_extras(base, extras);
            let officers_in_words = counted(officers, "officer");
            let how = format!(
                "{} × {officers_in_words} × {}{parts}",
                hours(minutes),
                dollars(rate)
            );
            let cents = narrow(divided(product(&[minutes, officers, rate]), 60));
            let title = match extras.is_minimum {
                true => format!("{}{UP_TO_MINIMUM}", class.title),
                false => class.title.clone(),
            };
            lines.push(self.line(&title, how, cents));
        }
    }

    fn add_visits(&self, class: &Class, lines: &mut Vec<PriceLine>) {
        let base = self.rate(&self.post.class);
        let early = short_notice(self.card, self.terms);
        let last_early = self.card.short_notice.days;
        let (mut soon, mut later) = (0, 0);
        for (date, count) in visits(&self.post.schedule, self.days) {
            let day = i64::from((date - self.days.first).get_days());
            let is_early = early > 0 && !self.days.is_typical_week && day < last_early;
            *(if is_early { &mut soon } else { &mut later }) += count;
        }
        for (count, short_notice_basis_points) in [(later, 0), (soon, early)] {
            let extras = Extras {
                short_notice_basis_points,
                ..Extras::default()
            };
            let (rate, parts) = self.with_extras(base, extras);
            if count > 0 {
                let officers = i64::from(self.post.officers);
                let visits = counted(count, "visit");
                let officers_in_words = counted(officers, "officer");
                let how = format!("{visits} × {officers_in_words} × {}{parts}", dollars(rate));
                let cents = narrow(product(&[count, officers, rate]));
                lines.push(self.line(&class.title, how, cents));
            }
        }
    }

    fn add_seats(&self, class: &Class, lines: &mut Vec<PriceLine>) {
        let (days, seats) = (self.days.count, i64::from(self.post.officers));
        let rate = self.rate(&self.post.class);
        let how = [counted(days, "day"), counted(seats, "seat"), dollars(rate)].join(" × ");
        lines.push(self.line(&class.title, how, narrow(product(&[days, seats, rate]))));
    }

    fn add_equipment(&self, lines: &mut Vec<PriceLine>) {
        for key in &self.post.equipment {
            let Some(equipment) = self.card.equipment.get(key) else {
                continue;
            };
            let (count, how) = match equipment.per {
                EquipmentUnit::Day => (self.days.count, counted(self.days.count, "day")),
                EquipmentUnit::Once => (1, "once".to_owned()),
            };
            let how = format!("{how} × {}", dollars(equipment.cents));
            lines.push(self.line(
                &equipment.title,
                how,
                narrow(product(&[count, equipment.cents])),
            ));
        }
    }

    fn rate(&self, class: &str) -> i64 {
        let rate = self.card.rate(class, &self.post.state, &self.post.city);
        rate.unwrap_or(0)
    }

    /// A rate with what is added to it, and the words for it.
    fn with_extras(&self, base: i64, extras: Extras) -> (i64, String) {
        let added = |basis_points: i64| {
            let unit = i128::from(self.card.round_to_cents.max(1));
            let exact = i128::from(base) * i128::from(basis_points);
            narrow(divided(exact, 10_000 * unit) * unit)
        };
        let if_so = |is_so: bool, extra: i64| if is_so { extra } else { 0 };
        let overtime = match extras.overtime_basis_points {
            10_000.. => "double time",
            _ => "overtime",
        };
        let parts = [
            (
                "weekend",
                added(if_so(extras.weekend, self.card.weekend_basis_points)),
            ),
            (
                "holiday",
                added(if_so(extras.holiday, self.card.holiday_basis_points)),
            ),
            ("night", if_so(extras.night, self.card.night.cents)),
            ("short notice", added(extras.short_notice_basis_points)),
            (overtime, added(extras.overtime_basis_points)),
        ];
        let parts: Vec<_> = parts.into_iter().filter(|(_, cents)| *cents > 0).collect();
        let rate = base + parts.iter().map(|(_, cents)| cents).sum::<i64>();
        let words: Vec<_> = parts
            .iter()
            .map(|(name, cents)| format!("{name} +{}", dollars(*cents)))
            .collect();
        match words.is_empty() {
            true => (rate, String::new()),
            false => (rate, format!(" ({})", words.join(", "))),
        }
    }

    fn line(&self, title: &str, how: String, cents: i64) -> PriceLine {
        PriceLine {
            post: Some(self.number),
            title: title.to_owned(),
            how,
            cents,
            is_manual: false,
            state: Some(self.post.state.clone()),
        }
    }
}
