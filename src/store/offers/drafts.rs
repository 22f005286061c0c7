//! Drafts of offers.

use rusqlite::{Connection, params};

use super::offer::Offer;
use super::read;
use crate::database::row;
use crate::request::requests;
use crate::{Result, Store, conflict, query};
use domain::clock::Time;
use domain::offer::draft::OfferDraft;
use domain::offer::state::OfferState;

/// Offers of one request.
const MAX_OFFERS: usize = 50;

/// A change of a draft.
#[derive(Clone, Debug)]
pub struct SavedOffer {
    pub number: String,
    /// The revision that was changed.
    pub revision: i64,
    pub draft: OfferDraft,
}

impl Store {
    /// The offers of a request and of its duplicates, the newest first. Errors: `Missing` for an
    /// unknown request.
    pub async fn offers_of_request(&self, id_or_reference: String) -> Result<Vec<Offer>> {
        self.read(move |conn| {
            let request = requests::find(conn, &id_or_reference)?;
            let duplicates = requests::duplicates(conn, request.seq)?;
            let seqs: Vec<i64> = std::iter::once(&request)
                .chain(&duplicates)
                .map(|request| request.seq)
                .collect();
            let condition = "seq IN (SELECT value FROM json_each(?1)) \
                             ORDER BY created_at DESC, number DESC";
            read::offers(conn, condition, [row::text(&seqs)?])
        })
        .await
    }

    /// Begins an offer with `draft`; returns the one that was begun before and not sent, if there
    /// is one. Errors: `Missing` for an unknown request; `Conflict` if it is held or has too many.
    pub async fn begin_offer(
        &self,
        id_or_reference: String,
        draft: OfferDraft,
        by: String,
        now: Time,
    ) -> Result<Offer> {
        self.write(move |conn| {
            let request = requests::find(conn, &id_or_reference)?;
            if request.held.is_some() {
                return conflict("This request is held as spam. Release it, then make an offer.");
            }
            let condition = "seq = ?1 ORDER BY created_at DESC, number DESC";
            let offers = read::offers(conn, condition, [request.seq])?;
            if let Some(begun) = offers.iter().find(|offer| offer.version == 0) {
                return Ok(begun.clone());
            }
            if offers.len() >= MAX_OFFERS {
                return conflict(format!(
                    "This request has {MAX_OFFERS} offers. Change one of them."
                ));
            }
            let number = format!("{}-{}", request.reference, next(conn, &request.reference)?);
            let sql = "INSERT INTO offers (number, seq, draft, created_at, created_by, updated_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?4)";
            let values = params![number, request.seq, row::text(&draft)?, now.to_string(), by];
            query::execute(conn, sql, values)?;
            read::offer(conn, &number)
        })
        .await
    }

    /// Saves a draft. Errors: `Missing` for an unknown offer; `Conflict` if it was changed since,
    /// or was accepted.
    pub async fn save_offer(&self, saved: SavedOffer, now: Time) -> Result<Offer> {
        self.write(move |conn| {
            let offer = read::offer(conn, &saved.number)?;
            if offer.state(now) == OfferState::Accepted {
                return conflict("This offer was accepted. Make a new offer instead.");
            }
            check_revision(&offer, saved.revision)?;
            let sql = "UPDATE offers SET draft = ?2, revision = revision + 1, updated_at = ?3
                WHERE number = ?1";
            let values = params![saved.number, row::text(&saved.draft)?, now.to_string()];
            query::execute(conn, sql, values)?;
            read::offer(conn, &saved.number)
        })
        .await
    }

    /// Deletes an offer that was never sent. Errors: `Missing` for an unknown one; `Conflict` if a
    /// version was sent.
    pub async fn discard_offer(&self, number: String) -> Result<()> {
        self.write(move |conn| {
            let offer = read::offer(conn, &number)?;
            if offer.version > 0 {
                return conflict("This offer was sent. Withdraw it instead.");
            }
            query::run(conn, "DELETE FROM offers WHERE number = ?1", [number])
        })
        .await
    }
}

pub(super) fn check_revision(offer: &Offer, revision: i64) -> Result<()> {
    match offer.revision == revision {
        true => Ok(()),
        false => conflict(
            "A colleague has changed this offer since you opened it. Reload it, then change it \
             again.",
        ),
    }
}

/// The next place among the offers of a reference. Those that were accepted stay when their request
/// is deleted, so that no number is used twice.
fn next(conn: &Connection, reference: &str) -> Result<i64> {
    let sql = "SELECT max(CAST(substr(number, length(?1) + 2) AS INTEGER)) FROM offers
        WHERE substr(number, 1, length(?1) + 1) = ?1 || '-'";
    let last: Option<Option<i64>> = query::optional(conn, sql, [reference], |row| row.get(0))?;
    Ok(last.flatten().unwrap_or_default() + 1)
}
