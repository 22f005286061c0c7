//! Undo of one's own change, as long as it is new and the same was not changed since.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::writes::{Mover, record, set};
use super::{events, held_requests, replies, requests};
use crate::domain::clock::Time;
use crate::domain::event::{Event, UNDO_MS, in_effect};
use crate::domain::quote::Status;
use crate::domain::request::Request;
use crate::store::search::index;
use crate::store::{Error, Result, Store, request_files, request_notes};

/// Why nothing was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoRefusal {
    /// There is no change of the caller's that can be undone.
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
    /// What is left to undo.
    pub next: Option<BulkPart>,
}

/// Requests whose part of a bulk change is undone in one transaction.
const BULK_UNDO: usize = 500;

/// A bulk change, or what is left of it after the requests up to a `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkPart {
    /// The number of the bulk change.
    pub bulk: i64,
    /// Where the part before ended.
    pub after: Option<i64>,
}

impl BulkPart {
    /// As the API gives and takes it: `123`, or `123.45` for what is left after `seq` 45.
    pub fn parse(text: &str) -> Option<Self> {
        let (bulk, after) = match text.split_once('.') {
            Some((bulk, after)) => (bulk, Some(after.parse().ok()?)),
            None => (text, None),
        };
        let bulk = bulk.parse().ok()?;
        Some(Self { bulk, after })
    }
}

impl std::fmt::Display for BulkPart {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.after {
            Some(after) => write!(formatter, "{}.{after}", self.bulk),
            None => write!(formatter, "{}", self.bulk),
        }
    }
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
            undo_one(conn, &request, (&history, event), &by, (now, now))
        })
        .await
    }

    /// Undoes the caller's bulk change with this number, at most `BULK_UNDO` requests of it: those
    /// after the `seq` of the part before, whose `next` this was.
    ///
    /// # Errors
    /// `Missing` if the caller made no such change.
    pub async fn undo_bulk(&self, part: BulkPart, by: Mover, now: Time) -> Result<BulkUndo> {
        self.write(move |conn| {
            let mut result = BulkUndo::default();
            if !events::is_bulk_of(conn, part.bulk, &by.user_id)? {
                return Err(Error::Missing);
            }
            // All of it can be undone as long as its end can, and what was begun is finished.
            let end = events::end_of_bulk(conn, part.bulk)?;
            let minutes = if part.after.is_some() { 2 } else { 1 };
            let is_late = end.plus_millis(minutes * UNDO_MS) < now;
            let after = (part.bulk, part.after.unwrap_or(i64::MIN));
            let requests = events::of_bulk(conn, after, &by.user_id, BULK_UNDO)?;
            let last = requests.last().map(|(seq, _)| *seq);
            let is_full = requests.len() == BULK_UNDO;
            for (seq, ids) in requests {
                let Some(mut request) = found(requests::by_seq(conn, seq))? else {
                    continue;
                };
                let mut refusal = None;
                for id in ids {
                    let history = events::of_request(conn, seq)?;
                    let at = history.iter().find(|event| event.id == id);
                    let at = at.filter(|_| !is_late).map_or(now, |event| event.at);
                    match undo_one(conn, &request, (&history, Some(id)), &by, (at, now))? {
                        Ok(undone) => request = *undone,
                        Err(why) => refusal = Some(why),
                    }
                }
                match refusal {
                    None => result.undone.push(request.id),
                    Some(why) => result.refused.push((Box::new(request), why)),
                }
            }
            result.next = last.filter(|_| is_full).map(|seq| BulkPart {
                after: Some(seq),
                ..part
            });
            Ok(result)
        })
        .await
    }
}

/// `None` for a request that was deleted.
fn found(request: Result<Request>) -> Result<Option<Request>> {
    match request {
        Err(Error::Missing) => Ok(None),
        found => found.map(Some),
    }
}

/// Undoes an event of the history, or the caller's last change that is in effect, as if it were
/// `at`; it is recorded at `now`.
fn undo_one(
    conn: &Connection,
    request: &Request,
    (history, event): (&[Event], Option<i64>),
    by: &Mover,
    (at, now): (Time, Time),
) -> Result<Result<Box<Request>, UndoRefusal>> {
    let is_own = |event: &&Event| event.actor.as_deref() == Some(&by.user_id);
    let found = in_effect(history)
        .into_iter()
        .rev()
        .filter(|event| event.is_reversible())
        .filter(is_own)
        .find(|own| event.is_none_or(|id| own.id == id));
    let Some(event) = found else {
        return Ok(Err(UndoRefusal::Nothing));
    };
    if let Some(later) = event.replaced_by(history) {
        return Ok(Err(match is_own(&later) {
            true => UndoRefusal::Nothing,
            false => UndoRefusal::ChangedSince {
                by: later.actor_email.clone(),
            },
        }));
    }
    if event.undoable_until(&by.user_id, history, at).is_none() {
        return Ok(Err(UndoRefusal::TooLate));
    }
    if let Err(refusal) = revert(conn, request, (event, history), by, now)? {
        return Ok(Err(refusal));
    }
    Ok(Ok(Box::new(requests::by_seq(conn, request.seq)?)))
}

/// Sets what the event changed to what it was before, and records that; or refuses to.
fn revert(
    conn: &Connection,
    request: &Request,
    (event, history): (&Event, &[Event]),
    by: &Mover,
    now: Time,
) -> Result<Result<(), UndoRefusal>> {
    let text = |key: &str| event.detail.get(key).and_then(Value::as_str);
    let too_late = |is_undone: bool| match is_undone {
        true => Ok(()),
        false => Err(UndoRefusal::TooLate),
    };
    let undone = match event.verb.as_str() {
        "moved" => set(conn, request, "status", text("from")).map(Ok)?,
        "assigned" => set(conn, request, "assignee", text("from")).map(Ok)?,
        "called" => undo_call(conn, request, event).map(Ok)?,
        "replied" => too_late(replies::undo(conn, event.id)?),
        "note_deleted" => request_notes::restore(conn, event).map(Ok)?,
        "file_removed" => too_late(request_files::restore(conn, event.id)?),
        "released" => match used_since(event, history) {
            Some(refusal) => Err(refusal),
            None => too_late(held_requests::undo_release(conn, request, event, now)?),
        },
        "discarded" if request.held.is_none() => {
            // It was released since, which anybody may do.
            let released = history.iter().rfind(|other| other.verb == "released");
            let by = released.and_then(|event| event.actor_email.clone());
            Err(UndoRefusal::ChangedSince { by })
        }
        "discarded" => set(conn, request, "status", Some(Status::Pending.as_str())).map(Ok)?,
        _ => Err(UndoRefusal::Nothing),
    };
    if undone.is_err() {
        return Ok(undone);
    }
    set(conn, request, "updated_at", Some(&now.to_string()))?;
    index::reindex(conn, request.seq)?;
    let detail = json!({
        "verb": event.verb,
        "event": event.id,
        "from": event.detail.get("to"),
        "to": event.detail.get("from"),
    });
    record(conn, request, "undone", detail, (by, None, now))?;
    Ok(Ok(()))
}

/// The customer is answered as before the call.
fn undo_call(conn: &Connection, request: &Request, call: &Event) -> Result<()> {
    if call.detail.get("answered") == Some(&Value::Bool(true)) {
        // A reply that left since answers whoever wants no call.
        let by_reply = request.emailed_at.as_deref();
        let answered = by_reply.filter(|_| !request.emergency_contact);
        set(conn, request, "answered_at", answered)?;
    }
    if let Some(reply) = call.detail.get("failed_reply").and_then(Value::as_i64) {
        set(conn, request, "failed_reply", Some(&reply.to_string()))?;
    }
    Ok(())
}

/// Why a release cannot be undone: somebody has worked on the request since.
fn used_since(release: &Event, history: &[Event]) -> Option<UndoRefusal> {
    let is_work = |event: &&Event| {
        let verbs = ["moved", "assigned", "called", "replied"];
        event.id > release.id && verbs.contains(&event.verb.as_str())
    };
    let later = in_effect(history).into_iter().rfind(is_work)?;
    let by = later.actor_email.clone();
    Some(UndoRefusal::ChangedSince { by })
}
