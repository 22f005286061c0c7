//! Undo of one's own last change, as long as it is new and nobody has changed the same since.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::request_writes::{Mover, record, set};
use super::{Result, Store, events, replies, requests, search_index};
use crate::domain::clock::Time;
use crate::domain::event::Event;
use crate::domain::quote::Status;
use crate::domain::request::Request;

/// Why nothing was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoRefusal {
    /// The caller has changed nothing that can be undone.
    Nothing,
    /// The change is more than a minute old.
    TooLate,
    /// The same was changed since.
    ChangedSince {
        /// The address of who did it; none if the account was deleted, or for the server.
        by: Option<String>,
    },
}

/// The result of the undo of a bulk change.
#[derive(Clone, Debug, Default)]
pub struct BulkUndo {
    /// The ids of the requests that are as they were before.
    pub undone: Vec<String>,
    /// The others, and why.
    pub refused: Vec<(Box<Request>, UndoRefusal)>,
}

impl Store {
    /// Undoes the caller's event with this id, or their last one, on a request.
    ///
    /// # Errors
    /// `Missing` for an unknown request.
    pub async fn undo(
        &self,
        id: String,
        event: Option<i64>,
        by: Mover,
        now: Time,
    ) -> Result<Result<Box<Request>, UndoRefusal>> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let history = events::of_request(conn, request.seq)?;
            undo_one(conn, &request, &history, event, &by, now)
        })
        .await
    }

    /// Undoes the caller's bulk change with this number.
    ///
    /// # Errors
    /// `Missing` if the caller made no such change.
    pub async fn undo_bulk(&self, bulk: i64, by: Mover, now: Time) -> Result<BulkUndo> {
        self.write(move |conn| {
            let mut result = BulkUndo::default();
            for (seq, ids) in events::of_bulk(conn, bulk, &by.user_id)? {
                let mut request = requests::by_seq(conn, seq)?;
                let mut refusal = None;
                for id in ids {
                    let history = events::of_request(conn, seq)?;
                    match undo_one(conn, &request, &history, Some(id), &by, now)? {
                        Ok(undone) => request = *undone,
                        Err(why) => refusal = Some(why),
                    }
                }
                match refusal {
                    None => result.undone.push(request.id),
                    Some(why) => result.refused.push((Box::new(request), why)),
                }
            }
            Ok(result)
        })
        .await
    }
}

fn undo_one(
    conn: &Connection,
    request: &Request,
    history: &[Event],
    event: Option<i64>,
    by: &Mover,
    now: Time,
) -> Result<Result<Box<Request>, UndoRefusal>> {
    let is_own = |event: &&Event| event.actor.as_deref() == Some(&by.user_id);
    let is_change = |event: &&Event| {
        matches!(
            event.verb.as_str(),
            "moved" | "assigned" | "called" | "replied" | "discarded"
        )
    };
    let mut own = history.iter().rev().filter(is_own).filter(is_change);
    let found = match event {
        Some(id) => own.find(|event| event.id == id),
        None => own.next(),
    };
    let Some(event) = found else {
        return Ok(Err(UndoRefusal::Nothing));
    };
    let newest = history
        .iter()
        .rfind(|other| other.subject() == event.subject());
    if let Some(newest) = newest.filter(|newest| newest.id != event.id) {
        return Ok(Err(match newest.actor.as_deref() == Some(&by.user_id) {
            true => UndoRefusal::Nothing,
            false => UndoRefusal::ChangedSince {
                by: newest.actor_email.clone(),
            },
        }));
    }
    if event.undoable_until(&by.user_id, history, now).is_none() {
        return Ok(Err(UndoRefusal::TooLate));
    }
    if event.verb == "replied" && !replies::undo(conn, event.id)? {
        return Ok(Err(UndoRefusal::TooLate));
    }
    let is_discarded = request.held.is_some() && request.status == Status::Cancelled;
    if event.verb == "discarded" && !is_discarded {
        // It was released since, which anybody may do.
        let released = history.iter().rfind(|other| other.verb == "released");
        let by = released.and_then(|event| event.actor_email.clone());
        return Ok(Err(UndoRefusal::ChangedSince { by }));
    }
    revert(conn, request, event, by, now)?;
    Ok(Ok(Box::new(requests::by_seq(conn, request.seq)?)))
}

/// Sets what the event changed to what it was before, and records that.
fn revert(
    conn: &Connection,
    request: &Request,
    event: &Event,
    by: &Mover,
    now: Time,
) -> Result<()> {
    let text = |key: &str| event.detail.get(key).and_then(Value::as_str);
    match event.verb.as_str() {
        "moved" => set(conn, request, "status", text("from"))?,
        "assigned" => set(conn, request, "assignee", text("from"))?,
        "discarded" => set(conn, request, "status", Some(Status::Pending.as_str()))?,
        _ if event.detail.get("answered") == Some(&Value::Bool(true)) => {
            set(conn, request, "answered_at", None)?;
        }
        _ => {}
    }
    if let Some(reply) = event.detail.get("failed_reply").and_then(Value::as_i64) {
        set(conn, request, "failed_reply", Some(&reply.to_string()))?;
    }
    set(conn, request, "updated_at", Some(&now.to_string()))?;
    search_index::reindex(conn, request.seq)?;
    let detail = json!({
        "verb": event.verb,
        "event": event.id,
        "from": event.detail.get("to"),
        "to": event.detail.get("from"),
    });
    record(conn, request, "undone", detail, (by, None, now))?;
    Ok(())
}
