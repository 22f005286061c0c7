//! What a customer has written is set aside: a person says that it needs no answer.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::writes::{Actor, record, set};
use super::{ChangedRequest, changed};
use crate::inbox::{acceptances, requests, waiting};
use crate::{Result, Store};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::Event;

impl Store {
    /// Records that the messages of a request need no answer. Does nothing if none waits. Errors:
    /// `Missing` for an unknown request.
    pub async fn set_aside(&self, id: String, by: Actor, now: Time) -> Result<ChangedRequest> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let mut event = None;
            if waiting::has_message(conn, &request)? {
                let detail = json!({ "unanswered": request.unanswered });
                event = Some(record(conn, &request, "set_aside", detail, by.at(now))?.id);
                let accepted = acceptances::waiting(conn, request.seq)?;
                let accepted = accepted.map(|event| event.to_string());
                set(conn, &request, "unanswered", accepted.as_deref())?;
                waiting::mark_opened(conn, &request, &by.user_id, now)?;
                waiting::settle(conn, &request)?;
            }
            changed(conn, request.seq, event)
        })
        .await
    }
}

/// The message whose answer was awaited is awaited again.
pub(super) fn restore(conn: &Connection, request: &Request, event: &Event) -> Result<()> {
    match event.detail.get("unanswered").and_then(Value::as_i64) {
        Some(message) => set(conn, request, "unanswered", Some(&message.to_string())),
        None => Ok(()),
    }
}
