//! Idempotency and rate limiting of form submissions: the idempotency key and the sliding window
//! are checked in the transaction that inserts the row of the form.

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::inbox::spam::spam_hold;
use super::inbox::spam::spam_hold::Judged;
use super::{Result, query};
use domain::clock::{DAY_MS, MINUTE_MS, Time};
use domain::rate_limit::SITE_FACTOR;
use domain::request::quote::Receipt;
use domain::spam::Assessment;
use index::{Content, SubmissionIndex};

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
pub(super) fn insert_once(
    conn: &Connection,
    index: &Mutex<SubmissionIndex>,
    form: &str,
    submission: &Submission,
    now: Time,
    insert: impl FnOnce(&Connection, Judged) -> Result<(String, String)>,
) -> Result<Submitted> {
    let mut index = index.lock();
    index.sync(conn)?;
    if let Some((fingerprint, receipt)) = stored_receipt(conn, &index, form, submission, now)? {
        return Ok(if fingerprint == submission.fingerprint {
            Submitted::Duplicate(receipt)
        } else {
            Submitted::KeyReused
        });
    }
    if let Some(wait_ms) = wait_ms(conn, &index, form, submission, now)? {
        return Ok(Submitted::TooMany { wait_ms });
    }
    let judged = spam_hold::judge(conn, &mut index, &submission.spam, &submission.client)?;
    let (id, reference) = insert(conn, judged)?;
    let receipt = Receipt {
        id,
        reference,
        created_at: now,
    };
    record(conn, &mut index, form, submission, &receipt)?;
    prune(conn, &mut index, submission.window_ms, now)?;
    Ok(Submitted::Stored(receipt))
}

impl Submission {
    fn content(&self) -> Content<'_> {
        Content::of(self.key.as_deref(), &self.client, &self.fingerprint)
    }
}

/// The receipt that this client got for the same key, or for the same content without a key, and
/// the fingerprint of the content it was for.
fn stored_receipt(
    conn: &Connection,
    index: &SubmissionIndex,
    form: &str,
    submission: &Submission,
    now: Time,
) -> Result<Option<(String, Receipt)>> {
    let since = match submission.key {
        Some(_) => now.millis() - KEY_TTL_MS,
        None => now.millis() - KEYLESS_TTL_MS,
    };
    for row in index.rows_by_content(form, submission.content()) {
        let receipt = |row: &Row<'_>| {
            let receipt = Receipt {
                id: row.get(1)?,
                reference: row.get(3)?,
                created_at: Time::from_millis(row.get(2)?),
            };
            Ok((row.get(0)?, receipt))
        };
        let sql = "SELECT fingerprint, subject_id, at, reference FROM submissions
            WHERE rowid = ?1 AND form = ?2 AND key IS ?3 AND client = ?4 AND (key IS NOT NULL
            OR fingerprint = ?5)";
        let found = query::optional(
            conn,
            sql,
            params![
                row,
                form,
                submission.key,
                submission.client,
                submission.fingerprint
            ],
            receipt,
        )?;
        if let Some((fingerprint, receipt)) = found {
            let at = receipt.created_at.millis();
            // A row more than a window in the future was written before the clock was set back. A
            // key identifies one submission regardless of the time.
            let is_future = submission.key.is_none() && at > now.millis() + KEYLESS_TTL_MS;
            let counts = at > since && !is_future;
            return Ok(counts.then_some((fingerprint, receipt)));
        }
    }
    Ok(None)
}

/// Milliseconds until the client and its site may submit again, or `None` if they may submit now. A
/// row more than a window in the future was written before the clock was set back, and does not
/// count.
fn wait_ms(
    conn: &Connection,
    index: &SubmissionIndex,
    form: &str,
    submission: &Submission,
    now: Time,
) -> Result<Option<i64>> {
    let of_client = "SELECT at FROM submissions WHERE rowid = ?1 AND form = ?2 AND client = ?3";
    let client = Counted {
        key: &submission.client,
        find: of_client,
        max: submission.max as usize,
    };
    if let Some(wait_ms) = wait_of(conn, index, form, client, submission.window_ms, now)? {
        return Ok(Some(wait_ms));
    }
    let Some(site) = &submission.site else {
        return Ok(None);
    };
    let of_site = "SELECT at FROM submissions WHERE rowid = ?1 AND form = ?2 AND site = ?3";
    let site = Counted {
        key: site,
        find: of_site,
        max: submission.max.saturating_mul(SITE_FACTOR) as usize,
    };
    wait_of(conn, index, form, site, submission.window_ms, now)
}

/// Who is counted: by which key, how its rows are found, and how many it may have in the window.
#[derive(Clone, Copy)]
struct Counted<'a> {
    key: &'a str,
    find: &'a str,
    max: usize,
}

fn wait_of(
    conn: &Connection,
    index: &SubmissionIndex,
    form: &str,
    counted: Counted<'_>,
    window_ms: u32,
    now: Time,
) -> Result<Option<i64>> {
    let (window, mut left) = (i64::from(window_ms), counted.max);
    if !index.may_have(left, form, counted.key) {
        return Ok(None);
    }
    let mut find = conn.prepare_cached(counted.find)?;
    for row in index.rows_by_client(form, counted.key) {
        let at: Option<i64> = find
            .query_row(params![row, form, counted.key], |row| row.get(0))
            .optional()?;
        let Some(at) = at.filter(|at| *at <= now.millis() + window) else {
            continue;
        };
        if at <= now.millis() - window {
            break;
        }
        left -= 1;
        if left == 0 {
            return Ok(Some((at + window - now.millis()).max(1)));
        }
    }
    Ok(None)
}

fn record(
    conn: &Connection,
    index: &mut SubmissionIndex,
    form: &str,
    submission: &Submission,
    receipt: &Receipt,
) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO submissions
         (form, client, at, key, fingerprint, subject_id, reference, site)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        form,
        submission.client,
        receipt.created_at.millis(),
        submission.key,
        submission.fingerprint,
        receipt.id,
        receipt.reference,
        submission.site
    ])?;
    let row = conn.last_insert_rowid();
    index.add(row, form, &submission.client, submission.content());
    if let Some(site) = &submission.site {
        index.add_site(row, form, site);
    }
    Ok(())
}

/// Deletes a few expired rows, oldest first: more than a submission adds, but never so many that a
/// client waits. Called after an insertion: the newest row stays, so that no row id is reused.
fn prune(conn: &Connection, index: &mut SubmissionIndex, window_ms: u32, now: Time) -> Result<()> {
    let until = now.millis() - KEY_TTL_MS.max(i64::from(window_ms));
    let sql = "SELECT rowid, at FROM submissions ORDER BY rowid LIMIT 1";
    let (row, at): (i64, i64) = query::one(conn, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    index.prune_before(row);
    if at <= until {
        let sql = "DELETE FROM submissions WHERE rowid IN (SELECT rowid \
            FROM submissions ORDER BY rowid LIMIT 4) AND at <= ?1";
        query::execute(conn, sql, [until])?;
    }
    Ok(())
}

pub(super) mod index;
#[cfg(test)]
mod tests;
