//! The rows of a price, with how each amount came about.

use super::types::Document;
use crate::domain::offer::lines::dollars;
use crate::domain::offer::terms::Post;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceKind {
    /// The post of the lines below it; without an amount.
    Post,
    Line,
    Subtotal,
    Total,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceRow {
    pub kind: PriceKind,
    pub title: String,
    /// How the amount came about; may be empty.
    pub how: String,
    /// As `$1,234.50`.
    pub amount: String,
}

impl Document {
    pub(super) fn price_rows(&self) -> Vec<PriceRow> {
        let price = &self.price;
        let has_groups = self.terms.posts.len() > 1;
        let mut rows = Vec::new();
        let mut last = None;
        for line in &price.lines {
            if has_groups && line.post != last {
                let post = line
                    .post
                    .and_then(|at| Some((at, self.terms.posts.get(at)?)));
                let title =
                    post.map_or_else(|| "Other".to_owned(), |(at, post)| post_title(at, post));
                rows.push(row(PriceKind::Post, &title, "", ""));
                last = line.post;
            }
            let how = match (line.is_manual, line.how.as_str()) {
                (true, "") => "Priced by hand".to_owned(),
                (true, how) => format!("Priced by hand: {how}"),
                (false, how) => how.to_owned(),
            };
            rows.push(row(
                PriceKind::Line,
                &line.title,
                &how,
                &dollars(line.cents),
            ));
        }
        if price.discount != 0 || !price.taxes.is_empty() {
            let amount = dollars(price.subtotal);
            rows.push(row(PriceKind::Subtotal, "Subtotal", "", &amount));
        }
        if price.discount != 0 {
            let reason = self
                .terms
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
        let title = match self.terms.end {
            None => "Total for a week",
            Some(_) => "Total for the term",
        };
        rows.push(row(PriceKind::Total, title, "", &dollars(price.total)));
        rows
    }

    /// What is said below the price.
    pub(super) fn price_notes(&self) -> Vec<String> {
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

fn row(kind: PriceKind, title: &str, how: &str, amount: &str) -> PriceRow {
    PriceRow {
        kind,
        title: title.to_owned(),
        how: how.to_owned(),
        amount: amount.to_owned(),
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
