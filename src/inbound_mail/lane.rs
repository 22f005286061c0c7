//! Which emails are taken in, one after the other.

/// A lane; the two work at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// Emails that were never tried: a hostile one delays the others by a second.
    New,
    /// Those whose reading did not come back, or failed for another reason.
    Again,
}
