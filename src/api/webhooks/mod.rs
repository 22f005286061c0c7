//! Webhooks: endpoints, secrets, and the log of deliveries.

use std::sync::Arc;

use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::desk::Admin;
use crate::tags::Tag;
use alarms::Alarms;
use alarms::outgoing::Outgoing;
use domain::text::clean;
use domain::webhook::{EVENTS, title};
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;
use http::request::success_responses::{Accepted, Created};
use store::Store;
use store::webhooks::deliveries::LoggedDelivery;
use store::webhooks::endpoints::{Endpoint, EndpointSettings};

/// The longest name, in code points, and the longest address, in bytes.
const MAX_NAME: usize = 80;
const MAX_URL: usize = 1000;
/// Deliveries that are listed.
const LISTED: u32 = 100;

/// The endpoints.
#[derive(Object)]
struct Webhooks {
    webhooks: Vec<Endpoint>,
    /// The events there are.
    events: Vec<String>,
}

/// A secret, which is shown once.
#[derive(Object)]
struct WebhookSecret {
    /// The endpoint's id.
    id: String,
    /// As in `whsec_…`.
    secret: String,
}

/// The log.
#[derive(Object)]
struct WebhookDeliveries {
    deliveries: Vec<LoggedDelivery>,
}

/// The calls about webhooks.
pub struct WebhooksApi;

#[OpenApi(prefix_path = "/api/admin/webhooks", tag = "Tag::Webhooks")]
impl WebhooksApi {
    /// List webhooks
    #[oai(path = "/", method = "get", operation_id = "listWebhooks")]
    async fn list(&self, desk: Admin) -> AdminResult<Webhooks> {
        list(&desk.store).await
    }

    /// Add a webhook
    ///
    /// The secret is not shown again.
    #[oai(path = "/", method = "post", operation_id = "addWebhook")]
    async fn add(
        &self,
        desk: Admin<&Arc<Alarms>>,
        body: StrictJson<EndpointSettings>,
    ) -> Result<Created<WebhookSecret>, AdminError> {
        let new = parse(&desk.outgoing, body.0)?;
        let (endpoint, secret) = desk.store.add_endpoint(new, desk.now).await?;
        let id = endpoint.id;
        Ok(Created::of(WebhookSecret { id, secret }))
    }

    /// Change a webhook
    #[oai(path = "/:id", method = "put", operation_id = "changeWebhook")]
    async fn change(
        &self,
        desk: Admin<&Arc<Alarms>>,
        id: Path<String>,
        body: StrictJson<EndpointSettings>,
    ) -> AdminResult<Webhooks> {
        let new = parse(&desk.outgoing, body.0)?;
        desk.store.change_endpoint(id.0, new).await?;
        list(&desk.store).await
    }

    /// Remove a webhook with its log
    #[oai(path = "/:id", method = "delete", operation_id = "removeWebhook")]
    async fn remove(&self, desk: Admin, id: Path<String>) -> AdminResult<Webhooks> {
        desk.store.remove_endpoint(id.0).await?;
        list(&desk.store).await
    }

    /// Rotate the secret
    ///
    /// The former secret signs too for a day.
    /// The secret is not shown again.
    #[oai(
        path = "/:id/secret",
        method = "post",
        operation_id = "rotateWebhookSecret"
    )]
    async fn rotate(
        &self,
        desk: Admin,
        id: Path<String>,
    ) -> Result<Created<WebhookSecret>, AdminError> {
        let secret = desk.store.rotate_secret(id.0.clone(), desk.now).await?;
        let id = id.0;
        Ok(Created::of(WebhookSecret { id, secret }))
    }

    /// The log of deliveries
    #[oai(
        path = "/deliveries",
        method = "get",
        operation_id = "listWebhookDeliveries"
    )]
    async fn deliveries(
        &self,
        desk: Admin,
        /// The id of a webhook.
        webhook: Query<Option<String>>,
        /// The id or the reference of a request.
        request: Query<Option<String>>,
    ) -> AdminResult<WebhookDeliveries> {
        let log = desk.store.delivery_log(webhook.0, request.0, LISTED);
        let deliveries = log.await?;
        Ok(Json(WebhookDeliveries { deliveries }))
    }

    /// Send a delivery again
    ///
    /// Under the same id, so that a receiver that has it already can ignore it.
    /// It is sent again at once.
    #[oai(
        path = "/deliveries/:id/replay",
        method = "post",
        operation_id = "replayWebhook"
    )]
    async fn replay(&self, desk: Admin, id: Path<i64>) -> Result<Accepted, AdminError> {
        desk.store.replay_delivery(id.0, desk.now).await?;
        Ok(Accepted::Queued)
    }
}

async fn list(store: &Store) -> AdminResult<Webhooks> {
    Ok(Json(Webhooks {
        webhooks: store.endpoints().await?,
        events: EVENTS.iter().map(|(name, _)| (*name).to_owned()).collect(),
    }))
}

fn parse(outgoing: &Outgoing, body: EndpointSettings) -> Result<EndpointSettings, Problem> {
    let name = clean(&body.name, false);
    if !(1..=MAX_NAME).contains(&name.chars().count()) {
        return Err(invalid("name", "Write a name of 1 to 80 characters."));
    }
    if body.events.is_empty() {
        return Err(invalid("events", "Choose at least one event."));
    }
    if let Some(unknown) = body.events.iter().find(|event| title(event).is_none()) {
        return Err(invalid("events", format!("There is no event `{unknown}`.")));
    }
    if body.url.len() > MAX_URL {
        return Err(invalid("url", "The address is too long."));
    }
    let url = outgoing.check(&body.url);
    let url = url.map_err(|why| invalid("url", why))?.to_string();
    Ok(EndpointSettings { name, url, ..body })
}
