//! What a customer does on the status page, within the rate limit of forms.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::messages;
use super::messages::NewMessage;
use crate::inbox::acceptances;
use crate::inbox::changes::merges;
use crate::inbox::changes::writes::set;
use crate::inbox::{events, requests};
use crate::submissions::{Submission, Submitted, insert_once};
use crate::{Result, Store};
use domain::account::Metadata;
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::Event;

/// The name of this form among the submissions.
const FORM: &str = "status";
/// The newest steps that are shown.
const MAX_STEPS: usize = 20;

/// What a customer says.
#[derive(Clone, Debug)]
pub enum Said {
    Message(String),
    /// No further answer is needed.
    Settled,
}

/// A step of the conversation, as the status page shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The office has answered by email.
    Answered,
    /// The office has reached the customer by phone.
    Called,
    /// The customer has written.
    Wrote,
    /// The customer said that this is settled.
    Settled,
}

impl Store {
    /// Records what the customer says about the request with this reference, unless it is a
    /// duplicate or over the rate limit. Errors: `Missing` for an unknown reference; `Busy`,
    /// `Full`, or the error of the database.
    pub async fn say_on_status_page(
        &self,
        reference: String,
        said: Said,
        submission: Submission,
        now: Time,
    ) -> Result<Submitted> {
        let index = self.submission_index.clone();
        self.write(move |conn| {
            let request = requests::find(conn, &reference)?;
            insert_once(conn, &index, FORM, &submission, now, |conn, _| {
                match &said {
                    Said::Message(text) => write(conn, &request, text, now)?,
                    Said::Settled => settle(conn, &request, now)?,
                }
                Ok((request.id.clone(), request.reference.clone()))
            })
        })
        .await
    }

    /// The steps of the conversation about a request and its duplicates, oldest first.
    pub async fn conversation_steps(&self, seq: i64) -> Result<Vec<(Step, Time)>> {
        self.read(move |conn| {
            let mut history = events::of_request(conn, seq)?;
            for duplicate in merges::duplicates(conn, seq)? {
                history.extend(events::of_request(conn, duplicate.seq)?);
            }
            history.sort_by_key(|event| event.id);
            let steps: Vec<_> = history.iter().filter_map(step).collect();
            let first = steps.len().saturating_sub(MAX_STEPS);
            Ok(steps[first..].to_vec())
        })
        .await
    }
}

fn step(event: &Event) -> Option<(Step, Time)> {
    let text = |key: &str| event.detail.get(key).and_then(Value::as_str);
    let is = |key: &str| event.detail.get(key) == Some(&Value::Bool(true));
    match event.verb.as_str() {
        "replied" if text("state") == Some("delivered") => {
            let at = text("at").and_then(Time::parse).unwrap_or(event.at);
            Some((Step::Answered, at))
        }
        "called" if text("outcome") == Some("reached") => Some((Step::Called, event.at)),
        // Messages of others are none of the customer's.
        "wrote" if is("counts") => Some((Step::Wrote, event.at)),
        "settled" => Some((Step::Settled, event.at)),
        _ => None,
    }
}

fn write(conn: &Connection, request: &Request, text: &str, now: Time) -> Result<()> {
    let detail = json!({ "via": "page", "text": text, "verified": true, "known": true });
    let message = NewMessage {
        detail: detail.as_object().cloned().unwrap_or_default(),
        is_automatic: false,
        counts: true,
    };
    messages::record(conn, request, message, now).map(drop)
}

/// The clock of the next answer stops; the office sees it.
fn settle(conn: &Connection, request: &Request, now: Time) -> Result<()> {
    messages::insert(conn, request, "settled", &Metadata::new(), now)?;
    let accepted = acceptances::waiting(conn, request.seq)?;
    let accepted = accepted.map(|event| event.to_string());
    set(conn, request, "unanswered", accepted.as_deref())?;
    if request.held.is_none() && request.status.is_open() {
        set(conn, request, "unread", Some("1"))?;
    }
    Ok(())
}
