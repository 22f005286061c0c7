//! Replies to visitors: stored as an event with its email, which is delayed so that it can be
//! undone.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::events;
use super::events::NewEvent;
use super::{follow_ups, requests};
use crate::domain::clock::Time;
use crate::domain::event::{EMAIL_DELAY_MS, Event};
use crate::domain::notice::Notice;
use crate::domain::request::Request;
use crate::store::inbox::drafts;
use crate::store::search::index;
use crate::store::{Error, Result, Store, outbox};

/// The same reply of the same admin within this time is a second click or a lost response.
const SAME_REPLY_MS: i64 = 10 * 60 * 1000;

/// A reply to be sent.
#[derive(Clone, Debug)]
pub struct NewReply {
    /// The subject, on one line.
    pub subject: String,
    pub text: String,
}

/// A stored reply with the data of its email.
#[derive(Clone, Debug)]
pub struct StoredReply {
    pub request: Request,
    pub subject: String,
    pub text: String,
    /// The ids of the earlier emails to the visitor about this request, oldest first.
    pub earlier: Vec<i64>,
}

impl Store {
    /// Stores a reply by `actor`, a user's id. It is sent after `EMAIL_DELAY_MS`. Errors: `Missing`
    /// for an unknown id or reference; `Conflict` if the request is held.
    pub async fn reply(
        &self,
        id_or_reference: String,
        reply: NewReply,
        actor: String,
        now: Time,
    ) -> Result<Event> {
        self.write(move |conn| {
            let request = requests::find(conn, &id_or_reference)?;
            if request.held.is_some() {
                let detail = "This request is held as spam. Release it, then reply.";
                return Err(Error::Conflict(detail.to_owned()));
            }
            match same_reply(conn, &request, &reply, &actor, now)? {
                Some(event) => Ok(event),
                None => {
                    drafts::forget(conn, &actor, request.seq, "reply")?;
                    let event = insert(conn, &request, &reply, &actor, now)?;
                    index::reindex(conn, request.seq)?;
                    Ok(event)
                }
            }
        })
        .await
    }

    /// The reply of an event. Errors: `Missing` if the event or its request no longer exists.
    pub async fn stored_reply(&self, event: i64) -> Result<StoredReply> {
        self.read(move |conn| {
            let found = events::by_id(conn, event)?;
            let text = |key: &str| {
                found
                    .detail
                    .get(key)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            };
            Ok(StoredReply {
                request: requests::by_seq(conn, found.seq)?,
                subject: text("subject").to_owned(),
                text: text("text").to_owned(),
                earlier: earlier_emails(conn, found.seq, event)?,
            })
        })
        .await
    }
}

fn insert(
    conn: &Connection,
    request: &Request,
    reply: &NewReply,
    actor: &str,
    now: Time,
) -> Result<Event> {
    let email_id = outbox::next_id(conn, now)?;
    let follow_up = follow_ups::end_due(conn, request)?;
    let detail = json!({
        "subject": reply.subject,
        "text": reply.text,
        "to": request.email,
        "state": "queued",
        "at": null,
        "error": null,
        "email_id": email_id,
        "follow_up": follow_up,
    });
    let detail = detail.as_object().ok_or(Error::Failed)?;
    let event = NewEvent {
        seq: request.seq,
        kind: request.kind,
        actor: Some(actor),
        verb: "replied",
        detail,
        bulk: None,
    };
    let id = events::record(conn, &event, now)?;
    let notice = Notice::Reply {
        id: request.id.clone(),
    };
    let due = now.plus_millis(EMAIL_DELAY_MS);
    outbox::insert(conn, email_id, &notice, now, due, Some(id))?;
    events::by_id(conn, id)
}

/// The last reply of this admin, if it is the same and was not undone.
fn same_reply(
    conn: &Connection,
    request: &Request,
    reply: &NewReply,
    actor: &str,
    now: Time,
) -> Result<Option<Event>> {
    let history = events::of_request(conn, request.seq)?;
    let is_reply = |event: &Event| event.verb == "replied" && event.actor.as_deref() == Some(actor);
    let Some(last) = history.into_iter().rfind(is_reply) else {
        return Ok(None);
    };
    let is = |key: &str, value: &str| last.detail.get(key).and_then(Value::as_str) == Some(value);
    let is_same =
        is("subject", &reply.subject) && is("text", &reply.text) && !is("state", "undone");
    let is_recent = last.at.plus_millis(SAME_REPLY_MS) > now;
    Ok((is_same && is_recent).then_some(last))
}

/// Undoes a reply that was not sent. Call it inside the `write` job that records it. False if the
/// reply is being sent or was sent.
pub(in crate::store) fn undo(conn: &Connection, event: i64) -> Result<bool> {
    let deleted = conn
        .prepare_cached(
            "DELETE FROM outbox WHERE event = ?1 AND kind = 'reply' AND state = 'due'
                AND attempts = 0
               AND id = (SELECT detail ->> 'email_id' FROM events WHERE id = ?1)",
        )?
        .execute([event])?;
    if deleted > 0 {
        super::emails::set_state(conn, Some(event), "undone", None)?;
    }
    Ok(deleted > 0)
}

fn earlier_emails(conn: &Connection, seq: i64, event: i64) -> Result<Vec<i64>> {
    let mut find = conn.prepare_cached(
        "SELECT detail ->> 'email_id' FROM events
         WHERE seq = ?1 AND id < ?2 AND detail ->> 'state' = 'delivered'
           AND (verb = 'replied' OR (verb = 'emailed' AND detail ->> 'kind' = 'acknowledgement'))
         ORDER BY id",
    )?;
    let ids = find.query_map([seq, event], |row| row.get(0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}
