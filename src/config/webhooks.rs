//! `[webhooks]`: other systems that are notified of requests.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// Webhooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
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

impl Webhooks {
    pub(super) fn check(&self) -> Result<()> {
        if !(1..=30).contains(&self.off_after_days) || !(1..=365).contains(&self.log_days) {
            bail!(
                "settings `webhooks.off_after_days`, from 1 to 30, and `webhooks.log_days`, from 1 \
                 to 365"
            );
        }
        Ok(())
    }
}
