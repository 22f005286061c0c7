//! `[retention]`: how long requests and emails are kept.

use serde::{Deserialize, Serialize};

/// Retention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Retention {
    /// Days after which a completed or cancelled request is deleted with its emails; 0: never.
    pub closed_days: u32,
    /// Days after which a sent email is deleted; 0: never.
    #[serde(skip)]
    pub sent_days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            closed_days: 0,
            sent_days: 30,
        }
    }
}
