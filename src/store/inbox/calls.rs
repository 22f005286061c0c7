//! Calls to the customer of a request.

use super::changes::follow_ups;
use super::changes::{Changed, Refusal};
use crate::accounts::actor::Actor;
use crate::inbox::drafts;
use crate::request::requests;
use crate::request::writes::record;
use crate::search::index;
use crate::{Result, Store};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::{CallOutcome, Called, Event, Reminder};
use domain::request::history::HistoryEvent;

impl Store {
    /// Logs a call to the customer of a request. If they were reached, the request is answered. The
    /// words of the note are found by a search. A follow-up whose time has come ends, and the
    /// caller is reminded at `remind_at`. Errors: `Missing` for an unknown request.
    pub async fn log_call(
        &self,
        id: String,
        outcome: CallOutcome,
        note: Option<String>,
        remind_at: Option<Time>,
        by: Actor,
        now: Time,
    ) -> Result<Changed<HistoryEvent>> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            if let Some(at) = remind_at
                && let Some(refusal) = refusal(&request, outcome, at, now)
            {
                return Ok(Err(refusal));
            }
            let is_reached = outcome == CallOutcome::Reached;
            let follow_up = match remind_at {
                Some(at) => {
                    let by = by.user_id.clone();
                    Some(follow_ups::change(
                        conn,
                        &request,
                        Some(Reminder { at, by }),
                    )?)
                }
                None => follow_ups::end_due(conn, &request, is_reached)?,
            };
            let called = Event::Called(Called {
                outcome,
                note,
                follow_up,
            });
            drafts::forget(conn, &by.user_id, request.seq, "call")?;
            let event = record(conn, &request, called, by.at(now))?;
            index::reindex(conn, request.seq)?;
            Ok(Ok(event))
        })
        .await
    }
}

/// Why this call cannot set a reminder.
fn refusal(request: &Request, outcome: CallOutcome, at: Time, now: Time) -> Option<Refusal> {
    let is_reached = outcome == CallOutcome::Reached;
    match follow_ups::refusal(request, Some(at), now) {
        // Reached now, the request can wait.
        Some(Refusal::EmergencyWaits) if is_reached => None,
        other => other,
    }
}
