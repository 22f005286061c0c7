//! Counts in messages.

use std::fmt::Display;

/// `1 email`, `2 emails`.
pub(in crate::cli) fn count_noun<N: Display + PartialEq + From<u8>>(
    number: N,
    noun: &str,
) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{ending}")
}
