//! A message passed on to a colleague, by email.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::accounts::actor::Actor;
use crate::request::writes::record;
use crate::request::{events, requests};
use crate::storage::objects;
use crate::{Error, Result, Store, outbox};
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::request::Request;
use domain::request::event::{Delivery, Event, Forwarded, Message};
use domain::request::history::HistoryEvent;
use domain::storage::{MAIL, MAX_FILE_BYTES, ScanState};

/// A message to pass on, with the data of its email.
#[derive(Clone, Debug)]
pub struct StoredForward {
    pub request: Request,
    /// The recipient.
    pub to: String,
    /// What the person who passes it on adds.
    pub note: String,
    /// The person who passes it on.
    pub by: String,
    /// The customer's message.
    pub message: HistoryEvent,
    /// Its files that fit into the email: `[{name, media_type, sha256}]`.
    pub files: Value,
}

impl Store {
    /// Passes the message of an event on to `to`; returns the event. Errors: `Missing` for an
    /// unknown request, or if it has no such message.
    pub async fn forward_message(
        &self,
        id: String,
        message: i64,
        to: String,
        note: String,
        by: Actor,
        now: Time,
    ) -> Result<HistoryEvent> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let found = events::by_id(conn, message)?;
            let is_shown = requests::by_seq(conn, found.seq)?;
            let is_own = requests::find(conn, &is_shown.id)?.seq == request.seq;
            if !is_own || found.event.message().is_none() {
                return Err(Error::Missing);
            }
            let email_id = outbox::next_id(conn, now)?;
            let forwarded = Forwarded {
                to: to.clone(),
                note,
                message,
                delivery: Delivery::queued(email_id),
            };
            let event = record(conn, &request, Event::Forwarded(forwarded), by.at(now))?;
            let notice = Notice::Forward {
                id: request.id.clone(),
                to,
            };
            outbox::insert(conn, email_id, &notice, now, now, Some(event.id))?;
            Ok(event)
        })
        .await
    }

    /// The data of the email of a `forwarded` event. Errors: `Missing` if something of it no longer
    /// exists.
    pub async fn stored_forward(&self, event: i64) -> Result<StoredForward> {
        self.read(move |conn| {
            let found = events::by_id(conn, event)?;
            let by = found.actor_shown();
            let Event::Forwarded(Forwarded {
                to, note, message, ..
            }) = found.event
            else {
                return Err(Error::Missing);
            };
            let message = events::by_id(conn, message)?;
            Ok(StoredForward {
                files: files(conn, message.event.message().ok_or(Error::Missing)?)?,
                request: requests::by_seq(conn, found.seq)?,
                to,
                note,
                by,
                message,
            })
        })
        .await
    }
}

/// The stored files of a message, up to the size that emails carry.
fn files(conn: &Connection, message: &Message) -> Result<Value> {
    let (mut files, mut size) = (Vec::new(), 0);
    for key in message.files.iter().filter_map(|file| file.key.as_ref()) {
        let Some(object) = objects::find(conn, MAIL, key)? else {
            continue;
        };
        size += object.size;
        if size > MAX_FILE_BYTES || object.scan == ScanState::Infected {
            break;
        }
        files.push(json!({
            "name": object.shown_name(),
            "media_type": object.media_type,
            "sha256": object.sha256,
        }));
    }
    Ok(files.into())
}
