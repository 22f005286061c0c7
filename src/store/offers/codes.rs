//! Codes that confirm another address than the recipient's.

use rusqlite::{Connection, params};

use super::offer::SentVersion;
use super::read;
use crate::{Error, Result, Store, outbox, query};
use domain::clock::{HOUR_MS, Time};
use domain::email::notice::Notice;
use domain::email::offer_notice::{OfferEmail, OfferNotice};
use domain::offer::state::OfferState;

/// How long a code is valid, in minutes.
pub const CODE_MINUTES: i64 = 15;
/// Wrong codes after which a new one is needed.
const MAX_TRIES: i64 = 5;
/// Codes of one offer within `WINDOW_MS`.
const MAX_CODES: i64 = 5;
const WINDOW_MS: i64 = HOUR_MS;

/// A code to be sent.
#[derive(Clone, Debug)]
pub struct NewCode {
    pub number: String,
    pub version: u32,
    /// The address that it confirms.
    pub address: String,
    /// Its stored form.
    pub code: String,
    /// The code, sealed for the email.
    pub sealed: String,
    /// Whether it is sent although the address has a valid code.
    pub is_another: bool,
}

/// The outcome of a code.
#[derive(Clone, Debug)]
pub enum CodeOutcome {
    /// It was sent, or the address had a valid code that stays.
    Sent,
    /// Too many codes were asked for: wait an hour.
    TooMany,
    /// The version is no longer open.
    Closed(Box<SentVersion>),
}

impl Store {
    /// Stores a code in place of the one before, and enqueues its email. A valid code of the same
    /// address stays, unless another was asked for: the customer may be about to type it. Errors:
    /// `Missing` for an unknown version or if its request was deleted.
    pub async fn send_offer_code(&self, new: NewCode, now: Time) -> Result<CodeOutcome> {
        self.write(move |conn| {
            let offer = read::offer(conn, &new.number)?;
            let request = offer.request.as_ref().ok_or(Error::Missing)?;
            let sent = offer.sent(new.version).ok_or(Error::Missing)?;
            if sent.state_at(now) != OfferState::Sent {
                return Ok(CodeOutcome::Closed(Box::new(sent.clone())));
            }
            let in_hand = valid_code_address(conn, &new.number, now)?;
            let is_in_hand = in_hand.is_some_and(|it| it.eq_ignore_ascii_case(&new.address));
            if is_in_hand && !new.is_another {
                return Ok(CodeOutcome::Sent);
            }
            if !store(conn, &new, now)? {
                return Ok(CodeOutcome::TooMany);
            }
            let notice = OfferNotice {
                email: OfferEmail::Code,
                to: Some(new.address.clone()),
                code: Some(new.sealed.clone()),
                ..OfferNotice::new(&request.id, &new.number, new.version)
            };
            outbox::enqueue(conn, &Notice::Offer(notice), now)?;
            Ok(CodeOutcome::Sent)
        })
        .await
    }

    /// Whether a code of an offer can still be typed.
    pub async fn has_offer_code(&self, number: String, now: Time) -> Result<bool> {
        self.read(move |conn| Ok(valid_code_address(conn, &number, now)?.is_some()))
            .await
    }
}

/// The address whose code can still be typed.
fn valid_code_address(conn: &Connection, number: &str, now: Time) -> Result<Option<String>> {
    let address = "SELECT address FROM offer_codes
        WHERE number = ?1 AND tries < ?2 AND created_at > ?3";
    let values = params![number, MAX_TRIES, oldest(now)];
    query::optional(conn, address, values, |row| row.get(0))
}

/// The time after which a valid code was made.
fn oldest(now: Time) -> String {
    now.plus_seconds(-CODE_MINUTES * 60).to_string()
}

/// Stores a code unless there were too many; returns whether it did.
fn store(conn: &Connection, new: &NewCode, now: Time) -> Result<bool> {
    let window = now.plus_millis(-WINDOW_MS).to_string();
    let sent = "SELECT sent FROM offer_codes WHERE number = ?1 AND since > ?2";
    let sent: Option<i64> =
        query::optional(conn, sent, params![new.number, window], |row| row.get(0))?;
    if sent.is_some_and(|sent| sent >= MAX_CODES) {
        return Ok(false);
    }
    conn.execute(
        "INSERT INTO offer_codes (number, address, code, created_at, since, sent)
         VALUES (?1, ?2, ?3, ?4, ?4, 1) ON CONFLICT (number) DO UPDATE SET
           address = ?2, code = ?3, created_at = ?4, tries = 0,
           since = iif(?5, since, ?4), sent = iif(?5, sent + 1, 1)",
        params![
            new.number,
            new.address,
            new.code,
            now.to_string(),
            sent.is_some()
        ],
    )?;
    Ok(true)
}

/// Whether `code`, in its stored form, is the valid one for `address`. A wrong one is counted.
pub(super) fn take(
    conn: &Connection,
    number: &str,
    address: &str,
    code: &str,
    now: Time,
) -> Result<bool> {
    let oldest = oldest(now);
    let is_valid = "SELECT 1 FROM offer_codes WHERE number = ?1 AND code = ?2 AND tries < ?3
        AND created_at > ?4 AND address = ?5 COLLATE NOCASE";
    let values = params![number, code, MAX_TRIES, oldest, address];
    let is_valid = query::exists(conn, is_valid, values)?;
    let change = match is_valid {
        true => "DELETE FROM offer_codes WHERE number = ?1",
        false => "UPDATE offer_codes SET tries = tries + 1 WHERE number = ?1",
    };
    query::run(conn, change, [number])?;
    Ok(is_valid)
}
