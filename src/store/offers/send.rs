//! Sends versions of offers, takes them back, and withdraws them.

use rusqlite::{Connection, params};

use super::offer::Offer;
use super::{drafts, read};
use crate::accounts::actor::Actor;
use crate::conversation::matching;
use crate::database::row;
use crate::inbox::changes::outcomes;
use crate::request::events;
use crate::request::writes::record;
use crate::{Error, Result, Store, conflict, outbox, query};
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::email::offer_notice::OfferNotice;
use domain::offer::state::OfferState;
use domain::request::event::{Delivery, EMAIL_DELAY_MS, Event, OfferEnded, OfferSent};

/// A version to be sent.
#[derive(Clone, Debug)]
pub struct NewVersion {
    pub number: String,
    /// The revision of the draft that it was made of.
    pub revision: i64,
    /// The version before it, 0 if it is the first.
    pub after: u32,
    /// Canonical JSON.
    pub json: Vec<u8>,
    pub text: Vec<u8>,
    pub pdf: Vec<u8>,
    /// Of JSON, text and PDF.
    pub digests: [String; 3],
    pub recipient: String,
    /// In cents; for a week if `is_weekly`.
    pub total_cents: i64,
    pub is_weekly: bool,
    /// The last day, `YYYY-MM-DD`.
    pub valid_until: String,
    /// The end of that day.
    pub expires_at: Time,
}

impl Store {
    /// Sends a version, and retires the one before it in the same transaction. Its email leaves
    /// after `EMAIL_DELAY_MS`. Errors: `Missing` for an unknown offer or if its request was
    /// deleted; `Conflict` if the draft was changed since, another version was sent, or one was
    /// accepted.
    pub async fn send_offer(&self, new: NewVersion, by: Actor, now: Time) -> Result<Offer> {
        self.write(move |conn| {
            let offer = read::offer(conn, &new.number)?;
            check(&offer, &new, now)?;
            insert(conn, &offer, &new, &by, now)?;
            read::offer(conn, &new.number)
        })
        .await
    }

    /// Withdraws the version that waits for an answer. Errors: `Missing` for an unknown offer;
    /// `Conflict` if none waits.
    pub async fn withdraw_offer(
        &self,
        number: String,
        reason: Option<String>,
        by: Actor,
        now: Time,
    ) -> Result<Offer> {
        self.write(move |conn| {
            let offer = read::offer(conn, &number)?;
            let sent = offer.current();
            let Some(sent) = sent.filter(|sent| sent.state_at(now) == OfferState::Sent) else {
                return Err(not_waiting(&offer, now));
            };
            let request = offer.request.as_ref().ok_or(Error::Missing)?;
            let sql = "UPDATE offer_states SET state = 'withdrawn', answered_at = ?3, reason = ?4,
                  answered_by = (SELECT coalesce(display_name, email) FROM users WHERE id = ?5)
                WHERE number = ?1 AND version = ?2";
            let values = params![number, sent.version, now.to_string(), reason, by.user_id];
            query::execute(conn, sql, values)?;
            touch(conn, &number, now)?;
            let event = Event::OfferWithdrawn(OfferEnded {
                number: number.clone(),
                version: sent.version,
                reason,
            });
            record(conn, request, event, by.at(now))?;
            read::offer(conn, &number)
        })
        .await
    }
}

fn check(offer: &Offer, new: &NewVersion, now: Time) -> Result<()> {
    if offer.version != new.after {
        return conflict(format!(
            "Version {} of this offer was sent already.",
            offer.version
        ));
    }
    if offer.state(now) == OfferState::Accepted {
        return conflict("This offer was accepted. Make a new offer instead.");
    }
    drafts::check_revision(offer, new.revision)
}

/// The refusal of a change that needs a version that waits for an answer.
pub(super) fn not_waiting(offer: &Offer, now: Time) -> Error {
    let detail = match offer.state(now) {
        OfferState::Draft => "This offer was not sent yet.".to_owned(),
        state => format!("This offer is {} already.", state.as_str()),
    };
    Error::Conflict(detail)
}

/// Inserts the version, its state, the event and the email.
fn insert(conn: &Connection, offer: &Offer, new: &NewVersion, by: &Actor, now: Time) -> Result<()> {
    let request = offer.request.as_ref().ok_or(Error::Missing)?;
    let version = new.after + 1;
    let before = retire(conn, offer, now)?;
    let email_id = outbox::next_id(conn, now)?;
    let event = Event::OfferSent(OfferSent {
        number: new.number.clone(),
        version,
        total_cents: new.total_cents,
        is_weekly: new.is_weekly,
        valid_until: new.valid_until.clone(),
        before,
        to: new.recipient.clone(),
        delivery: Delivery::queued(email_id),
    });
    let actor = Some(by.user_id.as_str());
    let event = events::add(conn, request, actor, &event, now)?;
    row::insert_row!(conn, "offer_versions", {
        number: new.number, version: version, json: new.json, text: new.text, pdf: new.pdf,
        json_digest: new.digests[0], text_digest: new.digests[1], pdf_digest: new.digests[2],
    })?;
    row::insert_row!(conn, "offer_states", {
        number: new.number, version: version, state: "sent", recipient: new.recipient,
        total_cents: new.total_cents, is_weekly: new.is_weekly, valid_until: new.valid_until,
        expires_at: new.expires_at.to_string(), sent_at: now.to_string(), sent_by: by.user_id,
        event: event,
    })?;
    let sql = "UPDATE offers SET version = ?2, updated_at = ?3 WHERE number = ?1";
    query::execute(conn, sql, params![new.number, version, now.to_string()])?;
    let notice = Notice::Offer(OfferNotice::new(&request.id, &new.number, version));
    let due = now.plus_millis(EMAIL_DELAY_MS);
    outbox::insert(conn, email_id, &notice, now, due, Some(event))?;
    let shown = matching::shown_in(conn, request.seq)?;
    if shown.status.is_open() {
        // A version before it may have been declined.
        outcomes::fill(conn, &shown, None, &new.number, now)?;
    }
    Ok(())
}

/// Retires the version that waits for an answer, or has expired; returns the state that it had.
fn retire(conn: &Connection, offer: &Offer, now: Time) -> Result<Option<OfferState>> {
    let Some(last) = offer.current() else {
        return Ok(None);
    };
    if matches!(last.state, OfferState::Sent | OfferState::Expired) {
        let sql = "UPDATE offer_states SET state = 'superseded', answered_at = ?3
            WHERE number = ?1 AND version = ?2";
        let values = params![offer.number, last.version, now.to_string()];
        query::execute(conn, sql, values)?;
    }
    Ok(Some(last.state))
}

pub(super) fn touch(conn: &Connection, number: &str, now: Time) -> Result<()> {
    let sql = "UPDATE offers SET updated_at = ?2 WHERE number = ?1";
    query::run(conn, sql, params![number, now.to_string()])
}
