//! Events that other systems are told of (`webhooks`), recorded in the transaction of their cause.

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::{Result, query};
use domain::clock::Time;

/// Records an event for webhooks, if there are any. `event` is one of `domain::webhook::EVENTS`.
/// Call it inside the `write` job of its cause.
pub(crate) fn announce(
    conn: &Connection,
    event: &str,
    seq: Option<i64>,
    detail: Option<&Value>,
    now: Time,
) -> Result<()> {
    let sql = "INSERT INTO webhook_events (event, seq, at, detail)
        SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM webhook_endpoints)";
    let values = params![event, seq, now.to_string(), detail.map(Value::to_string)];
    query::run(conn, sql, values)
}
