//! The limit of sign-in attempts per client address, beside the one per account (`throttle`).

use super::error::{AuthError, Result};
use domain::rate_limit::RateLimiter;

/// Limits the attempts of one client address.
pub struct IpLimiter(RateLimiter);

impl IpLimiter {
    /// Allows `per_minute` attempts at once, refilled steadily over a minute.
    pub fn new(per_minute: u32) -> Self {
        Self(RateLimiter::per_minute(per_minute))
    }

    /// Counts one attempt of this client.
    ///
    /// # Errors
    /// `over_request_rate_limit` with the seconds to wait.
    pub fn check(&self, from: &ClientInfo) -> Result<()> {
        let counted = self.0.check(&from.client, from.site.as_deref());
        Ok(counted.map_err(AuthError::rate_limited)?)
    }
}

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
