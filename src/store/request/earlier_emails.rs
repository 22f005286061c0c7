//! The Message-IDs that an email of ours names in `References` (RFC 5322, section 3.6.4).

use rusqlite::Connection;

use crate::Result;
use crate::request::events;
use crate::request::requests;
use domain::email::message_id::EmailId;
use domain::request::event::{EmailState, Event};
use domain::request::history::HistoryEvent;

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

fn of_event(event: &HistoryEvent) -> Vec<EmailId> {
    let sent = match &event.event {
        Event::Wrote(message) => {
            let all = message.references.iter().chain(&message.message_id);
            return all.cloned().map(EmailId::Other).collect();
        }
        Event::Replied(_) | Event::OfferSent(_) => event.event.delivery(),
        Event::Emailed(email) if email.kind == "acknowledgement" => Some(&email.delivery),
        _ => None,
    };
    let sent = sent.filter(|email| email.state == EmailState::Delivered);
    let id = sent.and_then(|email| email.email_id);
    id.map(EmailId::Ours).into_iter().collect()
}
