//! Duplicates: two requests about the same matter become one. The duplicate leaves the lists and is
//! shown in the request that stays. It keeps its row, history and files, so that it can be
//! separated again unchanged.

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::{ChangedRequest, changed, outcomes};
use crate::accounts::actor::Actor;
use crate::database::row;
use crate::on_call::acknowledge::raise_again;
use crate::request::writes::{Origin, record, set};
use crate::request::{events, requests, waits};
use crate::search::index;
use crate::{Error, Result, Store};
use domain::clock::Time;
use domain::request::event::{Event, in_effect};
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
                return Err(Error::Conflict(reason));
            }
            hide(conn, &duplicate, &kept)?;
            // The duplicate stays in the list of its assignee.
            let assignee = duplicate.assignee_id().filter(|_| kept.assignee.is_none());
            if assignee.is_some() {
                set(conn, &kept, "assignee", assignee)?;
            }
            let detail = json!({
                "id": duplicate.id,
                "reference": duplicate.reference,
                "assignee": assignee,
                "won": outcomes::carry_win(conn, &kept, &duplicate)?,
            });
            let event = record(conn, &kept, "merged", detail, by.at(now))?;
            let detail = json!({ "reference": kept.reference });
            record(conn, &duplicate, "merged_into", detail, by.at(now))?;
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
            let detail = json!({ "id": duplicate.id, "reference": duplicate.reference });
            record(conn, &kept, "separated", detail, by.at(now))?;
            split(conn, &parent, &duplicate, by.at(now))?;
            index::reindex(conn, kept.seq)?;
            changed(conn, kept.seq, None)
        })
        .await
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
    conn.prepare_cached("UPDATE requests SET merged_into = ?2, held = ?3 WHERE seq = ?1")?
        .execute(params![duplicate.seq, kept.seq, row::text(&[reason])?])?;
    Ok(())
}

/// Separates the duplicate from the request that it was merged into. The caller records it in the
/// history of that request.
fn split(
    conn: &Connection,
    parent: &Request,
    duplicate: &Request,
    origin: Origin<'_>,
) -> Result<()> {
    conn.prepare_cached("UPDATE requests SET merged_into = NULL, held = NULL WHERE seq = ?1")?
        .execute([duplicate.seq])?;
    take_back(conn, parent, duplicate)?;
    let detail = json!({ "reference": parent.reference });
    record(conn, duplicate, "separated_from", detail, origin)?;
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
    let text = |event: &Event, key: &str| {
        let value = event.detail.get(key).and_then(Value::as_str);
        value.map(str::to_owned)
    };
    let is_merge = |event: &&&Event| {
        event.verb == "merged" && text(event, "id").as_deref() == Some(&duplicate.id)
    };
    let Some(merge) = history.iter().rfind(is_merge) else {
        return Ok(());
    };
    let is_assigned_since = history
        .iter()
        .any(|event| event.verb == "assigned" && event.id > merge.id);
    let given = text(merge, "assignee");
    if given.is_some() && given.as_deref() == parent.assignee_id() && !is_assigned_since {
        set(conn, parent, "assignee", None)?;
    }
    let won = merge.detail.get("won").unwrap_or(&Value::Null);
    outcomes::take_back_win(conn, parent, won)
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
    merge: &Event,
    origin: Origin<'_>,
) -> Result<bool> {
    let id = merge.detail.get("id").and_then(Value::as_str);
    let duplicate = requests::itself(conn, id.unwrap_or_default())?;
    if duplicate.merged_into != Some(kept.seq) {
        return Ok(false);
    }
    split(conn, kept, &duplicate, origin)?;
    Ok(true)
}
