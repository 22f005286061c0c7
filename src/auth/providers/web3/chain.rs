//! The supported chains, and why a message of one is not accepted.

domain::text_enum! {
    /// The supported chains, by their names in requests and identities.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Chain {
        /// EIP-4361 text, EIP-191 signature of an externally owned account.
        Ethereum = "ethereum",
        /// The same text with Solana's heading, Ed25519 signature.
        Solana = "solana",
    }
}

impl Chain {
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Ethereum => "Ethereum",
            Self::Solana => "Solana",
        }
    }
}

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
