//! Webhooks: endpoints, secrets, and the log of deliveries.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi};
use serde::Deserialize;

use crate::domain::text::clean;
use crate::domain::webhook::{EVENTS, Shape, title};
use crate::http::AppState;
use crate::http::api::tags::Tag;
use crate::http::request::error_responses::AdminError;
use crate::http::request::problem::{Problem, invalid};
use crate::http::request::require_admin::Admin;
use crate::http::request::strict_json::StrictJson;
use crate::store::webhooks::deliveries::LoggedDelivery;
use crate::store::webhooks::endpoints::{Endpoint, EndpointSettings};

/// The longest name, in code points, and the longest address, in bytes.
const MAX_NAME: usize = 80;
const MAX_URL: usize = 1000;
/// Deliveries that are listed.
const LISTED: u32 = 100;

/// An endpoint as it is chosen.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct WebhookSettings {
    /// 1 to 80 characters.
    name: String,
    /// An https address on the public internet.
    url: String,
    /// `standard` (signed JSON), `slack`, `teams` or `ntfy`.
    shape: String,
    /// The events it is told of.
    events: Vec<String>,
    /// Whether it is told.
    is_on: bool,
}

/// An endpoint.
#[derive(Object)]
struct Webhook {
    id: String,
    name: String,
    url: String,
    shape: String,
    events: Vec<String>,
    is_on: bool,
    /// The first failure since the last success; null if it works.
    failing_since: Option<String>,
    /// Until when the secret before the last rotation signs too.
    old_secret_until: Option<String>,
    created_at: String,
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
struct Webhooks {
    webhooks: Vec<Webhook>,
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

/// A delivery.
#[derive(Object)]
struct WebhookDelivery {
    id: i64,
    /// The endpoint's id.
    webhook: String,
    /// The id of the message, the same in each attempt.
    message: String,
    event: String,
    /// `due`, `sent` or `failed`.
    state: String,
    created_at: String,
    /// When the next attempt is due; null if there is none.
    due_at: Option<String>,
    sent_at: Option<String>,
    attempts: u32,
    /// The HTTP status of the last answer.
    status: Option<u16>,
    /// Why the last attempt failed.
    error: Option<String>,
}

impl From<LoggedDelivery> for WebhookDelivery {
    fn from(delivery: LoggedDelivery) -> Self {
        let is_due = delivery.state == "due";
        Self {
            id: delivery.id,
            webhook: delivery.endpoint,
            message: delivery.message,
            event: delivery.event,
            state: delivery.state,
            created_at: delivery.created_at.to_string(),
            due_at: is_due.then(|| delivery.due_at.to_string()),
            sent_at: delivery.sent_at.map(|at| at.to_string()),
            attempts: delivery.attempts,
            status: delivery.status,
            error: delivery.error,
        }
    }
}

/// The log.
#[derive(Object)]
struct WebhookDeliveries {
    deliveries: Vec<WebhookDelivery>,
}

#[derive(ApiResponse)]
enum WebhooksResponse {
    /// The endpoints.
    #[oai(status = 200)]
    Ok(Json<Webhooks>),
}

#[derive(ApiResponse)]
enum SecretResponse {
    /// The secret. It is not shown again.
    #[oai(status = 201)]
    Created(Json<WebhookSecret>),
}

#[derive(ApiResponse)]
enum LogResponse {
    /// The newest deliveries.
    #[oai(status = 200)]
    Ok(Json<WebhookDeliveries>),
}

#[derive(ApiResponse)]
enum ReplayResponse {
    /// It is sent again at once.
    #[oai(status = 202)]
    Accepted,
}

/// The calls about webhooks.
pub struct WebhooksApi;

#[OpenApi(prefix_path = "/api/admin/webhooks", tag = "Tag::Webhooks")]
impl WebhooksApi {
    /// List webhooks
    #[oai(path = "/", method = "get", operation_id = "listWebhooks")]
    async fn list(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
    ) -> Result<WebhooksResponse, AdminError> {
        list(&app).await
    }

    /// Add a webhook
    #[oai(path = "/", method = "post", operation_id = "addWebhook")]
    async fn add(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        body: StrictJson<WebhookSettings>,
    ) -> Result<SecretResponse, AdminError> {
        let new = parse(&app, body.0)?;
        let (endpoint, secret) = app.store.add_endpoint(new, app.clock.now()).await?;
        let id = endpoint.id;
        Ok(SecretResponse::Created(Json(WebhookSecret { id, secret })))
    }

    /// Change a webhook
    #[oai(path = "/:id", method = "put", operation_id = "changeWebhook")]
    async fn change(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        id: Path<String>,
        body: StrictJson<WebhookSettings>,
    ) -> Result<WebhooksResponse, AdminError> {
        let new = parse(&app, body.0)?;
        app.store.change_endpoint(id.0, new).await?;
        list(&app).await
    }

    /// Remove a webhook with its log
    #[oai(path = "/:id", method = "delete", operation_id = "removeWebhook")]
    async fn remove(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        id: Path<String>,
    ) -> Result<WebhooksResponse, AdminError> {
        app.store.remove_endpoint(id.0).await?;
        list(&app).await
    }

    /// Rotate the secret
    ///
    /// The former secret signs too for a day.
    #[oai(
        path = "/:id/secret",
        method = "post",
        operation_id = "rotateWebhookSecret"
    )]
    async fn rotate(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        id: Path<String>,
    ) -> Result<SecretResponse, AdminError> {
        let secret = app
            .store
            .rotate_secret(id.0.clone(), app.clock.now())
            .await?;
        let id = id.0;
        Ok(SecretResponse::Created(Json(WebhookSecret { id, secret })))
    }

    /// The log of deliveries
    #[oai(
        path = "/deliveries",
        method = "get",
        operation_id = "listWebhookDeliveries"
    )]
    async fn deliveries(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        /// The id of a webhook.
        webhook: Query<Option<String>>,
        /// The id or the reference of a request.
        request: Query<Option<String>>,
    ) -> Result<LogResponse, AdminError> {
        let log = app.store.delivery_log(webhook.0, request.0, LISTED).await?;
        let deliveries = log.into_iter().map(Into::into).collect();
        Ok(LogResponse::Ok(Json(WebhookDeliveries { deliveries })))
    }

    /// Send a delivery again
    ///
    /// Under the same id, so that a receiver that has it already can ignore it.
    #[oai(
        path = "/deliveries/:id/replay",
        method = "post",
        operation_id = "replayWebhook"
    )]
    async fn replay(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        id: Path<i64>,
    ) -> Result<ReplayResponse, AdminError> {
        app.store.replay_delivery(id.0, app.clock.now()).await?;
        Ok(ReplayResponse::Accepted)
    }
}

async fn list(app: &AppState) -> Result<WebhooksResponse, AdminError> {
    let webhooks = app.store.endpoints().await?.into_iter();
    Ok(WebhooksResponse::Ok(Json(Webhooks {
        webhooks: webhooks.map(Into::into).collect(),
        events: EVENTS.iter().map(|(name, _)| (*name).to_owned()).collect(),
    })))
}

fn parse(app: &AppState, body: WebhookSettings) -> Result<EndpointSettings, Problem> {
    let name = clean(&body.name, false);
    if !(1..=MAX_NAME).contains(&name.chars().count()) {
        return Err(invalid("name", "Write a name of 1 to 80 characters."));
    }
    let shape = Shape::parse(&body.shape);
    let shape =
        shape.ok_or_else(|| invalid("shape", "`shape` is standard, slack, teams or ntfy."))?;
    if body.events.is_empty() {
        return Err(invalid("events", "Choose at least one event."));
    }
    if let Some(unknown) = body.events.iter().find(|event| title(event).is_none()) {
        return Err(invalid("events", format!("There is no event `{unknown}`.")));
    }
    if body.url.len() > MAX_URL {
        return Err(invalid("url", "The address is too long."));
    }
    let url = app.alarms.outgoing.check(&body.url);
    let url = url.map_err(|why| invalid("url", why))?.to_string();
    Ok(EndpointSettings {
        name,
        url,
        shape,
        events: body.events,
        is_on: body.is_on,
    })
}
