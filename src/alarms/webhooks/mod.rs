//! Delivers webhooks: turns events into one delivery for each endpoint that wants them, and sends
//! these under a lease. It has its own queue: an endpoint that hangs delays neither emails nor
//! alarms, nor other endpoints.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::outgoing::{Outgoing, Post};
use domain::clock::{Clock, DAY_MS};
use domain::request::Request;
use domain::webhook::{ChatText, Shape, signatures, standard_body, title};
use store::webhooks::deliveries::{ClaimedDelivery, DeliveryResult};
use store::webhooks::endpoints::{DueEndpoint, Endpoint};
use store::webhooks::events::{NewDelivery, PendingEvent, PendingEvents};
use store::{self, Store};

/// How often retries and the events of other processes are looked for; new events wake the worker.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// How often old deliveries are deleted.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// Requests at once to one endpoint, and to one that is failing.
const PER_ENDPOINT: usize = 4;
const PER_FAILING: usize = 1;
/// Requests at once to all endpoints.
const CONCURRENCY: usize = 32;
/// Longer than any attempt, in milliseconds.
const LEASE_MS: i64 = 20_000;
/// Events that are turned into deliveries in one transaction.
const BATCH: u32 = 50;

/// The JSON of the API for a request.
pub type RequestJson = Box<dyn Fn(Request) -> Value + Send + Sync>;
/// The text for a chat room: the title of the event, the request, and whether it is urgent.
pub type ChatTexts = Box<dyn Fn(&str, Option<&Request>, bool) -> ChatText + Send + Sync>;

/// Days for which the log of deliveries is kept.
const LOG_DAYS: i64 = 30;

/// What delivers webhooks.
pub struct WebhookWorker {
    pub store: Store,
    pub clock: Clock,
    pub outgoing: Outgoing,
    pub request_json: RequestJson,
    pub chat_text: ChatTexts,
}

impl WebhookWorker {
    /// Works until `stop` becomes true or its sender is dropped, then finishes running attempts.
    pub async fn run(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let mut attempts = JoinSet::new();
        let mut running: HashMap<String, usize> = HashMap::new();
        let mut last_cleanup: Option<Instant> = None;
        while !*stop.borrow() && stop.has_changed().is_ok() {
            if last_cleanup.is_none_or(|at| at.elapsed() >= CLEANUP_INTERVAL) {
                self.delete_old().await;
                last_cleanup = Some(Instant::now());
            }
            match self.claim(&running).await {
                Ok(deliveries) => {
                    for delivery in deliveries {
                        *running.entry(delivery.endpoint.id.clone()).or_default() += 1;
                        attempts.spawn(self.clone().attempt(delivery));
                    }
                }
                Err(error) => error.log_background("webhooks cannot be read"),
            }
            let mut finished = |id: Result<String, _>| {
                // A panicked attempt names no endpoint: all are counted anew when none runs.
                if let Ok(id) = id
                    && let Some(count) = running.get_mut(&id)
                {
                    *count = count.saturating_sub(1);
                }
            };
            tokio::select! {
                Some(ended) = attempts.join_next(), if !attempts.is_empty() => {
                    finished(ended);
                    while let Some(Some(ended)) = attempts.join_next().now_or_never() {
                        finished(ended);
                    }
                }
                () = self.store.webhooks_notified() => {}
                () = sleep(POLL_INTERVAL) => {}
                _ = stop.changed() => {}
            }
            if attempts.is_empty() {
                running.clear();
            }
        }
        while attempts.join_next().await.is_some() {}
    }

    /// Turns all events into deliveries and attempts those that are due, once each; returns how
    /// many were attempted.
    pub async fn deliver_due(self: &Arc<Self>) -> store::Result<usize> {
        let mut count = 0;
        loop {
            let deliveries = self.claim(&HashMap::new()).await?;
            if deliveries.is_empty() {
                return Ok(count);
            }
            count += deliveries.len();
            let attempts: JoinSet<_> = deliveries
                .into_iter()
                .map(|delivery| self.clone().attempt(delivery))
                .collect();
            attempts.join_all().await;
        }
    }

    async fn claim(&self, running: &HashMap<String, usize>) -> store::Result<Vec<ClaimedDelivery>> {
        while self.replace_events().await? {}
        let now = self.clock.now();
        let mut left = CONCURRENCY.saturating_sub(running.values().sum());
        let mut limits = Vec::new();
        for DueEndpoint { id, is_failing } in self.store.due_endpoints(now).await? {
            let most = if is_failing {
                PER_FAILING
            } else {
                PER_ENDPOINT
            };
            let free = most.saturating_sub(running.get(&id).copied().unwrap_or(0));
            let limit = free.min(left);
            left -= limit;
            if limit > 0 {
                limits.push((id, limit));
            }
        }
        match limits.is_empty() {
            true => Ok(Vec::new()),
            false => self.store.claim_deliveries(limits, LEASE_MS, now).await,
        }
    }

    /// Turns a batch of events into deliveries; returns whether there may be more.
    async fn replace_events(&self) -> store::Result<bool> {
        let PendingEvents { events, endpoints } = self.store.pending_events(BATCH).await?;
        if events.is_empty() {
            return Ok(false);
        }
        let replaced = events
            .iter()
            .map(|event| (event.id, self.deliveries(event, &endpoints)));
        let replaced = replaced.collect();
        self.store
            .replace_events(replaced, self.clock.now())
            .await?;
        Ok(true)
    }

    /// The deliveries of an event. One about a request that is gone or held has none.
    fn deliveries(&self, event: &PendingEvent, endpoints: &[Endpoint]) -> Vec<NewDelivery> {
        if event.seq.is_some() && event.request.is_none() {
            return Vec::new();
        }
        let chosen = endpoints.iter();
        let chosen = chosen.filter(|endpoint| endpoint.events.contains(&event.event));
        chosen
            .map(|endpoint| {
                let chat = (endpoint.shape != Shape::Standard).then(|| self.chat(event));
                NewDelivery {
                    endpoint: endpoint.id.clone(),
                    event: event.event.clone(),
                    seq: event.seq,
                    body: match &chat {
                        Some(text) => serde_json::to_string(text).unwrap_or_default(),
                        None => self.body(event),
                    },
                    chat,
                }
            })
            .collect()
    }

    fn chat(&self, event: &PendingEvent) -> ChatText {
        let request = event.request.as_ref();
        let is_urgent = event.event == "alarm.raised"
            || request.is_some_and(|it| it.emergency_contact && it.awaits_answer());
        let title = title(&event.event).unwrap_or("Event");
        (self.chat_text)(title, request, is_urgent)
    }

    fn body(&self, event: &PendingEvent) -> String {
        let request = event.request.clone().map(&self.request_json);
        let at = event.at.unwrap_or_else(|| self.clock.now()).to_string();
        let mut data = json!({ "request": request });
        if let Some(detail) = &event.detail {
            data["detail"] = detail.clone();
        }
        standard_body(&event.event, &at, data)
    }

    /// Sends one delivery and records the result; returns the id of its endpoint.
    async fn attempt(self: Arc<Self>, delivery: ClaimedDelivery) -> String {
        let result = self.send(&delivery).await;
        loop {
            let now = self.clock.now();
            let recorded = self
                .store
                .delivery_attempted(&delivery, result.clone(), now);
            let Err(error) = recorded.await else {
                break;
            };
            error.log_background("the outcome of a webhook could not be stored");
            // It is sent again when the lease expires.
            if !result.is_success {
                break;
            }
            sleep(Duration::from_secs(1)).await;
        }
        delivery.endpoint.id
    }

    async fn send(&self, delivery: &ClaimedDelivery) -> DeliveryResult {
        let answer = self.outgoing.post(self.request(delivery)).await;
        match answer {
            Ok(answer) => DeliveryResult {
                is_success: answer.is_success(),
                status: Some(answer.status),
                error: (!answer.is_success()).then(|| format!("it answered {}", answer.status)),
                retry_after: answer.retry_after,
                is_gone: answer.status == 410,
            },
            Err(failure) => DeliveryResult {
                error: Some(failure.to_string()),
                ..DeliveryResult::default()
            },
        }
    }

    fn request(&self, delivery: &ClaimedDelivery) -> Post {
        let endpoint = &delivery.endpoint;
        let now = self.clock.now();
        let chat: Option<ChatText> = match endpoint.shape {
            Shape::Standard => None,
            _ => serde_json::from_str(&delivery.body).ok(),
        };
        let (body, headers) = match chat {
            Some(text) => {
                let mut message = text.message(endpoint.shape);
                let media_type = message.media_type.to_owned();
                message.headers.push(("content-type", media_type));
                (message.body, message.headers)
            }
            None => {
                let (id, seconds) = (&delivery.message, now.seconds());
                let signed = signatures(&endpoint.secrets(now), id, seconds, &delivery.body);
                let headers = vec![
                    ("content-type", "application/json".to_owned()),
                    ("webhook-id", id.clone()),
                    ("webhook-timestamp", seconds.to_string()),
                    ("webhook-signature", signed),
                ];
                (delivery.body.clone(), headers)
            }
        };
        Post {
            url: endpoint.url.clone(),
            headers,
            body: body.into_bytes(),
            basic: None,
        }
    }

    /// Deletes deliveries that are older than the log is kept.
    pub async fn delete_old(&self) {
        let before = self.clock.now().plus_millis(-LOG_DAYS * DAY_MS);
        if let Err(error) = self.store.delete_old_deliveries(before).await {
            error.log_background("old webhooks could not be deleted");
        }
    }
}
