//! The addresses of webhooks, and their secrets.

use poem_openapi::Object;
use rusqlite::{Connection, Row, params};
use serde::Deserialize;

use crate::database::row::{self, read_row};
use crate::{Result, Store, conflict, query};
use domain::clock::{DAY_MS, Time};
use domain::ids;
use domain::webhook::{Shape, new_secret};

/// How long the old secret signs too after a rotation, in milliseconds: a day.
const OLD_SECRET_MS: i64 = DAY_MS;
/// Endpoints of a server.
const MAX_ENDPOINTS: i64 = 50;

/// An endpoint.
#[derive(Clone, Debug, Object)]
#[oai(rename = "Webhook")]
pub struct Endpoint {
    pub id: String,
    pub name: String,
    pub url: String,
    pub shape: Shape,
    pub events: Vec<String>,
    #[oai(skip)]
    pub secret: String,
    #[oai(skip)]
    pub(crate) old_secret: Option<String>,
    /// Until when the secret before the last rotation signs too.
    #[oai(rename = "old_secret_until")]
    pub old_until: Option<Time>,
    pub is_on: bool,
    /// The first failure since the last success; null if it works.
    pub failing_since: Option<Time>,
    pub created_at: Time,
}

/// An endpoint as a person chooses it.
#[derive(Clone, Debug, Object, Deserialize)]
#[oai(rename = "WebhookSettings")]
#[serde(deny_unknown_fields)]
pub struct EndpointSettings {
    /// 1 to 80 characters.
    pub name: String,
    /// An https address on the public internet.
    pub url: String,
    pub shape: Shape,
    /// The events it receives.
    pub events: Vec<String>,
    /// Whether it receives events.
    pub is_on: bool,
}

macro_rules! select_endpoints {
    ($condition:literal) => {
        concat!(
            "SELECT id, name, url, shape, events, secret, old_secret, old_until, is_on,
               failing_since, created_at FROM webhook_endpoints WHERE ",
            $condition
        )
    };
}

impl Endpoint {
    /// The secrets that sign now, the current one first.
    pub fn secrets(&self, now: Time) -> Vec<&str> {
        let old = self.old_secret.as_deref();
        let old = old.filter(|_| self.old_until.is_some_and(|until| until > now));
        std::iter::once(self.secret.as_str()).chain(old).collect()
    }
}

/// An endpoint with a due delivery.
#[derive(Clone, Debug)]
pub struct DueEndpoint {
    pub id: String,
    pub is_failing: bool,
}

impl Store {
    /// All endpoints, by name.
    pub async fn endpoints(&self) -> Result<Vec<Endpoint>> {
        self.read(all).await
    }

    /// The endpoints that are on and have a due delivery.
    pub async fn due_endpoints(&self, now: Time) -> Result<Vec<DueEndpoint>> {
        self.read(move |conn| {
            let sql = "SELECT id, failing_since IS NOT NULL AS is_failing FROM webhook_endpoints
                WHERE is_on = 1 AND EXISTS (
                  SELECT 1 FROM webhook_deliveries WHERE endpoint = webhook_endpoints.id
                  AND state = 'due' AND due_at <= ?1 AND (lease IS NULL OR lease <= ?1))";
            let read = read_row!(DueEndpoint => id, is_failing);
            query::all(conn, sql, [now.to_string()], read)
        })
        .await
    }

    /// One endpoint. Errors: `Missing` for an unknown id.
    pub async fn endpoint(&self, id: String) -> Result<Endpoint> {
        self.read(move |conn| by_id(conn, &id)).await
    }

    /// Adds an endpoint; returns it with its secret. Errors: `Conflict` if there are too many.
    pub async fn add_endpoint(
        &self,
        new: EndpointSettings,
        now: Time,
    ) -> Result<(Endpoint, String)> {
        self.write(move |conn| {
            let count = "SELECT count(*) FROM webhook_endpoints";
            let count: i64 = conn.query_row(count, [], |row| row.get(0))?;
            if count >= MAX_ENDPOINTS {
                return conflict(format!(
                    "There are {MAX_ENDPOINTS} webhooks: remove one first."
                ));
            }
            let (id, secret) = (ids::new(now).to_string(), new_secret());
            row::insert_row!(conn, "webhook_endpoints", {
                id: id, name: new.name, url: new.url, shape: new.shape.as_str(),
                events: row::text(&new.events)?, secret: secret, is_on: new.is_on,
                created_at: now.to_string(),
            })?;
            Ok((by_id(conn, &id)?, secret))
        })
        .await
    }

    /// Changes an endpoint. Switched on again, it counts as working. Errors: `Missing` for an
    /// unknown id.
    pub async fn change_endpoint(&self, id: String, new: EndpointSettings) -> Result<Endpoint> {
        self.write(move |conn| {
            let sql = "UPDATE webhook_endpoints SET name = ?2, url = ?3, shape = ?4, events = ?5,
                  failing_since = iif(?6 AND NOT is_on, NULL, failing_since), is_on = ?6
                WHERE id = ?1";
            let (shape, events) = (new.shape.as_str(), row::text(&new.events)?);
            let values = params![id, new.name, new.url, shape, events, new.is_on];
            query::execute(conn, sql, values)?;
            by_id(conn, &id)
        })
        .await
    }

    /// Gives an endpoint a new secret; the old one signs too for a day. Returns the new one.
    /// Errors:
    /// `Missing` for an unknown id.
    pub async fn rotate_secret(&self, id: String, now: Time) -> Result<String> {
        self.write(move |conn| {
            let secret = new_secret();
            let until = now.plus_millis(OLD_SECRET_MS).to_string();
            let sql =
                "UPDATE webhook_endpoints SET old_secret = secret, old_until = ?2, secret = ?3
                WHERE id = ?1";
            query::change(conn, sql, [&id, &until, &secret])?;
            Ok(secret)
        })
        .await
    }

    /// Removes an endpoint with its log. Errors: `Missing` for an unknown id.
    pub async fn remove_endpoint(&self, id: String) -> Result<()> {
        self.write(move |conn| {
            query::change(conn, "DELETE FROM webhook_endpoints WHERE id = ?1", [id])
        })
        .await
    }
}

pub(super) fn all(conn: &Connection) -> Result<Vec<Endpoint>> {
    query::all(conn, select_endpoints!("true ORDER BY name, id"), [], read)
}

pub(super) fn by_id(conn: &Connection, id: &str) -> Result<Endpoint> {
    query::one(conn, select_endpoints!("id = ?1"), [id], read)
}

fn read(found: &Row<'_>) -> rusqlite::Result<Endpoint> {
    read_row!(found => Endpoint {
        id, name, url, shape, events, secret, old_secret, old_until, is_on, failing_since,
        created_at,
    })
}
