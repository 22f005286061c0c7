//! Undo of an admin's own recent change, unless a later change replaces it.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::{edits, follow_ups, merges, outcomes, quoting};
use crate::accounts::actor::Actor;
use crate::inbox::replies;
use crate::inbox::spam::held_requests;
use crate::inbox::{files, notes};
use crate::on_call::acknowledge::raise_again;
use crate::request::acceptances;
use crate::request::events::BulkEvents;
use crate::request::sent_offers;
use crate::request::waits;
use crate::request::writes::{Origin, record, set};
use crate::request::{events, requests};
use crate::search::index;
use crate::{Error, Result, Store};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::{Event, UNDO_MS, in_effect};
use domain::request::quote::Status;

/// Why nothing was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoRefusal {
    /// The caller has made no such change.
    Nothing,
    /// The change is more than a minute old.
    TooLate,
    /// A later change replaces it.
    ChangedSince {
        /// The address of its author; `None` if the account was deleted, or for the server.
        by: Option<String>,
    },
}

/// The result of the undo of a bulk change.
#[derive(Clone, Debug, Default)]
pub struct BulkUndo {
    /// The ids of the restored requests.
    pub undone: Vec<String>,
    /// The others, with the reasons.
    pub refused: Vec<(Box<Request>, UndoRefusal)>,
    /// The token of the rest.
    pub next: Option<BulkPart>,
}

/// Requests whose part of a bulk change is undone in one transaction.
const BULK_UNDO: usize = 500;

/// A bulk change, or the rest of it after the requests up to a `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkPart {
    /// The number of the bulk change.
    pub bulk: i64,
    /// The last `seq` of the previous part.
    pub after: Option<i64>,
}

impl BulkPart {
    /// The format of the API: `123`, or `123.45` for the rest after `seq` 45.
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
    /// Undoes the caller's event with this id, or their last one, on a request. Errors: `Missing`
    /// for an unknown request.
    pub async fn undo(
        &self,
        id: String,
        event: Option<i64>,
        by: Actor,
        now: Time,
    ) -> Result<Result<Box<Request>, UndoRefusal>> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let history = events::of_request(conn, request.seq)?;
            undo_one(conn, &request, &history, event, by.at(now), now)
        })
        .await
    }

    /// Undoes the caller's bulk change with this number, at most `BULK_UNDO` requests of it: those
    /// after the `seq` of the previous part. Errors: `Missing` if the caller made no such change.
    pub async fn undo_bulk(&self, part: BulkPart, by: Actor, now: Time) -> Result<BulkUndo> {
        self.write(move |conn| {
            let mut result = BulkUndo::default();
            if !events::is_bulk_of(conn, part.bulk, &by.user_id)? {
                return Err(Error::Missing);
            }
            // All of it can be undone as long as its end can, and an undo that has begun can be
            // completed.
            let end = events::end_of_bulk(conn, part.bulk)?;
            let minutes = if part.after.is_some() { 2 } else { 1 };
            let is_late = end.plus_millis(minutes * UNDO_MS) < now;
            let after = part.after.unwrap_or(i64::MIN);
            let requests = events::of_bulk(conn, part.bulk, &by.user_id, after, BULK_UNDO)?;
            let last = requests.last().map(|changed| changed.seq);
            let is_full = requests.len() == BULK_UNDO;
            for BulkEvents { seq, ids } in requests {
                let Some(mut request) = found(requests::by_seq(conn, seq))? else {
                    continue;
                };
                let mut refusal = None;
                for id in ids {
                    let history = events::of_request(conn, seq)?;
                    let at = history.iter().find(|event| event.id == id);
                    let at = at.filter(|_| !is_late).map_or(now, |event| event.at);
                    match undo_one(conn, &request, &history, Some(id), by.at(now), at)? {
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

/// Undoes an event of the history, or the caller's last change that is in effect, by the rules at
/// the time `at`.
fn undo_one(
    conn: &Connection,
    request: &Request,
    history: &[Event],
    event: Option<i64>,
    origin: Origin<'_>,
    at: Time,
) -> Result<Result<Box<Request>, UndoRefusal>> {
    let by = origin.by;
    let is_own = |event: &&Event| event.is_by(&by.user_id);
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
                by: Some(later.actor_shown()),
            },
        }));
    }
    if event.undoable_until(&by.user_id, history, at).is_none() {
        return Ok(Err(UndoRefusal::TooLate));
    }
    if let Err(refusal) = revert(conn, request, event, history, origin)? {
        return Ok(Err(refusal));
    }
    Ok(Ok(Box::new(requests::by_seq(conn, request.seq)?)))
}

/// Restores the state from before the event, and records that; or refuses to.
fn revert(
    conn: &Connection,
    request: &Request,
    event: &Event,
    history: &[Event],
    origin: Origin<'_>,
) -> Result<Result<(), UndoRefusal>> {
    let now = origin.now;
    let text = |key: &str| event.detail.get(key).and_then(Value::as_str);
    let too_late = |is_undone: bool| is_undone.then_some(()).ok_or(UndoRefusal::TooLate);
    let changed_since = |is_undone: bool| {
        let refusal = UndoRefusal::ChangedSince { by: None };
        is_undone.then_some(()).ok_or(refusal)
    };
    let undone = match event.verb.as_str() {
        "moved" => {
            set(conn, request, "status", text("from"))?;
            give_back(conn, request, event, history).map(Ok)?
        }
        "assigned" => set(conn, request, "assignee", text("from")).map(Ok)?,
        "replied" => too_late(replies::undo(conn, event.id)?),
        "offer_sent" => {
            let is_undone = sent_offers::take_back(conn, event)?;
            if is_undone {
                outcomes::take_back_cleared(conn, request, event, history)?;
            }
            too_late(is_undone)
        }
        "follow_up_set" => {
            let change = Value::Object(event.detail.clone());
            follow_ups::restore(conn, request, Some(&change), now).map(Ok)?
        }
        "merged" => changed_since(merges::undo(conn, request, event, origin)?),
        "made_quote" => changed_since(quoting::undo(conn, request, event, now)?),
        "edited" => edits::restore(conn, request, event, now).map(Ok)?,
        "outcome_set" => outcomes::restore(conn, request, event).map(Ok)?,
        // What waits again is computed when the undo is recorded.
        "called" | "offer_confirmed" => Ok(()),
        "set_aside" => {
            waits::unmark_opened(conn, request.seq, &origin.by.user_id, event.at).map(Ok)?
        }
        "note_deleted" => notes::restore(conn, event).map(Ok)?,
        "file_added" => too_late(files::take_back(conn, event)?),
        "file_removed" => too_late(files::restore(conn, event.id)?),
        "released" => match used_since(event, history) {
            Some(refusal) => Err(refusal),
            None => too_late(held_requests::undo_release(conn, request, event, now)?),
        },
        "discarded" | "marked_spam" if request.held.is_none() => {
            // It was released since, which any admin may do.
            let released = history.iter().rfind(|other| other.verb == "released");
            let by = released.map(Event::actor_shown);
            Err(UndoRefusal::ChangedSince { by })
        }
        "discarded" => {
            let before = text("from").unwrap_or(Status::Pending.as_str());
            set(conn, request, "status", Some(before)).map(Ok)?
        }
        "marked_spam" => held_requests::undo_mark(conn, request, event, now).map(Ok)?,
        _ => Err(UndoRefusal::Nothing),
    };
    if undone.is_err() {
        return Ok(undone);
    }
    follow_ups::restore(conn, request, follow_ups::changed_by(event), now)?;
    acceptances::undo(conn, request, event.id)?;
    set(conn, request, "updated_at", Some(&now.to_string()))?;
    let detail = json!({
        "verb": event.verb,
        "event": event.id,
        "from": event.detail.get("to"),
        "to": event.detail.get("from"),
    });
    record(conn, request, "undone", detail, origin)?;
    raise_again(conn, request, now)?;
    index::reindex(conn, request.seq)?;
    Ok(Ok(()))
}

/// Takes back the assignment of a move, unless it was assigned again since.
fn give_back(conn: &Connection, request: &Request, moved: &Event, history: &[Event]) -> Result<()> {
    let taker = moved.detail.get("assignee").and_then(Value::as_str);
    let is_later = |event: &&Event| event.verb == "assigned" && event.id > moved.id;
    let is_same = taker.is_some() && request.assignee_id() == taker;
    match is_same && !in_effect(history).iter().any(is_later) {
        true => set(conn, request, "assignee", None),
        false => Ok(()),
    }
}

/// Why a release cannot be undone: the request has changed since.
fn used_since(release: &Event, history: &[Event]) -> Option<UndoRefusal> {
    let is_work = |event: &&Event| {
        let verbs = ["moved", "assigned", "called", "replied"];
        event.id > release.id && verbs.contains(&event.verb.as_str())
    };
    let later = in_effect(history).into_iter().rfind(is_work)?;
    let by = Some(later.actor_shown());
    Some(UndoRefusal::ChangedSince { by })
}
