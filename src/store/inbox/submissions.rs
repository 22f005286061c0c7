//! Idempotency and rate limiting of form submissions: the idempotency key and the sliding window
//! are checked in the transaction that inserts the row of the form.

use parking_lot::Mutex;
use rusqlite::{Connection, params};

use super::spam::spam_hold;
use super::spam::spam_hold::Judged;
use crate::{Result, query};
use domain::clock::{DAY_MS, MINUTE_MS, Time};
use domain::rate_limit::SITE_FACTOR;
use domain::request::quote::Receipt;
use domain::spam::Assessment;
use domain::spam::recent_texts::RecentTexts;

/// How long a repeated key returns the original receipt.
const KEY_TTL_MS: i64 = DAY_MS;
/// How long equal content without a key counts as a duplicate: a second click, or a reload of a
/// page without JavaScript.
const KEYLESS_TTL_MS: i64 = 10 * MINUTE_MS;

/// The client, the identity of the submission, and its rate limit.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The keyed hash of the client's address.
    pub client: String,
    /// The keyed hash of its IPv6 /48, which has `SITE_FACTOR` times the limit of a client.
    pub site: Option<String>,
    /// The idempotency key, if the form could generate one. Keys are per client.
    pub key: Option<String>,
    /// A hash of the content.
    pub fingerprint: String,
    /// Submissions allowed in the window.
    pub max: u32,
    /// The length of the window in milliseconds.
    pub window_ms: u32,
    /// The signals of spam.
    pub spam: Assessment,
}

/// The result of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// Stored, with its notice.
    Stored(Receipt),
    /// It was stored before; the original receipt.
    Duplicate(Receipt),
    /// Over the rate limit.
    TooMany {
        /// Milliseconds until the next submission is allowed.
        wait_ms: i64,
    },
    /// The key was used with other content.
    KeyReused,
}

/// Runs `insert` if `submission` is new and within its rate limit. `insert` gets the signals of
/// spam and whether they hold the request, and returns the id and the reference of the new row.
/// Call it inside a `write` job.
pub(crate) fn insert_once(
    conn: &Connection,
    texts: &Mutex<RecentTexts>,
    form: &str,
    submission: &Submission,
    now: Time,
    insert: impl FnOnce(&Connection, Judged) -> Result<(String, String)>,
) -> Result<Submitted> {
    if let Some((fingerprint, receipt)) = stored_receipt(conn, form, submission, now)? {
        return Ok(if fingerprint == submission.fingerprint {
            Submitted::Duplicate(receipt)
        } else {
            Submitted::KeyReused
        });
    }
    let turns = match turns(conn, form, submission, now)? {
        Ok(turns) => turns,
        Err(wait_ms) => return Ok(Submitted::TooMany { wait_ms }),
    };
    let texts = &mut texts.lock();
    let judged = spam_hold::judge(conn, texts, &submission.spam, &submission.client)?;
    let (id, reference) = insert(conn, judged)?;
    let receipt = Receipt {
        id,
        reference,
        created_at: now,
    };
    record(conn, form, submission, turns, &receipt)?;
    Ok(Submitted::Stored(receipt))
}

impl Submission {
    /// The entry by which the submission is recognized: its key, or its content if it has no key.
    fn entry(&self) -> String {
        format!("={}", self.key.as_ref().unwrap_or(&self.fingerprint))
    }
}

/// The entry that numbers a submission among those of its client or site.
fn turn_entry(nth: i64) -> String {
    format!("#{nth:012}")
}

/// The receipt that this client got for the same key, or for the same content without a key, and
/// the fingerprint of the content it was for. A key identifies one submission also after the clock
/// was set back.
fn stored_receipt(
    conn: &Connection,
    form: &str,
    submission: &Submission,
    now: Time,
) -> Result<Option<(String, Receipt)>> {
    let now = now.millis();
    let (since, until) = match submission.key {
        Some(_) => (now - KEY_TTL_MS, i64::MAX),
        None => (now - KEYLESS_TTL_MS, now + KEYLESS_TTL_MS),
    };
    let sql = "SELECT fingerprint, subject_id, at, reference FROM submissions
        WHERE form = ?1 AND client = ?2 AND entry = ?3 AND at > ?4 AND at <= ?5
        ORDER BY at DESC LIMIT 1";
    let values = params![form, submission.client, submission.entry(), since, until];
    query::optional(conn, sql, values, |row| {
        let receipt = Receipt {
            id: row.get(1)?,
            reference: row.get(3)?,
            created_at: Time::from_millis(row.get(2)?),
        };
        Ok((row.get(0)?, receipt))
    })
}

/// The next turn of a client, and of its site; or the milliseconds until they may submit again.
fn turns(
    conn: &Connection,
    form: &str,
    submission: &Submission,
    now: Time,
) -> Result<std::result::Result<Vec<Turn>, i64>> {
    let max = i64::from(submission.max);
    let site = submission.site.iter();
    let site = site.map(|site| (site, max * i64::from(SITE_FACTOR)));
    let mut turns = Vec::new();
    for (client, max) in std::iter::once((&submission.client, max)).chain(site) {
        match turn(conn, form, client, max, submission.window_ms, now)? {
            Ok(turn) => turns.push(turn),
            Err(wait_ms) => return Ok(Err(wait_ms)),
        }
    }
    Ok(Ok(turns))
}

/// A client or a site, and the entry of its submission.
type Turn = (String, String);

/// The next turn; or the milliseconds until there is one: until the last submission but `max` has
/// left the window. One that is more than a window in the future was stored before the clock was
/// set back, and does not count.
fn turn(
    conn: &Connection,
    form: &str,
    client: &str,
    max: i64,
    window_ms: u32,
    now: Time,
) -> Result<std::result::Result<Turn, i64>> {
    let (now, window) = (now.millis(), i64::from(window_ms));
    let newest = "SELECT coalesce(max(entry), '#0') FROM submissions
        WHERE form = ?1 AND client = ?2 AND entry >= '#' AND entry < '$'";
    let newest: String = query::one(conn, newest, [form, client], |row| row.get(0))?;
    let nth = newest[1..].parse::<i64>().unwrap_or_default() + 1;
    let last = "SELECT at FROM submissions
        WHERE form = ?1 AND client = ?2 AND entry = ?3 AND at > ?4 AND at <= ?5";
    let values = params![
        form,
        client,
        turn_entry(nth - max),
        now - window,
        now + window
    ];
    let at: Option<i64> = query::optional(conn, last, values, |row| row.get(0))?;
    Ok(match at {
        Some(at) => Err((at + window - now).max(1)),
        None => Ok((client.to_owned(), turn_entry(nth))),
    })
}

fn record(
    conn: &Connection,
    form: &str,
    submission: &Submission,
    turns: Vec<Turn>,
    receipt: &Receipt,
) -> Result<()> {
    let at = receipt.created_at.millis();
    let until = at + KEY_TTL_MS.max(i64::from(submission.window_ms));
    let sql = "INSERT OR REPLACE INTO submissions
        (form, client, entry, at, until, subject_id, fingerprint, reference)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let mut insert = conn.prepare_cached(sql)?;
    let id = &receipt.id;
    let mut add =
        |client: &str, entry: &str, fingerprint: Option<&str>, reference: Option<&str>| {
            let values = params![form, client, entry, at, until, id, fingerprint, reference];
            insert.execute(values).map(drop)
        };
    for (client, entry) in turns {
        add(&client, &entry, None, None)?;
    }
    let (fingerprint, reference) = (&submission.fingerprint, &receipt.reference);
    add(
        &submission.client,
        &submission.entry(),
        Some(fingerprint),
        Some(reference),
    )?;
    Ok(())
}

/// Forgets the submissions that no rule counts any more.
pub(crate) fn forget_old(conn: &Connection, now: Time) -> Result<()> {
    let sql = "DELETE FROM submissions WHERE until <= ?1";
    query::run(conn, sql, [now.millis()])
}
