//! The offers of a request as its lists and its history know them. `offers` has the rest.

use poem_openapi::Object;
use rusqlite::{Connection, params};

use super::{acceptances, emails};
use crate::database::row::read_row;
use crate::{Result, query};
use domain::offer::state::OfferState;
use domain::request::event::{EmailState, OfferSent};

/// The offer of a request that was sent last, for the list of requests.
#[derive(Clone, Debug, Object)]
#[oai(rename = "ListedOffer")]
pub struct SentOffer {
    /// As `GP-2K7Q-1`.
    pub number: String,
    pub state: OfferState,
    /// For a week if `is_weekly`, else for the term.
    pub total_cents: i64,
    pub is_weekly: bool,
    /// Whether the customer has accepted it, and nobody has confirmed that.
    pub is_unconfirmed: bool,
}

/// The offer of a request that was sent last.
pub(crate) fn newest_of(conn: &Connection, seq: i64) -> Result<Option<SentOffer>> {
    let sql = "SELECT number, state, total_cents, is_weekly
        FROM offers JOIN offer_states USING (number, version)
        WHERE seq = ?1 ORDER BY sent_at DESC, number DESC LIMIT 1";
    let found = query::optional(conn, sql, [seq], |found| {
        read_row!(found => SentOffer {
            number, state, total_cents, is_weekly; is_unconfirmed: false,
        })
    })?;
    let Some(offer) = found else {
        return Ok(None);
    };
    Ok(Some(SentOffer {
        is_unconfirmed: offer.state == OfferState::Accepted
            && acceptances::is_unconfirmed(conn, seq, &offer.number)?,
        ..offer
    }))
}

/// Takes back a version whose email has not left, and puts the one before it in its place. Call it
/// inside the `write` job that records it. False if the email is being sent or was sent, or the
/// version was answered.
pub(crate) fn take_back(conn: &Connection, event: i64, sent: &OfferSent) -> Result<bool> {
    let OfferSent {
        number, version, ..
    } = sent;
    let is_waiting = "SELECT 1 FROM offers JOIN offer_states USING (number, version)
        WHERE number = ?1 AND version = ?2 AND state = 'sent'";
    if !query::exists(conn, is_waiting, params![number, version])? {
        return Ok(false);
    }
    let unsent = "DELETE FROM outbox
        WHERE event = ?1 AND kind = 'offer' AND state = 'due' AND attempts = 0";
    let deleted = query::execute(conn, unsent, [event])?;
    if deleted == 0 {
        return Ok(false);
    }
    for table in ["offer_versions", "offer_states"] {
        conn.execute(
            &format!("DELETE FROM {table} WHERE number = ?1 AND version = ?2"),
            params![number, version],
        )?;
    }
    conn.execute(
        "UPDATE offers SET version = ?2 WHERE number = ?1",
        params![number, version - 1],
    )?;
    if let Some(before) = sent.before {
        conn.execute(
            "UPDATE offer_states SET state = ?3, answered_at = NULL
             WHERE number = ?1 AND version = ?2 AND state = 'superseded'",
            params![number, version - 1, before.as_str()],
        )?;
    }
    emails::set_state(conn, Some(event), EmailState::Undone, None)?;
    Ok(true)
}
