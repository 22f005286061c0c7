//! Operators' view of the outbox: counts, unsent and late emails, retries on demand, and the
//! deletion of old rows.

use rusqlite::{Row, params};

use super::{Error, Result, Store, row};
use crate::domain::clock::Time;
use crate::domain::ids;

/// How long an email may stay unsent before the log and the metrics say so, in milliseconds.
pub const LATE_AFTER: i64 = 60 * 60 * 1000;

/// The number of unsent emails by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutboxCounts {
    /// Emails that wait for their first or next attempt.
    pub due: i64,
    /// Of these, the ones whose event is more than an hour ago.
    pub late: i64,
    /// Emails given up.
    pub failed: i64,
}

/// One row as shown to an operator, without the notice, which may contain a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    /// The row's id.
    pub id: i64,
    /// When the event that it reports happened.
    pub created_at: Time,
    /// `contact`, `quote` or `account`.
    pub kind: String,
    /// `due`, `sent` or `failed`.
    pub state: String,
    /// When the next attempt is due.
    pub due_at: Time,
    /// Attempts so far.
    pub attempts: u32,
    /// The error of the last attempt.
    pub last_error: Option<String>,
}

impl Store {
    /// The counts of the outbox at `now`. Late emails are counted by their age, which works even if
    /// no delivery worker runs to mark them.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn outbox_counts(&self, now: Time) -> Result<OutboxCounts> {
        let late_before = now.plus_millis(-LATE_AFTER).to_string();
        self.read(move |conn| {
            let counts = "SELECT (SELECT count(*) FROM outbox WHERE state = 'due'),
                                 (SELECT count(*) FROM outbox WHERE state = 'due' AND created_at < ?1),
                                 (SELECT count(*) FROM outbox WHERE state = 'failed')";
            Ok(conn.prepare_cached(counts)?.query_row([late_before], |row| {
                Ok(OutboxCounts {
                    due: row.get(0)?,
                    late: row.get(1)?,
                    failed: row.get(2)?,
                })
            })?)
        })
        .await
    }

    /// Unsent emails: failed ones, then due ones, oldest first.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn undelivered_emails(&self, limit: u32) -> Result<Vec<OutboxRow>> {
        self.read(move |conn| {
            let mut rows = conn.prepare_cached(
                "SELECT id, created_at, kind, state, due_at, attempts, last_error FROM outbox WHERE state = 'failed'
                 UNION ALL
                 SELECT id, created_at, kind, state, due_at, attempts, last_error FROM outbox WHERE state = 'due'
                 ORDER BY 4 DESC, 2, 1 LIMIT ?1",
            )?;
            let rows = rows.query_map([limit], read)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Makes one failed or due email due immediately, with its number of attempts reset.
    ///
    /// # Errors
    /// `Missing` for an unknown id; `Conflict` when the email was sent or its secret has expired.
    pub async fn retry_email(&self, id: i64, now: Time) -> Result<()> {
        self.write(move |conn| {
            let (state, expired): (String, bool) = conn.query_row(
                "SELECT state, notice = '' FROM outbox WHERE id = ?1",
                [id],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            match (state.as_str(), expired) {
                ("sent", _) => return Err(Error::Conflict("this email was sent already".into())),
                (_, true) => {
                    return Err(Error::Conflict(
                        "the code and link of this email no longer work; request a new email".into(),
                    ));
                }
                _ => {}
            }
            conn.execute(
                "UPDATE outbox SET state = 'due', due_at = ?2, attempts = 0, unfinished = 0, tried_since = NULL, late = 0
                 WHERE id = ?1",
                params![id, now.to_string()],
            )?;
            Ok(())
        })
        .await
    }

    /// Makes every email that failed or waits for a retry due immediately, unless its secret has
    /// expired; returns how many.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn retry_all_emails(&self, now: Time) -> Result<usize> {
        self.write(move |conn| {
            Ok(conn.execute(
                "UPDATE outbox SET state = 'due', due_at = ?1, attempts = 0, unfinished = 0, tried_since = NULL, late = 0
                 WHERE notice <> '' AND (state = 'failed' OR (state = 'due' AND due_at > ?1))",
                [now.to_string()],
            )?)
        })
        .await
    }

    /// Emails created before `since` that are still unsent; each is returned once.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn newly_overdue(&self, since: Time, limit: u32) -> Result<Vec<OutboxRow>> {
        let since = since.to_string();
        let overdue = "SELECT id FROM outbox INDEXED BY outbox_due WHERE state = 'due' AND late = 0 AND created_at < ?1 LIMIT ?2";
        let before = since.clone();
        let any = self
            .read(move |conn| {
                Ok(conn
                    .prepare_cached(overdue)?
                    .exists(params![before, limit])?)
            })
            .await?;
        if !any {
            return Ok(Vec::new());
        }
        self.write(move |conn| {
            let mut mark = conn.prepare_cached(
                "UPDATE outbox SET late = 1 WHERE id IN (
                   SELECT id FROM outbox INDEXED BY outbox_due WHERE state = 'due' AND late = 0 AND created_at < ?1 LIMIT ?2)
                 RETURNING id, created_at, kind, state, due_at, attempts, last_error",
            )?;
            let rows = mark.query_map(params![since, limit], read)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Deletes up to `limit` sent emails created before `before`; returns how many. Ids sort by
    /// time, so newer rows are not read.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn delete_sent_emails(&self, before: Time, limit: u32) -> Result<usize> {
        let bound = ids::first_seq(before);
        self.write(move |conn| {
            Ok(conn
                .prepare_cached(
                    "DELETE FROM outbox WHERE id IN (
                       SELECT id FROM outbox WHERE id < ?1 AND state = 'sent' LIMIT ?2)",
                )?
                .execute(params![bound, limit])?)
        })
        .await
    }
}

fn read(found: &Row<'_>) -> rusqlite::Result<OutboxRow> {
    Ok(OutboxRow {
        id: found.get("id")?,
        created_at: row::time(found, "created_at")?,
        kind: found.get("kind")?,
        state: found.get("state")?,
        due_at: row::time(found, "due_at")?,
        attempts: found.get("attempts")?,
        last_error: found.get("last_error")?,
    })
}
