//! The price of terms by a rate card.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::calendar::Clock;
use super::labor::{Conditions, Extras, short_notice};
use super::lines::{Line, counted, divided, dollars, hours};
use super::rate_card::{Class, EquipmentUnit, RateCard, Unit};
use super::shifts::{Days, Shift, shifts, visits};
use super::terms::{Post, Terms};

/// Weeks of a year and its months: a month costs as much as 52/12 weeks.
const WEEKS: i128 = 52;
const MONTHS: i128 = 12;

/// The price of the term, or of a week if the service is ongoing; all in cents.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub lines: Vec<Line>,
    pub subtotal: i64,
    pub discount: i64,
    pub taxes: Vec<TaxLine>,
    pub total: i64,
    /// Of a month, if the service is ongoing.
    pub month: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TaxLine {
    pub title: String,
    pub state: String,
    pub basis_points: i64,
    pub taxable: i64,
    pub cents: i64,
}

/// Prices terms that `check::check` has found no fault in.
pub(super) fn price(card: &RateCard, terms: &Terms) -> Price {
    let days = Days::of(terms);
    let mut lines = Vec::new();
    for (number, post) in terms.posts.iter().enumerate() {
        PostLines {
            card,
            terms,
            days: &days,
            post,
            number,
        }
        .add_to(&mut lines);
    }
    lines.extend(terms.manual.iter().map(|manual| Line {
        post: None,
        title: manual.title.clone(),
        how: String::new(),
        cents: manual.cents,
        is_manual: true,
        state: manual.state.clone(),
    }));
    let subtotal: i64 = lines.iter().map(|line| line.cents).sum();
    let discount = terms.discount.as_ref().map_or(0, |discount| {
        discount.cents + part(subtotal, discount.basis_points)
    });
    let discount = discount.clamp(0, subtotal.max(0));
    let taxes = match terms.tax_exemption {
        Some(_) => Vec::new(),
        None => taxes(card, &lines, subtotal, discount),
    };
    let total = subtotal - discount + taxes.iter().map(|tax| tax.cents).sum::<i64>();
    let month = terms
        .end
        .is_none()
        .then(|| narrow(divided(i128::from(total) * WEEKS, MONTHS)));
    Price {
        lines,
        subtotal,
        discount,
        taxes,
        total,
        month,
    }
}

/// The tax of each state on its lines, less their share of the discount.
fn taxes(card: &RateCard, lines: &[Line], subtotal: i64, discount: i64) -> Vec<TaxLine> {
    let mut by_state = BTreeMap::<&str, i64>::new();
    for line in lines {
        if let Some(state) = &line.state {
            *by_state.entry(state).or_default() += line.cents;
        }
    }
    let taxed = by_state.into_iter().filter_map(|(state, sum)| {
        let tax = card.taxes.get(state)?;
        let share = match subtotal {
            0 => 0,
            _ => narrow(divided(
                i128::from(discount) * i128::from(sum),
                i128::from(subtotal),
            )),
        };
        let taxable = (sum - share).max(0);
        Some(TaxLine {
            title: tax.title.clone(),
            state: state.to_owned(),
            basis_points: tax.basis_points,
            taxable,
            cents: part(taxable, tax.basis_points),
        })
    });
    taxed.collect()
}

/// The lines of one post.
struct PostLines<'a> {
    card: &'a RateCard,
    terms: &'a Terms,
    days: &'a Days,
    post: &'a Post,
    number: usize,
}

impl PostLines<'_> {
    fn add_to(&self, lines: &mut Vec<Line>) {
        let Some(class) = self.card.classes.get(&self.post.class) else {
            return;
        };
        match class.unit {
            Unit::Hour => self.add_hours(class, lines),
            Unit::Visit => self.add_visits(class, lines),
            Unit::Seat => self.add_seats(class, lines),
        }
        self.add_equipment(lines);
    }

    fn add_hours(&self, class: &Class, lines: &mut Vec<Line>) {
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
        lines: &mut Vec<Line>,
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
                true => format!("{}, up to the minimum shift", class.title),
                false => class.title.clone(),
            };
            lines.push(self.line(&title, how, cents));
        }
    }

    fn add_visits(&self, class: &Class, lines: &mut Vec<Line>) {
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

    fn add_seats(&self, class: &Class, lines: &mut Vec<Line>) {
        let (days, seats) = (self.days.count, i64::from(self.post.officers));
        let rate = self.rate(&self.post.class);
        let how = [counted(days, "day"), counted(seats, "seat"), dollars(rate)].join(" × ");
        lines.push(self.line(&class.title, how, narrow(product(&[days, seats, rate]))));
    }

    fn add_equipment(&self, lines: &mut Vec<Line>) {
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
        let overtime = match extras.overtime_basis_points {
            10_000.. => "double time",
            _ => "overtime",
        };
        let parts = [
            (
                "weekend",
                added(if extras.weekend {
                    self.card.weekend_basis_points
                } else {
                    0
                }),
            ),
            (
                "holiday",
                added(if extras.holiday {
                    self.card.holiday_basis_points
                } else {
                    0
                }),
            ),
            (
                "night",
                if extras.night {
                    self.card.night.cents
                } else {
                    0
                },
            ),
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

    fn line(&self, title: &str, how: String, cents: i64) -> Line {
        Line {
            post: Some(self.number),
            title: title.to_owned(),
            how,
            cents,
            is_manual: false,
            state: Some(self.post.state.clone()),
        }
    }
}

/// A part of an amount in basis points, half up.
fn part(cents: i64, basis_points: i64) -> i64 {
    narrow(divided(
        i128::from(cents) * i128::from(basis_points),
        10_000,
    ))
}

fn product(factors: &[i64]) -> i128 {
    factors.iter().map(|factor| i128::from(*factor)).product()
}

/// `check` refuses what does not fit.
fn narrow(cents: i128) -> i64 {
    i64::try_from(cents).unwrap_or(i64::MAX)
}
