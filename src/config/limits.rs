//! `[limits]`: rate limits and quotas per client. The form limit is an exact sliding window
//! (specification section 9); the other rate limits are token buckets.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// Limits per client, form and account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Submissions per client and form within the window.
    pub form_max: u32,
    /// Length of the window, in milliseconds.
    pub form_window_ms: u32,
    /// Calls per client and minute to the JSON API, the authentication service and form posts
    /// together. Pages and health checks are not counted.
    pub api_per_minute: u32,
    /// Attempts per client and minute at passwords, codes and tokens: a coarse limit against
    /// floods; `account_failures_per_hour` protects the secrets.
    pub sign_in_per_minute: u32,
    /// Failed sign-ins per account and hour before further attempts are delayed.
    pub account_failures_per_hour: u32,
    /// Minimum interval between two emails of one kind to one account, in seconds.
    pub mail_interval_seconds: u32,
    /// Connections per client; when it opens another, its longest idle one is closed.
    #[serde(skip)]
    pub connections_per_client: usize,
    /// Memory for all request bodies, in MiB; beyond it requests get 503.
    #[serde(skip)]
    pub body_budget_mib: u32,
    /// Memory for the request bodies of one client, in MiB; beyond it requests get 429. At most an
    /// eighth of all (`http::request::body_budget`).
    #[serde(skip)]
    pub body_budget_per_client_mib: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            form_max: 3,
            form_window_ms: 300_000,
            api_per_minute: 600,
            sign_in_per_minute: 300,
            account_failures_per_hour: 20,
            mail_interval_seconds: 60,
            connections_per_client: 1_000,
            body_budget_mib: 32,
            body_budget_per_client_mib: 4,
        }
    }
}

impl Limits {
    pub(super) fn check(&self) -> Result<()> {
        let counts = [
            ("form_max", self.form_max),
            ("form_window_ms", self.form_window_ms),
            ("api_per_minute", self.api_per_minute),
            ("sign_in_per_minute", self.sign_in_per_minute),
            ("account_failures_per_hour", self.account_failures_per_hour),
        ];
        match counts.iter().find(|(_, value)| *value == 0) {
            Some((key, _)) => bail!("setting `limits.{key}`: must be at least 1"),
            None => Ok(()),
        }
    }
}
