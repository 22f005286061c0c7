//! `[limits]`: how much one client may do in how long. The form limit is exact (specification section 9); the others are refilling buckets.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// Limits by client, by form and by account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Submissions a client may make of each form within the window.
    pub form_max: u32,
    /// The window, in milliseconds.
    pub form_window_ms: u32,
    /// Calls a client may make in a minute, all together: the JSON API, the authentication service
    /// and posted forms. Pages and health checks are not counted.
    pub api_per_minute: u32,
    /// Sign-in attempts (and other guesses at a secret) a client may make in a minute: a coarse ip_limiter against floods; `account_failures_per_hour` guards the secrets.
    pub sign_in_per_minute: u32,
    /// Failed sign-ins an account takes in an hour before each further try waits.
    pub account_failures_per_hour: u32,
    /// Seconds between two mails of one kind to one account.
    pub mail_interval_seconds: u32,
    /// Connections that one client may hold; when it opens another, its longest idle one is closed.
    pub connections_per_client: usize,
    /// Memory of all request bodies at once, in MiB; more are answered 503.
    pub body_budget_mib: u32,
    /// Memory of the request bodies of one client, in MiB; more are answered 429.
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
            (
                "body_budget_per_client_mib",
                self.body_budget_per_client_mib,
            ),
        ];
        if self.connections_per_client == 0 {
            bail!("setting `limits.connections_per_client`: must be at least 1");
        }
        // One client alone must be able to use its share (see `http::body_budget`).
        if self.body_budget_mib / 8 < self.body_budget_per_client_mib {
            bail!(
                "setting `limits.body_budget_mib`: must be at least eight times `limits.body_budget_per_client_mib`"
            );
        }
        match counts.iter().find(|(_, value)| *value == 0) {
            Some((key, _)) => bail!("setting `limits.{key}`: must be at least 1"),
            None => Ok(()),
        }
    }
}
