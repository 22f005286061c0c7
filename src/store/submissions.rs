//! What makes a submission count once and not too often: the idempotency key and the sliding window, judged in the transaction that stores the form's row.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Result;
use crate::domain::clock::Time;
use crate::domain::quote::Receipt;

/// How long an answer is remembered under its key.
const REMEMBERED_MS: i64 = 24 * 60 * 60 * 1000;
/// How long equal content without a key counts as the same submission: the second click and the reload of a page without JavaScript.
const DOUBLE_MS: i64 = 10 * 60 * 1000;

/// Who submits, what identifies the submission, and how often it may happen.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The keyed hash of the client's address.
    pub client: String,
    /// The key the form made, if it could.
    pub key: Option<String>,
    /// A hash of the content.
    pub fingerprint: String,
    /// Submissions allowed in the window.
    pub max: u32,
    /// The window in milliseconds.
    pub window_ms: u32,
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// It is stored, with its notice.
    Stored(Receipt),
    /// It was stored before; this is that answer.
    Again(Receipt),
    /// The window is full.
    TooMany {
        /// Milliseconds until it is not.
        wait_ms: i64,
    },
    /// The key belongs to other content.
    KeyReused,
}

/// Judges `submission` and, where it is new and allowed, runs `insert` (which gives the new row's id). Call it inside a `write` job.
pub(super) fn once(
    conn: &Connection,
    form: &str,
    submission: &Submission,
    now: Time,
    insert: impl FnOnce(&Connection) -> Result<String>,
) -> Result<Submitted> {
    if let Some((fingerprint, receipt)) = remembered(conn, form, submission, now)? {
        return Ok(if fingerprint == submission.fingerprint {
            Submitted::Again(receipt)
        } else {
            Submitted::KeyReused
        });
    }
    if let Some(wait_ms) = wait(conn, form, submission, now)? {
        return Ok(Submitted::TooMany { wait_ms });
    }
    forget(conn, submission.window_ms, now)?;
    let id = insert(conn)?;
    conn.prepare_cached(
        "INSERT OR REPLACE INTO submissions (form, client, at, key, fingerprint, subject_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        form,
        submission.client,
        now.millis(),
        submission.key,
        submission.fingerprint,
        id
    ])?;
    Ok(Submitted::Stored(Receipt {
        id,
        created_at: now,
    }))
}

/// What was answered under the same key; where there is none, to the same content from the same client. With the fingerprint of that content.
fn remembered(
    conn: &Connection,
    form: &str,
    submission: &Submission,
    now: Time,
) -> Result<Option<(String, Receipt)>> {
    let answer = |row: &Row<'_>| {
        let (id, created_at) = (row.get(1)?, Time::from_millis(row.get(2)?));
        Ok((row.get(0)?, Receipt { id, created_at }))
    };
    let found = match &submission.key {
        Some(key) => conn
            .prepare_cached(
                "SELECT fingerprint, subject_id, at FROM submissions WHERE form = ?1 AND key = ?2 AND at > ?3",
            )?
            .query_row(params![form, key, now.millis() - REMEMBERED_MS], answer),
        None => conn
            .prepare_cached(
                "SELECT fingerprint, subject_id, at FROM submissions
                 WHERE form = ?1 AND client = ?2 AND at > ?3 AND key IS NULL AND fingerprint = ?4 ORDER BY at DESC LIMIT 1",
            )?
            .query_row(
                params![
                    form,
                    submission.client,
                    now.millis() - DOUBLE_MS,
                    submission.fingerprint
                ],
                answer,
            ),
    };
    Ok(found.optional()?)
}

/// Milliseconds until the client may submit again, or `None` if it may now. A row from more than a window in the future is from a clock that has since
/// been set back, and does not count.
fn wait(conn: &Connection, form: &str, submission: &Submission, now: Time) -> Result<Option<i64>> {
    let window = i64::from(submission.window_ms);
    let mut find = conn.prepare_cached("SELECT at FROM submissions WHERE form = ?1 AND client = ?2 AND at > ?3 AND at <= ?4 ORDER BY at DESC LIMIT 1 OFFSET ?5")?;
    let oldest: Option<i64> = find
        .query_row(
            params![
                form,
                submission.client,
                now.millis() - window,
                now.millis() + window,
                submission.max - 1
            ],
            |row| row.get(0),
        )
        .optional()?;
    Ok(oldest.map(|at| (at + window - now.millis()).max(1)))
}

/// Drops some of what no longer matters, oldest first: more than a submission adds, and never so much at once that somebody waits for it.
fn forget(conn: &Connection, window_ms: u32, now: Time) -> Result<()> {
    let until = now.millis() - REMEMBERED_MS.max(i64::from(window_ms));
    let mut oldest = conn.prepare_cached("SELECT at FROM submissions ORDER BY rowid LIMIT 1")?;
    let oldest: Option<i64> = oldest.query_row([], |row| row.get(0)).optional()?;
    if oldest.is_some_and(|at| at <= until) {
        conn.prepare_cached("DELETE FROM submissions WHERE rowid IN (SELECT rowid FROM submissions ORDER BY rowid LIMIT 4) AND at <= ?1")?
            .execute([until])?;
    }
    Ok(())
}
