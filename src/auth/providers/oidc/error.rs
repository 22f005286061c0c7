//! Errors of a provider's response.

/// Why a provider's response signs no user in. The message may be shown; it never repeats text from
/// the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The id_token is invalid: signature, issuer, audience, time or nonce.
    #[error("{0}")]
    InvalidToken(&'static str),
    /// The provider did not answer, or its response violates the standard.
    #[error("{0}")]
    Unreachable(&'static str),
}
