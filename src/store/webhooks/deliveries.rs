//! Deliveries: claimed under a lease, retried by a widening schedule, and kept as a log.

use poem_openapi::Object;
use rusqlite::{Connection, Row, params};

use super::endpoints::{self, Endpoint};
use crate::database::row::{self, read_row};
use crate::{Result, Store, existing, outbox, query};
use domain::clock::{DAY_MS, Time};
use domain::delivery::DeliveryState;
use domain::email::notice::Notice;
use domain::webhook::RETRIES;

/// Days of failures after which an endpoint is switched off, with an email to the office.
const OFF_AFTER_DAYS: i64 = 5;

/// A claimed delivery.
#[derive(Clone, Debug)]
pub struct ClaimedDelivery {
    pub id: i64,
    pub endpoint: Endpoint,
    /// The id of the message, the same in each attempt.
    pub message: String,
    pub event: String,
    pub body: String,
    pub attempts: u32,
    lease: String,
}

/// The result of an attempt.
#[derive(Clone, Debug, Default)]
pub struct DeliveryResult {
    pub is_success: bool,
    /// The HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// Why it failed.
    pub error: Option<String>,
    /// Seconds after which the target wants to be asked again.
    pub retry_after: Option<u32>,
    /// The target accepts no further events (410).
    pub is_gone: bool,
}

/// A delivery.
#[derive(Clone, Debug, Object)]
#[oai(rename = "WebhookDelivery")]
pub struct LoggedDelivery {
    pub id: i64,
    /// The endpoint's id.
    pub webhook: String,
    /// The id of the message, the same in each attempt.
    pub message: String,
    pub event: String,
    pub state: DeliveryState,
    pub created_at: Time,
    /// When the next attempt is due; null if there is none.
    pub due_at: Option<Time>,
    pub sent_at: Option<Time>,
    pub attempts: u32,
    /// The HTTP status of the last answer.
    pub status: Option<u16>,
    /// Why the last attempt failed.
    pub error: Option<String>,
}

impl Store {
    /// Claims due deliveries for `lease_ms`: of each endpoint up to its limit.
    pub async fn claim_deliveries(
        &self,
        limits: Vec<(String, usize)>,
        lease_ms: i64,
        now: Time,
    ) -> Result<Vec<ClaimedDelivery>> {
        self.write(move |conn| {
            let (at, lease) = (now.to_string(), now.plus_millis(lease_ms).to_string());
            let mut claimed = Vec::new();
            for (id, limit) in &limits {
                let Some(endpoint) = existing(endpoints::by_id(conn, id))? else {
                    continue;
                };
                // A bare `LIMIT ?4` would be prepared again at each execution.
                let claim = "UPDATE webhook_deliveries SET lease = ?3, attempts = attempts + 1
                     WHERE id IN (
                       SELECT id FROM webhook_deliveries WHERE endpoint = ?1 AND state = 'due'
                       AND due_at <= ?2 AND (lease IS NULL OR lease <= ?2)
                       ORDER BY due_at, id LIMIT ?4 + 0)
                     RETURNING id, message, event, body, attempts";
                let limit = i64::try_from(*limit).unwrap_or(i64::MAX);
                let values = params![id, at, lease, limit];
                let found: Vec<_> = query::all(conn, claim, values, |found| {
                    read_row!(found => ClaimedDelivery {
                        id, message, event, body, attempts;
                        endpoint: endpoint.clone(),
                        lease: lease.clone(),
                    })
                })?;
                claimed.extend(found);
            }
            Ok(claimed)
        })
        .await
    }

    /// Records the result of an attempt. An endpoint that has failed for `OFF_AFTER_DAYS`, or is
    /// gone, is switched off with an email to the office.
    pub async fn delivery_attempted(
        &self,
        delivery: &ClaimedDelivery,
        result: DeliveryResult,
        now: Time,
    ) -> Result<()> {
        let (id, attempts) = (delivery.id, delivery.attempts);
        let (lease, endpoint) = (delivery.lease.clone(), delivery.endpoint.id.clone());
        self.write(move |conn| {
            let (state, due) = next(&result, attempts, now);
            let sql = "UPDATE webhook_deliveries SET state = ?3, due_at = ?4, status = ?5,
                  last_error = ?6, lease = NULL, sent_at = iif(?3 = 'sent', ?7, NULL)
                WHERE id = ?1 AND (lease = ?2 OR ?3 = 'sent')";
            let values = params![
                id,
                lease,
                state.as_str(),
                due.to_string(),
                result.status,
                result.error,
                now.to_string()
            ];
            let updated = query::execute(conn, sql, values)?;
            if updated == 0 {
                return Ok(());
            }
            match result.is_success {
                true => worked(conn, &endpoint),
                false => failed(conn, &endpoint, &result, now),
            }
        })
        .await
    }

    /// The newest deliveries of an endpoint, or of a request.
    pub async fn delivery_log(
        &self,
        endpoint: Option<String>,
        request: Option<String>,
        limit: u32,
    ) -> Result<Vec<LoggedDelivery>> {
        self.read(move |conn| {
            let seq = match request {
                Some(id) => Some(crate::request::requests::find(conn, &id)?.seq),
                None => None,
            };
            let sql =
                "SELECT id, endpoint, message, event, state, created_at, due_at, sent_at, attempts,
                  status, last_error FROM webhook_deliveries
                WHERE (?1 IS NULL OR endpoint = ?1) AND (?2 IS NULL OR seq = ?2)
                ORDER BY id DESC LIMIT ?3";
            query::all(conn, sql, params![endpoint, seq, limit], read)
        })
        .await
    }

    /// Makes a delivery that was sent or has failed due again, under the same message id. Errors:
    /// `Missing` for an unknown id.
    pub async fn replay_delivery(&self, id: i64, now: Time) -> Result<()> {
        self.write(move |conn| {
            // No row is inserted, so the worker is not woken; its poll finds it.
            let sql = "UPDATE webhook_deliveries SET state = 'due', due_at = ?2, attempts = 0,
                  lease = NULL
                WHERE id = ?1";
            query::change(conn, sql, params![id, now.to_string()])
        })
        .await
    }

    /// Deletes finished deliveries from before `before`, and those of endpoints that were switched
    /// off then; returns how many.
    pub async fn delete_old_deliveries(&self, before: Time) -> Result<usize> {
        let old = "SELECT 1 FROM webhook_deliveries WHERE created_at < ?1 LIMIT 1";
        let at = before.to_string();
        let is_any = self.read(move |conn| query::exists(conn, old, [at]));
        if !is_any.await? {
            return Ok(0);
        }
        self.write(move |conn| {
            let deleted = conn.execute(
                "DELETE FROM webhook_deliveries WHERE created_at < ?1
                   AND (state <> 'due' OR endpoint IN (
                     SELECT id FROM webhook_endpoints WHERE is_on = 0))",
                [before.to_string()],
            )?;
            Ok(deleted)
        })
        .await
    }
}

/// The state after an attempt, and when the next one is due.
fn next(result: &DeliveryResult, attempts: u32, now: Time) -> (DeliveryState, Time) {
    if result.is_success {
        return (DeliveryState::Sent, now);
    }
    let index = usize::try_from(attempts.saturating_sub(1)).unwrap_or(usize::MAX);
    match RETRIES.get(index) {
        Some(seconds) if !result.is_gone => {
            let asked = i64::from(result.retry_after.unwrap_or(0)).min(RETRIES[RETRIES.len() - 1]);
            let due = now.plus_seconds((*seconds).max(asked));
            (DeliveryState::Due, due)
        }
        _ => (DeliveryState::Failed, now),
    }
}

fn worked(conn: &Connection, endpoint: &str) -> Result<()> {
    let sql = "UPDATE webhook_endpoints SET failing_since = NULL
        WHERE id = ?1 AND failing_since IS NOT NULL";
    query::run(conn, sql, [endpoint])
}

fn failed(conn: &Connection, endpoint: &str, result: &DeliveryResult, now: Time) -> Result<()> {
    let long_ago = now.plus_millis(-OFF_AFTER_DAYS * DAY_MS);
    let sql = "UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, ?2)
        WHERE id = ?1";
    query::execute(conn, sql, [endpoint, &now.to_string()])?;
    let sql = "UPDATE webhook_endpoints SET is_on = 0
        WHERE id = ?1 AND is_on = 1 AND (?2 OR failing_since <= ?3) RETURNING name";
    let values = params![endpoint, result.is_gone, long_ago.to_string()];
    let off = query::optional(conn, sql, values, |row| row.get::<_, String>(0))?;
    let Some(name) = off else {
        return Ok(());
    };
    let notice = Notice::WebhookOff {
        name,
        error: result.error.clone().unwrap_or_default(),
        to: None,
    };
    outbox::enqueue(conn, &notice, now)
}

fn read(found: &Row<'_>) -> rusqlite::Result<LoggedDelivery> {
    let (state, due_at) = (row::column(found, "state")?, row::column(found, "due_at")?);
    read_row!(found => LoggedDelivery {
        id, webhook: "endpoint", message, event, created_at, sent_at, attempts, status,
        error: "last_error";
        due_at: (state == DeliveryState::Due).then_some(due_at),
        state,
    })
}
