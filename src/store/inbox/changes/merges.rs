//! Duplicates: two requests about the same matter become one. The duplicate leaves the lists and is
//! shown in the request that stays. It keeps its row, history and files, so that it can be
//! separated again unchanged.

use rusqlite::{Connection, params};

use super::{ChangedRequest, changed, outcomes};
use crate::accounts::actor::Actor;
use crate::database::row;
use crate::on_call::acknowledge::raise_again;
use crate::request::writes::{Origin, record, set};
use crate::request::{events, requests, waits};
use crate::search::index;
use crate::{Error, Result, Store, conflict, existing, query};
use domain::clock::Time;
use domain::request::event::{Event, KeptRequest, Merged, Separated};
use domain::request::history::{HistoryEvent, in_effect};
use domain::request::{HeldReason, Request, merge};

impl Store {
    /// Merges two open requests, found by their ids or references, and returns the one that stays
    /// (`merge::kept_first`); `asked` is the id of the one that a person has chosen. Errors:
    /// `Missing` for an unknown request; `Conflict` with the reason if they cannot be merged.
    pub async fn merge_requests(
        &self,
        one: String,
        other: String,
        asked: Option<String>,
        by: Actor,
        now: Time,
    ) -> Result<ChangedRequest> {
        self.write(move |conn| {
            let one = requests::find(conn, &one)?;
            let other = requests::find(conn, &other)?;
            let (kept, duplicate) = merge::kept_first(one, other, asked.as_deref());
            if let Some(reason) = refusal(&kept, &duplicate) {
                return conflict(reason);
            }
            hide(conn, &duplicate, &kept)?;
            // The duplicate stays in the list of its assignee.
            let assignee = duplicate.assignee_id().filter(|_| kept.assignee.is_none());
            if assignee.is_some() {
                set(conn, &kept, "assignee", assignee)?;
            }
            let merged = Event::Merged(Merged {
                id: duplicate.id.clone(),
                reference: duplicate.reference.clone(),
                assignee: assignee.map(str::to_owned),
                won: outcomes::carry_win(conn, &kept, &duplicate)?,
            });
            let event = record(conn, &kept, merged, by.at(now))?;
            let merged_into = Event::MergedInto(named(&kept));
            record(conn, &duplicate, merged_into, by.at(now))?;
            touch(conn, [&kept, &duplicate], now)?;
            changed(conn, kept.seq, Some(event.id))
        })
        .await
    }

    /// Separates a duplicate, found by its id or reference, from the request in which it is shown,
    /// and returns that one. Errors: `Missing` if they are not merged.
    pub async fn separate_request(
        &self,
        kept: String,
        duplicate: String,
        by: Actor,
        now: Time,
    ) -> Result<ChangedRequest> {
        self.write(move |conn| {
            let kept = requests::find(conn, &kept)?;
            let duplicate = requests::itself(conn, &duplicate)?;
            let place = requests::find(conn, &duplicate.id)?;
            let parent = duplicate.merged_into.filter(|_| place.seq == kept.seq);
            let parent = requests::by_seq(conn, parent.ok_or(Error::Missing)?)?;
            let separated = Event::Separated(Separated {
                id: duplicate.id.clone(),
                reference: duplicate.reference.clone(),
            });
            record(conn, &kept, separated, by.at(now))?;
            split(conn, &parent, &duplicate, by.at(now))?;
            index::reindex(conn, kept.seq)?;
            changed(conn, kept.seq, None)
        })
        .await
    }
}

fn named(request: &Request) -> KeptRequest {
    KeptRequest {
        reference: request.reference.clone(),
    }
}

/// Why two requests cannot be merged.
fn refusal(kept: &Request, duplicate: &Request) -> Option<String> {
    if kept.seq == duplicate.seq {
        return Some(format!("{} cannot be merged with itself.", kept.reference));
    }
    for request in [kept, duplicate] {
        if request.held.is_some() {
            let reference = &request.reference;
            return Some(format!("{reference} is held as spam. Release it first."));
        }
        if !request.status.is_open() {
            let reference = &request.reference;
            return Some(format!(
                "{reference} is closed. Only open requests can be merged."
            ));
        }
    }
    let reference = &duplicate.reference;
    let reminder = duplicate.follow_up.as_ref();
    reminder.map(|_| format!("{reference} has a reminder. End it first, then merge."))
}

/// Takes the duplicate out of the lists: everything that leaves out held requests leaves it out.
fn hide(conn: &Connection, duplicate: &Request, kept: &Request) -> Result<()> {
    let reason = HeldReason {
        signal: "merged".to_owned(),
        points: 0,
        detail: format!("Merged into {}", kept.reference),
    };
    let sql = "UPDATE requests SET merged_into = ?2, held = ?3 WHERE seq = ?1";
    let values = params![duplicate.seq, kept.seq, row::text(&[reason])?];
    query::run(conn, sql, values)
}

/// Separates the duplicate from the request that it was merged into. The caller records it in the
/// history of that request.
fn split(
    conn: &Connection,
    parent: &Request,
    duplicate: &Request,
    origin: Origin<'_>,
) -> Result<()> {
    let sql = "UPDATE requests SET merged_into = NULL, held = NULL WHERE seq = ?1";
    query::execute(conn, sql, [duplicate.seq])?;
    take_back(conn, parent, duplicate)?;
    let separated_from = Event::SeparatedFrom(named(parent));
    record(conn, duplicate, separated_from, origin)?;
    for request in [parent, duplicate] {
        waits::recompute(conn, request.seq)?;
        raise_again(conn, request, origin.now)?;
    }
    touch(conn, [parent, duplicate], origin.now)
}

/// Takes back what `parent` got from the duplicate and has not changed since: assignee and what was
/// won.
fn take_back(conn: &Connection, parent: &Request, duplicate: &Request) -> Result<()> {
    let history = events::of_request(conn, parent.seq)?;
    let history = in_effect(&history);
    let merge = history.iter().rev().find_map(|event| match &event.event {
        Event::Merged(merged) if merged.id == duplicate.id => Some((event.id, merged)),
        _ => None,
    });
    let Some((merge, merged)) = merge else {
        return Ok(());
    };
    let given = merged.assignee.as_deref();
    let is_same = given.is_some() && given == parent.assignee_id();
    if is_same && !is_assigned_after(&history, merge) {
        set(conn, parent, "assignee", None)?;
    }
    match &merged.won {
        Some(won) => outcomes::take_back(conn, parent, won.from.as_ref(), won.to.as_ref()),
        None => Ok(()),
    }
}

/// Whether the request was assigned after an event.
pub(super) fn is_assigned_after(history: &[&HistoryEvent], event: i64) -> bool {
    let is_later = |it: &&HistoryEvent| it.id > event && matches!(it.event, Event::Assigned(_));
    history.iter().any(is_later)
}

fn touch(conn: &Connection, both: [&Request; 2], now: Time) -> Result<()> {
    for request in both {
        set(conn, request, "updated_at", Some(&now.to_string()))?;
        index::reindex(conn, request.seq)?;
    }
    Ok(())
}

/// Undoes a merge. Call it inside the `write` job that records it. False if the two were separated
/// since.
pub(in crate::inbox) fn undo(
    conn: &Connection,
    kept: &Request,
    merge: &Merged,
    origin: Origin<'_>,
) -> Result<bool> {
    let duplicate = requests::itself(conn, &merge.id)?;
    if duplicate.merged_into != Some(kept.seq) {
        return Ok(false);
    }
    split(conn, kept, &duplicate, origin)?;
    Ok(true)
}

/// The request that an event has changed: the one that is shown, or its duplicate with the offer.
pub(super) fn changed_by(conn: &Connection, shown: Request, event: Option<i64>) -> Result<Request> {
    let Some(event) = event else {
        return Ok(shown);
    };
    let event = existing(events::by_id(conn, event))?;
    let Some(event) = event.filter(|event| merge::is_undone_where_shown(&event.event)) else {
        return Ok(shown);
    };
    let duplicates = requests::duplicates(conn, shown.seq)?.into_iter();
    let mut changed = duplicates.filter(|other| other.seq == event.seq);
    Ok(changed.next().unwrap_or(shown))
}
