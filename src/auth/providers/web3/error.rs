//! Errors of signed messages.

/// Why a signed message is not accepted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text or the signature is malformed.
    #[error("{0}")]
    Malformed(&'static str),
    /// Well formed, but rejected: wrong signature, another site's message, or expired.
    #[error("{0}")]
    Rejected(&'static str),
}
