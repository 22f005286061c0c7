//! `[outgoing]`: requests to addresses that people type, as of webhooks and push services.

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// Requests to addresses that people type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Outgoing {
    /// Networks that may be called although they are not public, also without TLS.
    pub allow: Vec<IpNet>,
}
