//! A customer's message: an event of the request, which wakes the office.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::request::announcements::announce;
use crate::request::events::NewEvent;
use crate::request::writes::set;
use crate::request::{events, requests, waits};
use crate::search::index;
use crate::{Error, Result, Store};
use domain::account::Metadata;
use domain::clock::Time;
use domain::request::Request;
use domain::request::quote::Status;

/// A message to record.
pub(crate) struct NewMessage {
    /// `{text, folded, subject, from, name, via, files, …}`.
    pub detail: Metadata,
    /// Whether a program wrote it: it causes no notice.
    pub is_automatic: bool,
    /// Whether the customer wrote it, as far as that can be verified: it starts the clock of the
    /// next answer.
    pub counts: bool,
}

/// Records a message in the history of a request; returns its event. A verified message of the
/// customer opens a closed request again.
pub(crate) fn record(
    conn: &Connection,
    request: &Request,
    message: NewMessage,
    now: Time,
) -> Result<i64> {
    let NewMessage {
        mut detail,
        is_automatic,
        counts,
    } = message;
    let is_held = request.held.is_some();
    let counts = counts && !is_automatic && !is_held;
    detail.insert("counts".to_owned(), counts.into());
    let verb = if is_automatic {
        "auto_replied"
    } else {
        "wrote"
    };
    let event = insert(conn, request, verb, &detail, now)?;
    if is_automatic {
        return Ok(event);
    }
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

/// Records an event without an actor.
pub(crate) fn insert(
    conn: &Connection,
    request: &Request,
    verb: &str,
    detail: &Metadata,
    now: Time,
) -> Result<i64> {
    let event = NewEvent {
        seq: request.seq,
        kind: request.kind,
        actor: None,
        verb,
        detail,
        bulk: None,
    };
    events::record(conn, &event, now)
}

/// Opens a closed request again, whose customer has written or accepted an offer.
pub(crate) fn reopen(conn: &Connection, request: &Request, reason: &str, now: Time) -> Result<()> {
    if request.status.is_open() {
        return Ok(());
    }
    let detail = json!({ "correction": "reopen", "reason": reason });
    put_in_progress(conn, request, detail, now)
}

/// Moves a request to in progress by what its customer has done.
pub(crate) fn put_in_progress(
    conn: &Connection,
    request: &Request,
    mut detail: Value,
    now: Time,
) -> Result<()> {
    set(conn, request, "status", Some(Status::InProgress.as_str()))?;
    set(conn, request, "updated_at", Some(&now.to_string()))?;
    detail["from"] = request.status.as_str().into();
    detail["to"] = Status::InProgress.as_str().into();
    let detail = detail.as_object().ok_or(Error::Failed)?;
    insert(conn, request, "moved", detail, now).map(drop)
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
