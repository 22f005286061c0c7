//! The rows of a price, with how each amount came about.

use std::collections::BTreeMap;

use poem_openapi::{Enum, Object};
use serde::Serialize;

use super::schedule::staffed;
use super::types::Document;
use crate::offer::lines::{PriceLine, UP_TO_MINIMUM, dollars};
use crate::offer::price::Price;
use crate::offer::terms::{Post, Terms};

/// What a row of a price is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PriceKind {
    /// The post of the lines below it; without an amount.
    Post,
    Line,
    Subtotal,
    Total,
}

/// A row of a price, as the customer reads it.
#[derive(Clone, Debug, PartialEq, Eq, Object, Serialize)]
pub struct PriceRow {
    pub kind: PriceKind,
    pub title: String,
    /// How the amount came about; may be empty.
    pub parts: Vec<String>,
    /// As `$1,234.50`; empty for a post.
    pub amount: String,
    /// Whether a person has entered it.
    pub is_manual: bool,
}

/// One row for one thing: the hours of a post are one, however many rates they have. `titles` are
/// those of the classes.
pub fn price_rows(
    price: &Price,
    terms: &Terms,
    titles: &BTreeMap<String, String>,
) -> Vec<PriceRow> {
    let has_groups = terms.posts.len() > 1;
    let mut rows = Vec::new();
    let mut last = None;
    let mut is_first = true;
    for lines in price.lines.chunk_by(is_one_thing) {
        let post = lines[0].post;
        let is_new = is_first || post != last;
        (is_first, last) = (false, post);
        let of = post.and_then(|at| Some((at, terms.posts.get(at)?)));
        if has_groups && is_new {
            let title = of.map_or_else(|| "Other".to_owned(), |(at, post)| post_title(at, post));
            rows.push(row(PriceKind::Post, &title, "", ""));
        }
        let title = match of {
            Some((_, post)) if is_new => staffed(terms, post, titles),
            _ => thing(&lines[0]).to_owned(),
        };
        let cents = lines.iter().map(|line| line.cents).sum();
        rows.push(PriceRow {
            parts: parts(lines),
            is_manual: lines[0].is_manual,
            ..row(PriceKind::Line, &title, "", &dollars(cents))
        });
    }
    if price.discount != 0 || !price.taxes.is_empty() {
        let amount = dollars(price.subtotal);
        rows.push(row(PriceKind::Subtotal, "Subtotal", "", &amount));
    }
    if price.discount != 0 {
        let reason = terms
            .discount
            .as_ref()
            .map(|discount| discount.reason.as_str());
        let amount = dollars(-price.discount);
        rows.push(row(
            PriceKind::Line,
            "Discount",
            reason.unwrap_or_default(),
            &amount,
        ));
    }
    for tax in &price.taxes {
        let how = format!("{} of {}", percent(tax.basis_points), dollars(tax.taxable));
        rows.push(row(PriceKind::Line, &tax.title, &how, &dollars(tax.cents)));
    }
    let title = match terms.end {
        None => "Total for a week",
        Some(_) => "Total for the term",
    };
    rows.push(row(PriceKind::Total, title, "", &dollars(price.total)));
    rows
}

impl Document {
    /// The rows of its price.
    pub fn price_rows(&self) -> Vec<PriceRow> {
        price_rows(&self.price, &self.terms, &self.class_titles)
    }

    /// What is said below the price.
    pub fn price_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(month) = self.price.month {
            let month = dollars(month);
            notes.push(format!(
                "A month of 52/12 weeks costs {month}. The price is that of a week without \
                 holidays; hours on holidays cost more."
            ));
        }
        if let Some(number) = &self.terms.tax_exemption {
            notes.push(format!(
                "No sales tax is charged: exemption certificate {number}."
            ));
        }
        notes
    }
}

/// The title of a post, or its number if it has none.
pub fn post_title(number: usize, post: &Post) -> String {
    match post.title.trim() {
        "" => format!("Post {}", number + 1),
        title => title.to_owned(),
    }
}

/// Whether two lines after each other are of the same thing.
fn is_one_thing(one: &PriceLine, other: &PriceLine) -> bool {
    one.post.is_some() && one.post == other.post && thing(one) == thing(other)
}

/// What a line charges.
fn thing(line: &PriceLine) -> &str {
    line.title
        .strip_suffix(UP_TO_MINIMUM)
        .unwrap_or(&line.title)
}

/// How the amount of lines came about, with the amount of each if there are several.
fn parts(lines: &[PriceLine]) -> Vec<String> {
    let how = |line: &PriceLine| match line.title.strip_suffix(UP_TO_MINIMUM) {
        Some(_) => format!("{}{UP_TO_MINIMUM}", line.how),
        None => line.how.clone(),
    };
    match lines {
        [one] if one.how.is_empty() => Vec::new(),
        [one] => vec![how(one)],
        many => many
            .iter()
            .map(|line| format!("{}: {}", how(line), dollars(line.cents)))
            .collect(),
    }
}

/// `how` may be empty.
fn row(kind: PriceKind, title: &str, how: &str, amount: &str) -> PriceRow {
    let parts = Some(how.to_owned()).filter(|how| !how.is_empty());
    PriceRow {
        kind,
        title: title.to_owned(),
        parts: parts.into_iter().collect(),
        amount: amount.to_owned(),
        is_manual: false,
    }
}

/// Basis points as `8.25%` or `8%`.
fn percent(basis_points: i64) -> String {
    let (whole, part) = (basis_points / 100, basis_points % 100);
    match part {
        0 => format!("{whole}%"),
        part => format!("{whole}.{part:02}%").replace("0%", "%"),
    }
}
