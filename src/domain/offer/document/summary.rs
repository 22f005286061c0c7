//! An offer in two sentences, for emails.

use super::schedule;
use super::types::Document;
use super::words::{date, listed, long_date};
use crate::offer::lines::{counted, dollars};

/// What, where, from when, how much and until when it is valid.
pub fn summary(document: &Document) -> String {
    let valid = date(document.valid_until);
    format!("{} The offer is valid through {valid}.", service(document))
}

/// What, where, from when and how much, in one sentence.
pub fn service(document: &Document) -> String {
    let start = long_date(document.terms.start.0);
    let term = match document.terms.end {
        None => format!("from {start}, ongoing"),
        Some(end) if end == document.terms.start => format!("on {start}"),
        Some(end) => format!("from {start} to {}", long_date(end.0)),
    };
    let (what, amount) = (what(document), amount(document));
    format!("{what}, {term}: {amount}.")
}

/// What is offered and where, as `Fire watch officer in Houston, TX, 24 hours a day`.
pub fn what(document: &Document) -> String {
    let posts = &document.terms.posts;
    let mut places: Vec<String> = Vec::new();
    for place in posts.iter().map(schedule::place) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    // More places than a sentence holds.
    let places = match places.len() {
        0 => document.customer.location.clone(),
        1..=3 => listed(&places),
        many => format!("{many} places"),
    };
    match posts.as_slice() {
        [] => format!("Security services in {places}"),
        [post] => {
            let brief = schedule::brief(&post.schedule);
            format!("{} in {places}, {brief}", document.staff(post))
        }
        posts => {
            let count = i64::try_from(posts.len()).unwrap_or(i64::MAX);
            format!("{} in {places}", counted(count, "post"))
        }
    }
}

/// What it costs, as `$6,183.34 a week, including tax`.
pub fn amount(document: &Document) -> String {
    let price = &document.price;
    let per = match document.terms.end {
        None => "a week",
        Some(_) => "total",
    };
    let tax = match price.taxes.is_empty() {
        true => "",
        false => ", including tax",
    };
    format!("{} {per}{tax}", dollars(price.total))
}
