//! Grants: a visitor who has sent a quote request may add a few files to it.

use super::Files;
use super::target::{Right, Target};
use super::token::Permit;
use domain::clock::Time;
use domain::storage::QUOTES;

/// A grant in the form sent to the visitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub token: String,
    pub expires_at: Time,
}

/// The target of a file that a visitor sends with the request itself.
pub fn visitor_target(quote_id: &str, file: &str) -> Target {
    Target {
        bucket: QUOTES.to_owned(),
        name: format!("{quote_id}/{file}"),
        upsert: false,
        owner: None,
        right: Right::Grant {
            quote_id: quote_id.to_owned(),
            running: None,
        },
        resumable: None,
    }
}

impl Files {
    /// A grant for a quote; `None` if no files are accepted now.
    pub async fn grant(&self, quote_id: &str) -> Option<Grant> {
        if let Err(error) = self.require_space(0).await {
            tracing::warn!(%error, "a quote request gets no grant for files");
            return None;
        }
        let lifetime = i64::from(self.config.grant_seconds);
        let expires_at = self.clock.now().plus_seconds(lifetime);
        let quote = quote_id.to_owned();
        let token = self.seal(Permit::Grant { quote }, expires_at);
        let token = token.inspect_err(|error| tracing::error!(%error, "no grant"));
        Some(Grant {
            token: token.ok()?,
            expires_at,
        })
    }
}
