//! Corrections of a status, beside the three moves: a request is reopened or withdrawn, with a
//! reason.

use rusqlite::Connection;

use crate::accounts::actor::Actor;
use crate::inbox::changes::{Changed, Refusal, changed, merges};
use crate::on_call::acknowledge::raise_again;
use crate::request::writes::{move_to, set};
use crate::request::{events, requests};
use crate::search::index;
use crate::{Result, Store};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::{Correction, Event, Moved};
use domain::request::history::{HistoryEvent, in_effect};
use domain::request::quote::Status;

impl Store {
    /// Corrects the status of a request, found by its id or reference. It is a move in the history,
    /// with the reason. Errors: `Missing` for an unknown request.
    pub async fn correct_request(
        &self,
        id: String,
        correction: Correction,
        reason: String,
        by: Actor,
        now: Time,
    ) -> Result<Changed> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            if request.held.is_some() {
                return Ok(Err(Refusal::Held));
            }
            let Some(next) = corrected(conn, &request, correction)? else {
                let present = request.status;
                return Ok(Err(Refusal::Move { present }));
            };
            let moved = Moved {
                correction: Some(correction),
                reason: Some(reason),
                ..Moved::plain(request.status, next)
            };
            let event = move_to(conn, &request, moved, by.at(now))?;
            raise_again(conn, &request, now)?;
            index::reindex(conn, request.seq)?;
            Ok(Ok(changed(conn, request.seq, Some(event.id))?))
        })
        .await
    }
}

/// The status after a correction; `None` if it does not apply.
fn corrected(
    conn: &Connection,
    request: &Request,
    correction: Correction,
) -> Result<Option<Status>> {
    Ok(match (correction, request.status) {
        (Correction::Withdraw, Status::InProgress) => Some(Status::Cancelled),
        (Correction::Reopen, Status::Completed) => Some(Status::InProgress),
        (Correction::Reopen, Status::Cancelled) => {
            let history = events::of_request(conn, request.seq)?;
            let events = in_effect(&history);
            let last = events.iter().rev().find_map(|event| match &event.event {
                Event::Moved(moved) => Some(moved.from),
                _ => None,
            });
            Some(match last {
                Some(Status::InProgress) => Status::InProgress,
                _ => Status::Pending,
            })
        }
        _ => None,
    })
}

/// Takes back the assignment of a move, unless it was assigned again since.
pub(super) fn give_back(
    conn: &Connection,
    request: &Request,
    event: i64,
    moved: &Moved,
    history: &[HistoryEvent],
) -> Result<()> {
    let is_same = moved.assignee.is_some() && request.assignee_id() == moved.assignee.as_deref();
    match is_same && !merges::is_assigned_after(&in_effect(history), event) {
        true => set(conn, request, "assignee", None),
        false => Ok(()),
    }
}
