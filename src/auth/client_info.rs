//! Who calls.

/// The client of a request, in the form that may be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientInfo {
    /// A keyed hash of the IP address.
    pub client: String,
    /// A keyed hash of its IPv6 /48.
    pub site: Option<String>,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
}
