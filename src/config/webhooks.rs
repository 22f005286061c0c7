//! Other systems that are notified of requests.

/// Webhooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhooks {
    /// Days of failures after which an endpoint is switched off, with an email to the office.
    pub off_after_days: u32,
    /// Days for which the log of deliveries is kept.
    pub log_days: u32,
}

impl Default for Webhooks {
    fn default() -> Self {
        Self {
            off_after_days: 5,
            log_days: 30,
        }
    }
}
