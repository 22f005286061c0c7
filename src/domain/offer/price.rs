//! The price of terms by a rate card.

use std::collections::BTreeMap;

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::amounts::{narrow, part};
use super::lines::{PriceLine, divided};
use super::post_lines::PostLines;
use super::rate_card::RateCard;
use super::shifts::Days;
use super::terms::Terms;

/// Weeks of a year and its months: a month costs as much as 52/12 weeks.
const WEEKS: i128 = 52;
const MONTHS: i128 = 12;

/// The price of the term, or of a week if the service is ongoing; all in cents.
#[derive(Clone, Debug, PartialEq, Eq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub lines: Vec<PriceLine>,
    pub subtotal: i64,
    pub discount: i64,
    pub taxes: Vec<TaxLine>,
    pub total: i64,
    /// Of a month; null unless the service is ongoing.
    pub month: Option<i64>,
}

/// The sales tax of a state on its lines.
#[derive(Clone, Debug, PartialEq, Eq, Object, Deserialize, Serialize)]
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
    lines.extend(terms.manual.iter().map(|manual| PriceLine {
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
    let taxes = match terms.tax_exemption {
        Some(_) => Vec::new(),
        None => taxes(card, &lines, subtotal, discount),
    };
    let total = subtotal - discount + taxes.iter().map(|tax| tax.cents).sum::<i64>();
    let month = terms.end.is_none().then(|| month_of(total));
    Price {
        lines,
        subtotal,
        discount,
        taxes,
        total,
        month,
    }
}

/// The price of a month by that of a week, in cents.
pub fn month_of(week: i64) -> i64 {
    narrow(divided(i128::from(week) * WEEKS, MONTHS))
}

/// The tax of each state on its lines, less their share of the discount.
fn taxes(card: &RateCard, lines: &[PriceLine], subtotal: i64, discount: i64) -> Vec<TaxLine> {
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
