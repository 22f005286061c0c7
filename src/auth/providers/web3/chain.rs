/// The supported chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// EIP-4361 text, EIP-191 signature of an externally owned account.
    Ethereum,
    /// The same text with Solana's heading, Ed25519 signature.
    Solana,
}

impl Chain {
    /// The chain called `name` in a request.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ethereum" => Some(Self::Ethereum),
            "solana" => Some(Self::Solana),
            _ => None,
        }
    }

    /// Its name in requests and identities.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ethereum => "ethereum",
            Self::Solana => "solana",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Ethereum => "Ethereum",
            Self::Solana => "Solana",
        }
    }
}
