//! Answers to offers other than acceptances, and what all answers have in common.

use rusqlite::{Connection, params};
use serde_json::json;

use super::offer::{SentVersion, VersionId};
use super::{read, send};
use crate::conversation::{matching, messages};
use crate::inbox::changes::outcomes::{self, NewOutcome, OutcomeValue};
use crate::request::announcements::announce;
use crate::request::events;
use crate::search::index;
use crate::{Error, Result, Store, outbox, query};
use domain::clock::{MINUTE_MS, Time};
use domain::email::notice::Notice;
use domain::email::offer_notice::{OfferEmail, OfferNotice};
use domain::offer::price::month_of;
use domain::offer::state::OfferState;
use domain::request::Request;
use domain::request::event::{Event, Message, OfferAccepted, OfferEnded, OfferVersion, Via};
use domain::request::outcome::{Outcome, reason_of};

/// The same question again within this time is a second click.
const SAME_QUESTION_MS: i64 = 10 * MINUTE_MS;

/// The maximum of the words of an outcome, in characters.
const MAX_WORDS: usize = 500;

/// The end of a version.
#[derive(Clone, Debug)]
pub struct Answered {
    pub id: VersionId,
    pub state: OfferState,
    /// The name of the customer, or of the person who has entered the answer; empty if it has
    /// expired.
    pub by: String,
    /// Why it was declined, or the note of the office.
    pub reason: Option<String>,
}

/// A customer's answer that is not an acceptance.
#[derive(Clone, Debug)]
pub enum OfferAnswer {
    /// The reason may be empty.
    Declined {
        reason: String,
    },
    Question {
        text: String,
    },
}

impl Store {
    /// Records the answer of a customer, or of the office for one: `actor` is a user's id then.
    /// Returns the version if it is no longer open: nothing is recorded then. Errors: `Missing` for
    /// an unknown version or if its request was deleted.
    pub async fn answer_offer(
        &self,
        id: VersionId,
        answer: OfferAnswer,
        actor: Option<String>,
        now: Time,
    ) -> Result<Option<Box<SentVersion>>> {
        self.write(move |conn| {
            let offer = read::offer(conn, &id.number)?;
            let request = offer.request.as_ref().ok_or(Error::Missing)?;
            let sent = offer.sent(id.version).ok_or(Error::Missing)?;
            match answer {
                OfferAnswer::Question { text } => {
                    if sent.state == OfferState::Superseded {
                        return Ok(Some(Box::new(sent.clone())));
                    }
                    let shown = matching::shown_in(conn, request.seq)?;
                    ask(conn, &shown, &id, &text, now)?;
                }
                OfferAnswer::Declined { reason } => {
                    let reason = Some(reason).filter(|reason| !reason.is_empty());
                    if sent.state == OfferState::Declined && sent.reason == reason {
                        return Ok(None);
                    }
                    if sent.state_at(now) != OfferState::Sent {
                        return Ok(Some(Box::new(sent.clone())));
                    }
                    let by = match &actor {
                        Some(user) => person(conn, user)?,
                        None => sent.recipient.clone(),
                    };
                    let answered = Answered {
                        id: id.clone(),
                        state: OfferState::Declined,
                        by,
                        reason,
                    };
                    close(conn, request, &answered, None, actor.as_deref(), now)?;
                    send::touch(conn, &id.number, now)?;
                }
            }
            Ok(None)
        })
        .await
    }
}

impl Store {
    /// Records that a person reads a version which waits for an answer: the first time only.
    /// Errors: `Missing` for an unknown version or if its request was deleted.
    pub async fn open_offer(&self, id: VersionId, now: Time) -> Result<()> {
        self.write(move |conn| {
            let VersionId { number, version } = &id;
            let sql = "UPDATE offer_states SET opened_at = ?3 WHERE number = ?1 AND version = ?2
                AND opened_at IS NULL AND state = 'sent' AND expires_at > ?3";
            let opened = query::execute(conn, sql, params![number, version, now.to_string()])?;
            if opened == 0 {
                return Ok(());
            }
            let offer = read::offer(conn, number)?;
            let request = offer.request.as_ref().ok_or(Error::Missing)?;
            let event = Event::OfferOpened(OfferVersion {
                number: number.clone(),
                version: *version,
            });
            events::add(conn, request, None, &event, now).map(drop)
        })
        .await
    }
}

/// Records the end of a version: its state, the event, the email to the office, and webhooks.
/// `accepted` is what the history says of an acceptance.
pub(super) fn close(
    conn: &Connection,
    request: &Request,
    answered: &Answered,
    accepted: Option<OfferAccepted>,
    actor: Option<&str>,
    now: Time,
) -> Result<()> {
    let Answered {
        id,
        state,
        by,
        reason,
    } = answered;
    let VersionId { number, version } = id;
    let sql = "UPDATE offer_states SET state = ?3, answered_at = ?4, answered_by = nullif(?5, ''),
          reason = ?6
        WHERE number = ?1 AND version = ?2";
    let values = params![number, version, state.as_str(), now.to_string(), by, reason];
    query::execute(conn, sql, values)?;
    let ended = OfferEnded {
        number: number.clone(),
        version: *version,
        reason: reason.clone(),
    };
    let event = match accepted.clone() {
        Some(accepted) => Event::OfferAccepted(accepted),
        None if *state == OfferState::Declined => Event::OfferDeclined(ended),
        None => Event::OfferExpired(ended),
    };
    let event = events::add(conn, request, actor, &event, now)?;
    fill_outcome(conn, request, answered, accepted.as_ref(), now)?;
    let data = json!({ "offer": { "number": number, "version": version, "reason": reason } });
    let name = format!("offer.{}", state.as_str());
    announce(conn, &name, Some(request.seq), Some(&data), now)?;
    tell_office(conn, request, id, event, now)
}

/// An acceptance wins a request, with its value; a decline loses it, unless another offer waits.
fn fill_outcome(
    conn: &Connection,
    request: &Request,
    answered: &Answered,
    accepted: Option<&OfferAccepted>,
    now: Time,
) -> Result<()> {
    let number = &answered.id.number;
    let shown = matching::shown_in(conn, request.seq)?;
    let words = answered.reason.as_deref().unwrap_or_default();
    let outcome = match (accepted, answered.state) {
        (Some(accepted), _) => {
            let total = accepted.total_cents;
            let value = match accepted.is_weekly {
                true => OutcomeValue {
                    cents: month_of(total),
                    per: "month",
                },
                false => OutcomeValue {
                    cents: total,
                    per: "total",
                },
            };
            Some(NewOutcome {
                outcome: Outcome::Won,
                reason: None,
                words: None,
                value: Some(value),
            })
        }
        (None, OfferState::Declined) if !has_other(conn, request.seq, number)? => {
            Some(NewOutcome {
                outcome: Outcome::Lost,
                reason: Some(reason_of(words).to_owned()),
                words: Some(words.chars().take(MAX_WORDS).collect())
                    .filter(|text: &String| !text.is_empty()),
                value: None,
            })
        }
        _ => None,
    };
    if let Some(outcome) = outcome {
        outcomes::fill(conn, &shown, Some(&outcome), number, now)?;
    }
    Ok(index::reindex(conn, shown.seq)?)
}

/// Whether another offer of a request waits or was accepted.
fn has_other(conn: &Connection, seq: i64, number: &str) -> Result<bool> {
    let other = "SELECT 1 FROM offers JOIN offer_states USING (number, version)
        WHERE seq = ?1 AND number <> ?2 AND state IN ('sent', 'accepted')";
    query::exists(conn, other, params![seq, number])
}

/// Records a question as a message of the customer; the same one again is ignored.
fn ask(conn: &Connection, request: &Request, id: &VersionId, text: &str, now: Time) -> Result<()> {
    let VersionId { number, version } = id;
    let since = now.plus_millis(-SAME_QUESTION_MS).to_string();
    let same = "SELECT 1 FROM events WHERE seq = ?1 AND verb = 'wrote' AND at > ?2
        AND detail ->> 'number' = ?3 AND detail ->> 'text' = ?4";
    if query::exists(conn, same, params![request.seq, since, number, text])? {
        return Ok(());
    }
    let message = Message {
        number: Some(number.clone()),
        version: Some(*version),
        ..Message::on_page(Via::Offer, text)
    };
    let event = messages::record(conn, request, message, false, now)?;
    tell_office(conn, request, id, event, now)
}

fn tell_office(
    conn: &Connection,
    request: &Request,
    id: &VersionId,
    event: i64,
    now: Time,
) -> Result<()> {
    let notice = OfferNotice {
        email: OfferEmail::Office,
        event: Some(event),
        ..OfferNotice::new(&request.id, &id.number, id.version)
    };
    outbox::enqueue(conn, &Notice::Offer(notice), now)
}

/// The display name of a user, else the address.
pub(super) fn person(conn: &Connection, user_id: &str) -> Result<String> {
    let name = "SELECT coalesce(display_name, email, id) FROM users WHERE id = ?1";
    let name = query::optional(conn, name, [user_id], |row| row.get(0))?;
    Ok(name.unwrap_or_else(|| user_id.to_owned()))
}
