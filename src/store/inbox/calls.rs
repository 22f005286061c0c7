//! Calls to the customer of a request.

use poem_openapi::Enum;
use serde::Deserialize;
use serde_json::json;

use super::changes::follow_ups::{self, FollowUp};
use super::changes::{Changed, Refusal};
use crate::accounts::actor::Actor;
use crate::inbox::drafts;
use crate::request::requests;
use crate::request::writes::record;
use crate::search::index;
use crate::{Result, Store};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::Event;

domain::text_enum! {
    /// The outcome of a call to a customer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum CallOutcome {
        /// The customer was reached.
        Reached = "reached",
        /// A message was left.
        Voicemail = "voicemail",
        /// The call was not answered.
        NoAnswer = "no_answer",
    }
}

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
    ) -> Result<Changed<Event>> {
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
                    let by = &by.user_id;
                    follow_ups::change(conn, &request, Some(FollowUp { at, by }))?
                }
                None => follow_ups::end_due(conn, &request, is_reached)?,
            };
            let detail = json!({
                "outcome": outcome.as_str(),
                "note": note,
                "follow_up": follow_up,
            });
            drafts::forget(conn, &by.user_id, request.seq, "call")?;
            let event = record(conn, &request, "called", detail, by.at(now))?;
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
