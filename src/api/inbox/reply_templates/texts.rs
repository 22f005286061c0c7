//! The texts of a reply template: their lengths, and the facts that they name.

use std::ops::RangeInclusive;

use domain::email::reply_template;
use domain::email::reply_template::FACTS;
use domain::text::strip_invisible;
use http::request::problem::{Problem, invalid};

/// The cleaned text; 422 if it is too short or too long, or names an unknown fact.
pub(super) fn parse_text(
    text: &str,
    field: &str,
    lengths: RangeInclusive<usize>,
) -> Result<String, Problem> {
    let text = text.replace("\r\n", "\n");
    let text = strip_invisible(&text).trim().to_owned();
    let length = text.chars().count();
    if length < *lengths.start() {
        return Err(invalid(field, "A template needs some text."));
    }
    if length > *lengths.end() {
        let detail = format!(
            "The {field} has {length} characters; at most {} fit.",
            lengths.end()
        );
        return Err(invalid(field, detail));
    }
    if let Some(unknown) = reply_template::unknown_fact(&text) {
        let known = FACTS.map(|name| format!("{{{{{name}}}}}")).join(", ");
        let detail = format!("{unknown} is not known. A template can have {known}.");
        return Err(invalid(field, detail));
    }
    Ok(text)
}
