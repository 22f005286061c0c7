//! The lines of a price: what is charged, and how its amount came about.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::text::grouped::grouped;

/// One line of a price.
#[derive(Clone, Debug, PartialEq, Eq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PriceLine {
    /// The number of the post, from 0; null if the line belongs to no post.
    pub post: Option<usize>,
    pub title: String,
    /// How the amount came about, as `12 h × 2 officers × $36.00 (night +$2.00)`.
    pub how: String,
    pub cents: i64,
    /// Whether a person has priced it.
    pub is_manual: bool,
    /// The state whose tax it bears; null if it bears none.
    pub state: Option<String>,
}

/// Ends the title of a line that charges more time than a short shift has.
pub const UP_TO_MINIMUM: &str = ", up to the minimum shift";

/// Half up: 0.5 is 1, -0.5 is 0. `divisor` is positive.
pub fn divided(amount: i128, divisor: i128) -> i128 {
    (2 * amount + divisor).div_euclid(2 * divisor)
}

/// An amount as `$1,234.50`.
pub fn dollars(cents: i64) -> String {
    let sign = if cents < 0 { "−" } else { "" };
    let whole = grouped((cents / 100).abs());
    format!("{sign}${whole}.{:02}", cents.unsigned_abs() % 100)
}

/// Minutes as `12 h` or `7 h 30 min`.
pub fn hours(minutes: i64) -> String {
    match (minutes / 60, minutes % 60) {
        (hours, 0) => format!("{hours} h"),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

/// A number with its noun, as `2 officers`.
pub fn counted(count: i64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
