//! Corrections of a status, beside the three moves: a request is reopened or withdrawn, with a
//! reason.

use poem_openapi::Enum;
use rusqlite::Connection;
use serde::Deserialize;
use serde_json::Value;

use crate::accounts::actor::Actor;
use crate::inbox::changes::{Changed, Refusal, changed};
use crate::on_call::acknowledge::raise_again;
use crate::request::writes::move_to;
use crate::request::{events, requests};
use crate::search::index;
use crate::{Result, Store};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::in_effect;
use domain::request::quote::Status;

domain::text_enum! {
    /// The correction.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum Correction {
        /// A completed or cancelled request returns to its earlier status.
        Reopen = "reopen",
        /// A request in progress is cancelled.
        Withdraw = "withdraw",
    }
}

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
            let more = [("correction", correction.as_str()), ("reason", &reason)];
            let event = move_to(conn, &request, next, &more, by.at(now))?;
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
            let last = events.iter().rfind(|event| event.verb == "moved");
            let from = last.and_then(|event| event.detail.get("from"));
            let from = from.and_then(Value::as_str).and_then(Status::parse);
            Some(match from {
                Some(Status::InProgress) => Status::InProgress,
                _ => Status::Pending,
            })
        }
        _ => None,
    })
}
