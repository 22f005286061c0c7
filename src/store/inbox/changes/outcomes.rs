//! The outcomes of requests.

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::{Changed, Refusal, changed};
use crate::accounts::actor::Actor;
use crate::request::writes::{record, set};
use crate::request::{events, requests};
use crate::search::index;
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::Event;
use domain::request::outcome::Outcome;

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOutcome {
    /// Won, lost, or not a customer.
    pub outcome: Outcome,
    /// Why it was lost: one of `REASONS`.
    pub reason: Option<String>,
    /// The office's remark.
    pub words: Option<String>,
    pub value: Option<OutcomeValue>,
}

/// The value of a customer's request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutcomeValue {
    pub cents: i64,
    /// `month` or `total`.
    pub per: &'static str,
}

impl Store {
    /// Records the outcome of a request that is closed or won; `None` deletes it. Errors: `Missing`
    /// for an unknown request.
    pub async fn set_outcome(
        &self,
        id: String,
        outcome: Option<NewOutcome>,
        by: Actor,
        now: Time,
    ) -> Result<Changed> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            if request.held.is_some() {
                return Ok(Err(Refusal::Held));
            }
            if request.status.is_open() && request.outcome.is_none() {
                return Ok(Err(Refusal::Open));
            }
            let from = stored(conn, &request)?;
            let to = outcome.map_or(Value::Null, |outcome| outcome.stored(&from, now));
            let detail = json!({ "from": from, "to": to });
            write(conn, &request, &to)?;
            set(conn, &request, "updated_at", Some(&now.to_string()))?;
            let event = record(conn, &request, "outcome_set", detail, by.at(now))?;
            index::reindex(conn, request.seq)?;
            Ok(Ok(changed(conn, request.seq, Some(event.id))?))
        })
        .await
    }
}

/// Records the outcome that the answer to an offer, `number`, says. `None` deletes a loss that no
/// longer holds. The caller indexes the request again.
pub(crate) fn fill(
    conn: &Connection,
    request: &Request,
    outcome: Option<&NewOutcome>,
    number: &str,
    now: Time,
) -> Result<()> {
    let from = stored(conn, request)?;
    let to = outcome.map_or(Value::Null, |outcome| outcome.stored(&from, now));
    let is_kept = outcome.is_none() && from["outcome"] != Outcome::Lost.as_str();
    if is_kept || from == to {
        return Ok(());
    }
    write(conn, request, &to)?;
    let detail = json!({ "from": from, "to": to, "offer": number });
    events::add(conn, request, None, "outcome_set", &detail, now).map(drop)
}

impl NewOutcome {
    /// The format of the history. What was won `before` stays won since then.
    fn stored(&self, before: &Value, now: Time) -> Value {
        let won_before = before.get("won_at").and_then(Value::as_str);
        let won_at = won_before.map_or_else(|| now.to_string(), str::to_owned);
        json!({
            "won_at": (self.outcome == Outcome::Won).then_some(won_at),
            "outcome": self.outcome.as_str(),
            "reason": self.reason,
            "words": self.words,
            "cents": self.value.map(|value| value.cents),
            "per": self.value.map(|value| value.per),
        })
    }
}

/// Restores the outcome from before an event.
pub(in crate::inbox) fn restore(conn: &Connection, request: &Request, event: &Event) -> Result<()> {
    let before = event.detail.get("from").unwrap_or(&Value::Null);
    write(conn, request, before)
}

fn write(conn: &Connection, request: &Request, to: &Value) -> Result<()> {
    let text = |key: &str| to.get(key).and_then(Value::as_str);
    conn.prepare_cached(
        "UPDATE requests SET outcome = ?2, outcome_reason = ?3, outcome_words = ?4,
           outcome_cents = ?5, outcome_per = ?6, won_at = ?7
         WHERE seq = ?1",
    )?
    .execute(params![
        request.seq,
        text("outcome"),
        text("reason"),
        text("words"),
        to.get("cents").and_then(Value::as_i64),
        text("per"),
        text("won_at"),
    ])?;
    Ok(())
}

/// What was won by a duplicate is won by the request that stays. Returns the outcomes `from` and
/// `to` for the history, null if nothing has changed.
pub(super) fn carry_win(conn: &Connection, kept: &Request, duplicate: &Request) -> Result<Value> {
    let (from, to) = (stored(conn, kept)?, stored(conn, duplicate)?);
    if !from["won_at"].is_null() || to["won_at"].is_null() {
        return Ok(Value::Null);
    }
    write(conn, kept, &to)?;
    Ok(json!({ "from": from, "to": to }))
}

/// Takes back what `carry_win` has returned, unless the outcome was changed since.
pub(super) fn take_back_win(conn: &Connection, kept: &Request, win: &Value) -> Result<()> {
    match !win.is_null() && stored(conn, kept)? == win["to"] {
        true => write(conn, kept, &win["from"]),
        false => Ok(()),
    }
}

/// Restores the loss that a version, `sent`, has deleted, unless the outcome was changed since.
pub(super) fn take_back_cleared(
    conn: &Connection,
    request: &Request,
    sent: &Event,
    history: &[Event],
) -> Result<()> {
    let is_of_version = |later: &&Event| {
        let number = sent.detail.get("number");
        later.verb == "outcome_set" && later.id > sent.id && later.detail.get("offer") == number
    };
    match history.iter().find(is_of_version) {
        Some(cleared) => take_back_win(conn, request, &Value::Object(cleared.detail.clone())),
        None => Ok(()),
    }
}

/// The outcome of a request in the format of the history; null if it has none.
fn stored(conn: &Connection, request: &Request) -> Result<Value> {
    let sql = "SELECT outcome, outcome_reason, outcome_words, outcome_cents, outcome_per, won_at
        FROM requests WHERE seq = ?1";
    query::one(conn, sql, [request.seq], |row| {
        let text = |at: usize| row.get::<_, Option<String>>(at);
        let Some(outcome) = text(0)? else {
            return Ok(Value::Null);
        };
        Ok(json!({
            "outcome": outcome,
            "reason": text(1)?,
            "words": text(2)?,
            "cents": row.get::<_, Option<i64>>(3)?,
            "per": text(4)?,
            "won_at": text(5)?,
        }))
    })
}
