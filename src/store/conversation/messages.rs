//! A customer's message: an event of the request, which wakes the office.

use rusqlite::Connection;
use serde_json::json;

use crate::request::announcements::announce;
use crate::request::writes::set;
use crate::request::{events, requests, waits};
use crate::search::index;
use crate::{Result, Store};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::{Correction, Event, Message, Moved};
use domain::request::quote::Status;

/// Records a message in the history of a request; returns its event. One that a program wrote
/// (`is_automatic`) causes no notice. One that `counts` is the customer's, as far as that can be
/// verified: it starts the clock of the next answer, and opens a closed request again.
pub(crate) fn record(
    conn: &Connection,
    request: &Request,
    mut message: Message,
    is_automatic: bool,
    now: Time,
) -> Result<i64> {
    let is_held = request.held.is_some();
    let counts = message.counts && !is_automatic && !is_held;
    message.counts = counts;
    if is_automatic {
        return events::add(conn, request, None, &Event::AutoReplied(message), now);
    }
    let event = events::add(conn, request, None, &Event::Wrote(message), now)?;
    if !is_held {
        let detail = json!({ "event": event, "verified": counts });
        announce(
            conn,
            "reply.received",
            Some(request.seq),
            Some(&detail),
            now,
        )?;
    }
    if counts {
        reopen(conn, request, "The customer has written again.", now)?;
    }
    index::reindex(conn, request.seq)?;
    Ok(event)
}

/// Opens a closed request again, whose customer has written or accepted an offer.
pub(crate) fn reopen(conn: &Connection, request: &Request, reason: &str, now: Time) -> Result<()> {
    if request.status.is_open() {
        return Ok(());
    }
    let moved = Moved {
        correction: Some(Correction::Reopen),
        reason: Some(reason.to_owned()),
        ..Moved::plain(request.status, Status::InProgress)
    };
    put_in_progress(conn, request, moved, now)
}

/// Moves a request to in progress by what its customer has done.
pub(crate) fn put_in_progress(
    conn: &Connection,
    request: &Request,
    moved: Moved,
    now: Time,
) -> Result<()> {
    set(conn, request, "status", Some(moved.to.as_str()))?;
    set(conn, request, "updated_at", Some(&now.to_string()))?;
    events::add(conn, request, None, &Event::Moved(moved), now).map(drop)
}

impl Store {
    /// Marks the messages of a request as opened by `reader`. It stays unread while one waits that
    /// no clock counts. Errors: `Missing` for an unknown request.
    pub async fn mark_read(&self, id: String, reader: String, now: Time) -> Result<()> {
        let known = id.clone();
        let is_unopened = self.read(move |conn| {
            let request = requests::find(conn, &known)?;
            Ok(request.unread && waits::of_request(conn, request.seq)?.is_unopened)
        });
        if !is_unopened.await? {
            return Ok(());
        }
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            waits::mark_opened(conn, request.seq, &reader, now)
        })
        .await
    }
}
