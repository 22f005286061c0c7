//! What time does to offers: two reminders before the end, and the end.

use rusqlite::{Connection, params};

use super::answers::{self, Answered};
use super::offer::VersionId;
use super::{read, send};
use crate::request::events;
use crate::{Error, Result, Store, outbox, query};
use domain::clock::{HOUR_MS, Time};
use domain::email::notice::Notice;
use domain::email::offer_notice::{OfferEmail, OfferNotice};
use domain::offer::state::OfferState;
use domain::request::event::{Event, OfferReminded};

/// When the reminders are sent: milliseconds before the end, the first one first.
const REMINDERS: [i64; 2] = [72 * HOUR_MS, 24 * HOUR_MS];
/// An offer is not followed by a reminder within this time.
const QUIET_MS: i64 = 24 * HOUR_MS;
/// Versions that are read at once.
const BATCH: u32 = 100;

impl Store {
    /// Ends the offers whose time is over and sends the reminders that are due; returns how many
    /// versions it has changed. One that cannot be read is logged and passed over. Errors: the
    /// database cannot be written.
    pub async fn advance_offers(&self, now: Time) -> Result<usize> {
        let (mut advanced, mut passed_over) = (0, 0);
        loop {
            let found = self.read(move |conn| due(conn, now, passed_over)).await?;
            if found.is_empty() {
                return Ok(advanced);
            }
            for id in found {
                let VersionId { number, version } = id.clone();
                match self.write(move |conn| advance(conn, &id, now)).await {
                    Ok(()) => advanced += 1,
                    Err(error) if error.is_disk_error() || matches!(error, Error::Busy) => {
                        return Err(error);
                    }
                    Err(error) => {
                        passed_over += 1;
                        tracing::error!(number, version, %error, "an offer is passed over");
                    }
                }
            }
        }
    }
}

/// The versions that wait for an answer, of which an end or a reminder is due, without the first
/// `passed_over`.
fn due(conn: &Connection, now: Time, passed_over: u32) -> Result<Vec<VersionId>> {
    let sql = "SELECT number, version FROM offer_states
        WHERE state = 'sent' AND (expires_at <= ?1 OR expires_at <= ?2 AND reminders < 1
          OR expires_at <= ?3 AND reminders < 2)
        ORDER BY expires_at, number LIMIT ?4 OFFSET ?5";
    let [first, second] = REMINDERS.map(|before| now.plus_millis(before).to_string());
    let values = params![now.to_string(), first, second, BATCH, passed_over];
    query::all(conn, sql, values, read::version_id)
}

fn advance(conn: &Connection, id: &VersionId, now: Time) -> Result<()> {
    let VersionId { number, version } = id;
    let offer = read::offer(conn, number)?;
    let sent = offer.sent(*version).ok_or(Error::Missing)?;
    // Between the list and this transaction it may have been answered.
    if sent.state != OfferState::Sent {
        return Ok(());
    }
    let request = offer.request.as_ref().ok_or(Error::Missing)?;
    if now >= sent.expires_at {
        let answered = Answered {
            id: id.clone(),
            state: OfferState::Expired,
            by: String::new(),
            reason: None,
        };
        answers::close(conn, request, &answered, None, None, now)?;
        return send::touch(conn, number, now);
    }
    let due = REMINDERS
        .iter()
        .filter(|before| sent.expires_at <= now.plus_millis(**before))
        .count();
    let due = u32::try_from(due).unwrap_or(u32::MAX);
    let sql = "UPDATE offer_states SET reminders = ?3 WHERE number = ?1 AND version = ?2";
    query::execute(conn, sql, params![number, version, due])?;
    // An offer that was sent just now needs no reminder yet.
    if sent.sent_at.plus_millis(QUIET_MS) > now {
        return Ok(());
    }
    let event = Event::OfferReminded(OfferReminded {
        number: number.clone(),
        version: *version,
        reminder: due,
    });
    events::add(conn, request, None, &event, now)?;
    let notice = OfferNotice {
        email: OfferEmail::Reminder,
        to: Some(sent.recipient.clone()),
        ..OfferNotice::new(&request.id, number, *version)
    };
    outbox::enqueue(conn, &Notice::Offer(notice), now)
}
