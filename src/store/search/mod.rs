//! Search in the list of requests: all words are required, the last may be a prefix.

pub mod found_in;
pub(super) mod index;
pub(super) mod nearest;
pub(super) mod words;

use domain::phone;
use words::split_words;

/// Maximum number of terms in one search.
const MAX_TERMS: usize = 8;

/// The terms of a search, split as the index splits texts; a phone number is one term.
pub(super) fn terms(search: &str) -> Vec<String> {
    if let Some(number) = phone::searched_number(search) {
        return vec![number];
    }
    split_words(search)
        .take(MAX_TERMS)
        .map(str::to_owned)
        .collect()
}

/// The FTS5 queries of all terms: as whole words, and with the last one as a prefix; `None` without
/// terms.
pub(super) fn expressions(terms: &[String]) -> Option<[String; 2]> {
    let last = terms.last()?;
    let words: Vec<_> = terms.iter().map(|term| format!("\"{term}\"")).collect();
    let exact = words.join(" AND ");
    // A single letter begins too many words.
    let prefix = match last.chars().nth(1) {
        Some(_) => format!("{exact}*"),
        None => exact.clone(),
    };
    Some([exact, prefix])
}

#[cfg(test)]
mod tests;
