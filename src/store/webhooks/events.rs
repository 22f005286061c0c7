//! Events that wait to be turned into deliveries: triggers and `announce` insert them in the
//! transaction of their cause, so that none is lost or repeated.

use rusqlite::{Connection, params};
use serde_json::Value;

use super::endpoints::{self, Endpoint};
use crate::database::row::{self, read_row};
use crate::request::requests;
use crate::{Error, Result, Store, query};
use domain::clock::{MINUTE_MS, Time};
use domain::ids;
use domain::request::Request;
use domain::webhook::ChatText;

/// Messages about one event each that a chat room gets within ten minutes.
const MAX_SINGLE: u32 = 30;

/// An event with what it is about.
#[derive(Clone, Debug)]
pub struct PendingEvent {
    pub id: i64,
    /// One of `domain::webhook::EVENTS`.
    pub event: String,
    /// When it happened, if it is known.
    pub at: Option<Time>,
    pub seq: Option<i64>,
    /// `None` if it concerns no request, or one that was deleted or is held.
    pub request: Option<Request>,
    pub detail: Option<Value>,
}

/// A delivery to write.
#[derive(Clone, Debug)]
pub struct NewDelivery {
    pub endpoint: String,
    pub event: String,
    pub seq: Option<i64>,
    /// JSON: the body itself, or a `ChatText`.
    pub body: String,
    /// The text for a chat room, of which many become one.
    pub chat: Option<ChatText>,
}

/// Events without deliveries.
#[derive(Clone, Debug)]
pub struct PendingEvents {
    pub events: Vec<PendingEvent>,
    /// Those that are on.
    pub endpoints: Vec<Endpoint>,
}

impl Store {
    /// The oldest events, up to `limit`.
    pub async fn pending_events(&self, limit: u32) -> Result<PendingEvents> {
        self.read(move |conn| {
            let events = pending(conn, limit)?;
            let mut endpoints = match events.is_empty() {
                true => Vec::new(),
                false => endpoints::all(conn)?,
            };
            endpoints.retain(|endpoint| endpoint.is_on);
            Ok(PendingEvents { events, endpoints })
        })
        .await
    }

    /// Replaces events by their deliveries. An event that another process has replaced is left out.
    pub async fn replace_events(
        &self,
        events: Vec<(i64, Vec<NewDelivery>)>,
        now: Time,
    ) -> Result<()> {
        self.write(move |conn| {
            for (id, deliveries) in &events {
                let taken = query::execute(conn, "DELETE FROM webhook_events WHERE id = ?1", [id])?;
                if taken == 0 {
                    continue;
                }
                for delivery in deliveries {
                    insert(conn, delivery, now)?;
                }
            }
            Ok(())
        })
        .await
    }
}

fn pending(conn: &Connection, limit: u32) -> Result<Vec<PendingEvent>> {
    let sql = "SELECT id, event, at, seq, detail FROM webhook_events ORDER BY id LIMIT ?1";
    let read = read_row!(PendingEvent => id, event, at, seq, detail; request: None);
    let mut events: Vec<_> = query::all(conn, sql, [limit], read)?;
    for event in &mut events {
        let request = requests::still_stored(conn, event.seq)?;
        event.request = request.filter(|request| request.held.is_none());
    }
    Ok(events)
}

fn insert(conn: &Connection, delivery: &NewDelivery, now: Time) -> Result<()> {
    let mut due = now;
    if let Some(text) = &delivery.chat
        && are_many(conn, delivery, now)?
    {
        if add_to_next(conn, delivery, text)? {
            return Ok(());
        }
        due = now.plus_millis(MINUTE_MS);
    }
    let sql =
        "INSERT INTO webhook_deliveries (endpoint, message, event, seq, body, created_at, due_at)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
        WHERE EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = ?1)";
    let values = params![
        delivery.endpoint,
        format!("msg_{}", ids::new(now).simple()),
        delivery.event,
        delivery.seq,
        delivery.body,
        now.to_string(),
        due.to_string()
    ];
    query::run(conn, sql, values)
}

/// Whether a chat room has got so many messages lately that it gets one a minute.
fn are_many(conn: &Connection, delivery: &NewDelivery, now: Time) -> Result<bool> {
    let since = now.plus_millis(-10 * MINUTE_MS).to_string();
    let sql = "SELECT created_at > ?2 FROM webhook_deliveries WHERE endpoint = ?1
        ORDER BY id DESC LIMIT 1 OFFSET ?3 + 0";
    let last = params![delivery.endpoint, since, MAX_SINGLE - 1];
    let is_recent = query::optional(conn, sql, last, |row| row.get(0))?;
    Ok(is_recent.unwrap_or(false))
}

/// Adds a text to the message that waits for its minute; returns whether there is one.
fn add_to_next(conn: &Connection, delivery: &NewDelivery, text: &ChatText) -> Result<bool> {
    let sql = "SELECT id, body FROM webhook_deliveries
        WHERE endpoint = ?1 AND state = 'due' AND attempts = 0 AND due_at > created_at
        ORDER BY id DESC LIMIT 1";
    let found: Option<(i64, String)> =
        query::optional(conn, sql, [&delivery.endpoint], |row| row.try_into())?;
    let Some((id, body)) = found else {
        return Ok(false);
    };
    let waiting: ChatText = serde_json::from_str(&body).map_err(|_| Error::Failed)?;
    let update = "UPDATE webhook_deliveries SET body = ?2, seq = NULL WHERE id = ?1";
    query::execute(conn, update, params![id, row::text(&waiting.with(text))?])?;
    Ok(true)
}
