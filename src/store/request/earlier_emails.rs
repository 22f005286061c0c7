//! The Message-IDs that an email of ours names in `References` (RFC 5322, section 3.6.4).

use rusqlite::Connection;
use serde_json::Value;

use crate::Result;
use crate::request::events;
use crate::request::requests;
use domain::email::message_id::EmailId;
use domain::request::event::Event;

/// The emails of a request and of its duplicates before `event`, oldest first: those of ours that
/// were accepted, and the customer's with those that they name.
pub(crate) fn before(conn: &Connection, seq: i64, event: i64) -> Result<Vec<EmailId>> {
    let mut history = events::of_request(conn, seq)?;
    for duplicate in requests::duplicates(conn, seq)? {
        history.extend(events::of_request(conn, duplicate.seq)?);
    }
    history.retain(|earlier| earlier.id < event);
    history.sort_by_key(|event| event.id);
    let mut found: Vec<EmailId> = Vec::new();
    for earlier in history.iter().flat_map(of_event) {
        if !found.contains(&earlier) {
            found.push(earlier);
        }
    }
    Ok(found)
}

fn of_event(event: &Event) -> Vec<EmailId> {
    let value = |key: &str| event.detail.get(key);
    let text = |key: &str| value(key).and_then(Value::as_str);
    let is_acknowledgement = event.verb == "emailed" && text("kind") == Some("acknowledgement");
    let is_ours = ["replied", "offer_sent"].contains(&event.verb.as_str()) || is_acknowledgement;
    match event.verb.as_str() {
        _ if is_ours && text("state") == Some("delivered") => {
            let id = value("email_id").and_then(Value::as_i64);
            id.map(EmailId::Ours).into_iter().collect()
        }
        "wrote" => {
            let named = value("references").and_then(Value::as_array);
            let named = named.into_iter().flatten().filter_map(Value::as_str);
            let all = named.chain(text("message_id"));
            all.map(|id| EmailId::Other(id.to_owned())).collect()
        }
        _ => Vec::new(),
    }
}
