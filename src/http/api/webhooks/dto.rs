//! Wire types of webhooks.

use poem_openapi::Object;
use serde::Deserialize;

use store::webhooks::deliveries::LoggedDelivery;
use store::webhooks::endpoints::Endpoint;

/// An endpoint as it is chosen.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookSettings {
    /// 1 to 80 characters.
    pub name: String,
    /// An https address on the public internet.
    pub url: String,
    /// `standard` (signed JSON), `slack`, `teams` or `ntfy`.
    pub shape: String,
    /// The events it receives.
    pub events: Vec<String>,
    /// Whether it receives events.
    pub is_on: bool,
}

/// An endpoint.
#[derive(Object)]
pub struct Webhook {
    pub id: String,
    pub name: String,
    pub url: String,
    pub shape: String,
    pub events: Vec<String>,
    pub is_on: bool,
    /// The first failure since the last success; null if it works.
    pub failing_since: Option<String>,
    /// Until when the secret before the last rotation signs too.
    pub old_secret_until: Option<String>,
    pub created_at: String,
}

impl From<Endpoint> for Webhook {
    fn from(endpoint: Endpoint) -> Self {
        Self {
            id: endpoint.id,
            name: endpoint.name,
            url: endpoint.url,
            shape: endpoint.shape.as_str().to_owned(),
            events: endpoint.events,
            is_on: endpoint.is_on,
            failing_since: endpoint.failing_since.map(|at| at.to_string()),
            old_secret_until: endpoint.old_until.map(|at| at.to_string()),
            created_at: endpoint.created_at.to_string(),
        }
    }
}

/// The endpoints.
#[derive(Object)]
pub struct Webhooks {
    pub webhooks: Vec<Webhook>,
    /// The events there are.
    pub events: Vec<String>,
}

/// A secret, which is shown once.
#[derive(Object)]
pub struct WebhookSecret {
    /// The endpoint's id.
    pub id: String,
    /// As in `whsec_…`.
    pub secret: String,
}

/// The log.
#[derive(Object)]
pub struct WebhookDeliveries {
    pub deliveries: Vec<LoggedDelivery>,
}
