//! The outcomes of requests.

use rusqlite::{Connection, params};

use super::{Changed, Refusal, changed};
use crate::accounts::actor::Actor;
use crate::database::row::read_row;
use crate::request::writes::{record, set};
use crate::request::{events, requests};
use crate::search::index;
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::{Event, OfferSent, OutcomeChange, OutcomeSet, StoredOutcome};
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
            let to = outcome.map(|outcome| outcome.stored(from.as_ref(), now));
            write(conn, &request, to.as_ref())?;
            set(conn, &request, "updated_at", Some(&now.to_string()))?;
            let offer = None;
            let event = Event::OutcomeSet(OutcomeSet { from, to, offer });
            let event = record(conn, &request, event, by.at(now))?;
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
    let to = outcome.map(|outcome| outcome.stored(from.as_ref(), now));
    let is_lost = |from: &StoredOutcome| from.outcome == Outcome::Lost;
    let is_kept = outcome.is_none() && !from.as_ref().is_some_and(is_lost);
    if is_kept || from == to {
        return Ok(());
    }
    write(conn, request, to.as_ref())?;
    let offer = Some(number.to_owned());
    let event = Event::OutcomeSet(OutcomeSet { from, to, offer });
    events::add(conn, request, None, &event, now).map(drop)
}

impl NewOutcome {
    /// The format of the history. What was won `before` stays won since then.
    fn stored(&self, before: Option<&StoredOutcome>, now: Time) -> StoredOutcome {
        let won_at = before.and_then(|before| before.won_at).unwrap_or(now);
        StoredOutcome {
            outcome: self.outcome,
            reason: self.reason.clone(),
            words: self.words.clone(),
            cents: self.value.map(|value| value.cents),
            per: self.value.map(|value| value.per.to_owned()),
            won_at: (self.outcome == Outcome::Won).then_some(won_at),
        }
    }
}

/// Writes an outcome, or none.
pub(in crate::inbox) fn write(
    conn: &Connection,
    request: &Request,
    to: Option<&StoredOutcome>,
) -> Result<()> {
    let sql = "UPDATE requests SET outcome = ?2, outcome_reason = ?3, outcome_words = ?4,
          outcome_cents = ?5, outcome_per = ?6, won_at = ?7
        WHERE seq = ?1";
    let values = params![
        request.seq,
        to.map(|to| to.outcome.as_str()),
        to.and_then(|to| to.reason.as_ref()),
        to.and_then(|to| to.words.as_ref()),
        to.and_then(|to| to.cents),
        to.and_then(|to| to.per.as_ref()),
        to.and_then(|to| to.won_at).map(|at| at.to_string()),
    ];
    query::run(conn, sql, values)
}

/// What was won by a duplicate is won by the request that stays. Returns the change for the
/// history, if there was one.
pub(super) fn carry_win(
    conn: &Connection,
    kept: &Request,
    duplicate: &Request,
) -> Result<Option<OutcomeChange>> {
    let (from, to) = (stored(conn, kept)?, stored(conn, duplicate)?);
    let is_won = |outcome: &Option<StoredOutcome>| outcome.as_ref()?.won_at;
    if is_won(&from).is_some() || is_won(&to).is_none() {
        return Ok(None);
    }
    write(conn, kept, to.as_ref())?;
    Ok(Some(OutcomeChange { from, to }))
}

/// Takes back a change of the outcome, unless it was changed since.
pub(super) fn take_back(
    conn: &Connection,
    kept: &Request,
    from: Option<&StoredOutcome>,
    to: Option<&StoredOutcome>,
) -> Result<()> {
    match stored(conn, kept)?.as_ref() == to {
        true => write(conn, kept, from),
        false => Ok(()),
    }
}

/// Restores the loss that a version, `sent` by the event `id`, has deleted, unless the outcome was
/// changed since.
pub(super) fn take_back_cleared(
    conn: &Connection,
    request: &Request,
    id: i64,
    sent: &OfferSent,
) -> Result<()> {
    let history = events::of_request(conn, request.seq)?;
    let mut later = history.iter().filter(|later| later.id > id);
    let cleared = later.find_map(|later| match &later.event {
        Event::OutcomeSet(set) if set.offer.as_ref() == Some(&sent.number) => Some(set),
        _ => None,
    });
    match cleared {
        Some(set) => take_back(conn, request, set.from.as_ref(), set.to.as_ref()),
        None => Ok(()),
    }
}

/// The outcome of a request.
fn stored(conn: &Connection, request: &Request) -> Result<Option<StoredOutcome>> {
    let sql = "SELECT outcome, outcome_reason, outcome_words, outcome_cents, outcome_per, won_at
        FROM requests WHERE seq = ?1 AND outcome IS NOT NULL";
    query::optional(conn, sql, [request.seq], |row| {
        read_row!(row => StoredOutcome {
            outcome, reason: "outcome_reason", words: "outcome_words", cents: "outcome_cents",
            per: "outcome_per", won_at,
        })
    })
}
