//! Wire types of webhooks.

use poem_openapi::Object;

use store::webhooks::deliveries::LoggedDelivery;
use store::webhooks::endpoints::Endpoint;

/// The endpoints.
#[derive(Object)]
pub struct Webhooks {
    pub webhooks: Vec<Endpoint>,
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
