//! Arithmetic with cents.

use super::lines::divided;

/// A part of an amount in basis points, half up.
pub(super) fn part(cents: i64, basis_points: i64) -> i64 {
    narrow(divided(
        i128::from(cents) * i128::from(basis_points),
        10_000,
    ))
}

pub(super) fn product(factors: &[i64]) -> i128 {
    factors.iter().map(|factor| i128::from(*factor)).product()
}

/// `check` refuses what does not fit.
pub(super) fn narrow(cents: i128) -> i64 {
    i64::try_from(cents).unwrap_or(i64::MAX)
}
