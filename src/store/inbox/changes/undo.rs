//! Undo of an admin's own recent change, unless a later change replaces it.

use poem_openapi::types::Any;
use rusqlite::Connection;

use super::bulk_part::BulkPart;
use super::{corrections, edits, follow_ups, merges, outcomes, quoting};
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
use crate::{Error, Result, Store, existing};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::{Event, UNDO_MS, Undone};
use domain::request::history::{HistoryEvent, in_effect};

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
            let request = merges::changed_by(conn, requests::find(conn, &id)?, event)?;
            let history = events::of_request(conn, request.seq)?;
            match undo_one(conn, &request, &history, event, by.at(now), now)? {
                Ok(_) => Ok(Ok(Box::new(requests::find(conn, &id)?))),
                refusal => Ok(refusal),
            }
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
                let Some(mut request) = existing(requests::by_seq(conn, seq))? else {
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

/// Undoes an event of the history, or the caller's last change that is in effect, by the rules at
/// the time `at`.
fn undo_one(
    conn: &Connection,
    request: &Request,
    history: &[HistoryEvent],
    event: Option<i64>,
    origin: Origin<'_>,
    at: Time,
) -> Result<Result<Box<Request>, UndoRefusal>> {
    let by = origin.by;
    let is_own = |event: &&HistoryEvent| event.is_by(&by.user_id);
    let found = in_effect(history)
        .into_iter()
        .rev()
        .filter(|event| event.event.verb().undo_ms().is_some())
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
    event: &HistoryEvent,
    history: &[HistoryEvent],
    origin: Origin<'_>,
) -> Result<Result<(), UndoRefusal>> {
    let now = origin.now;
    let shown = requests::find(conn, &request.id)?;
    let too_late = |is_undone: bool| is_undone.then_some(()).ok_or(UndoRefusal::TooLate);
    let changed_since = |is_undone: bool| {
        let refusal = UndoRefusal::ChangedSince { by: None };
        is_undone.then_some(()).ok_or(refusal)
    };
    let mut follow_up = None;
    let undone = match &event.event {
        Event::Moved(moved) => {
            set(conn, request, "status", Some(moved.from.as_str()))?;
            corrections::give_back(conn, request, event.id, moved, history).map(Ok)?
        }
        Event::Assigned(assigned) => {
            let before = assigned.from.as_ref().map(|person| person.id.as_str());
            set(conn, request, "assignee", before).map(Ok)?
        }
        Event::Replied(reply) => {
            follow_up = reply.follow_up.as_ref();
            too_late(replies::undo(conn, event.id)?)
        }
        Event::OfferSent(sent) => {
            let is_undone = sent_offers::take_back(conn, event.id, sent)?;
            if is_undone {
                outcomes::take_back_cleared(conn, &shown, event.id, sent)?;
            }
            too_late(is_undone)
        }
        Event::FollowUpSet(change) => {
            follow_up = Some(change);
            Ok(())
        }
        Event::Merged(merge) => changed_since(merges::undo(conn, request, merge, origin)?),
        Event::MadeQuote(made) => changed_since(quoting::undo(conn, request, made, now)?),
        Event::Edited(edit) => edits::restore(conn, request, edit, now).map(Ok)?,
        Event::OutcomeSet(set) => outcomes::write(conn, request, set.from.as_ref()).map(Ok)?,
        // What waits again is computed when the undo is recorded.
        Event::Called(call) => {
            follow_up = call.follow_up.as_ref();
            Ok(())
        }
        Event::OfferConfirmed(_) => Ok(()),
        Event::SetAside(_) => {
            waits::unmark_opened(conn, request.seq, &origin.by.user_id, event.at).map(Ok)?
        }
        Event::NoteDeleted(deleted) => notes::restore(conn, event.id, deleted).map(Ok)?,
        Event::FileAdded(file) => too_late(files::take_back(conn, file)?),
        Event::FileRemoved(_) => too_late(files::restore(conn, event.id)?),
        Event::Released(release) => match used_since(event.id, history) {
            Some(refusal) => Err(refusal),
            None => too_late(held_requests::undo_release(conn, request, release, now)?),
        },
        Event::Discarded(_) | Event::MarkedSpam(_) if request.held.is_none() => {
            // It was released since, which any admin may do.
            let is_release = |other: &&HistoryEvent| matches!(other.event, Event::Released(_));
            let released = history.iter().rfind(is_release);
            let by = released.map(HistoryEvent::actor_shown);
            Err(UndoRefusal::ChangedSince { by })
        }
        Event::Discarded(discarded) => {
            set(conn, request, "status", Some(discarded.from.as_str())).map(Ok)?
        }
        Event::MarkedSpam(mark) => held_requests::undo_mark(conn, request, mark, now).map(Ok)?,
        Event::Received(_)
        | Event::Noted(_)
        | Event::Phoned(_)
        | Event::Emailed(_)
        | Event::Bounced(_)
        | Event::Wrote(_)
        | Event::AutoReplied(_)
        | Event::Forwarded(_)
        | Event::EmailedIn(_)
        | Event::Settled(_)
        | Event::Held(_)
        | Event::MergedInto(_)
        | Event::Separated(_)
        | Event::SeparatedFrom(_)
        | Event::FileReplaced(_)
        | Event::FileDeleted(_)
        | Event::FollowUpDue(_)
        | Event::OfferOpened(_)
        | Event::OfferReminded(_)
        | Event::OfferWithdrawn(_)
        | Event::OfferAccepted(_)
        | Event::OfferDeclined(_)
        | Event::OfferExpired(_)
        | Event::Alarmed(_)
        | Event::Acknowledged(_)
        | Event::PassedOn(_)
        | Event::Escalated(_)
        | Event::Undone(_) => Err(UndoRefusal::Nothing),
    };
    if undone.is_err() {
        return Ok(undone);
    }
    if let Some(change) = follow_up {
        follow_ups::restore(conn, request, change, now)?;
    }
    acceptances::undo(conn, request, event.id)?;
    set(conn, request, "updated_at", Some(&now.to_string()))?;
    let mut detail = event.event.detail().map_err(|_| Error::Failed)?;
    let undone = Event::Undone(Undone {
        verb: event.event.verb(),
        event: event.id,
        from: Any(detail["to"].take()),
        to: Any(detail["from"].take()),
    });
    record(conn, request, undone, origin)?;
    raise_again(conn, &shown, now)?;
    index::reindex(conn, request.seq)?;
    Ok(Ok(()))
}

/// Why a release cannot be undone: the request has changed since.
fn used_since(release: i64, history: &[HistoryEvent]) -> Option<UndoRefusal> {
    use Event::{Assigned, Called, Moved, Replied};
    let is_work = |it: &&HistoryEvent| {
        let is_work = matches!(it.event, Moved(_) | Assigned(_) | Called(_) | Replied(_));
        it.id > release && is_work
    };
    let later = in_effect(history).into_iter().rfind(is_work)?;
    let by = Some(later.actor_shown());
    Some(UndoRefusal::ChangedSince { by })
}
