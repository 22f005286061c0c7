//! The client that sends something, in the form that may be stored.

/// Keyed hashes of a client's networks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// The hash of its IPv4 address or IPv6 /64.
    pub client: String,
    /// The hash of its IPv6 /48.
    pub site: Option<String>,
}
