//! What operators see of the outbox and do with it: counts, rows, late letters, retries on demand, and the end of old rows.

use rusqlite::{Row, params};

use super::{Error, Result, Store, row};
use crate::domain::clock::Time;
use crate::domain::ids;

/// How long an email may stay unsent before the log and the metrics say so, in milliseconds.
pub const LATE_AFTER: i64 = 60 * 60 * 1000;

/// How many letters wait, and how long the oldest has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutboxCounts {
    /// Letters that wait for a first or a further try.
    pub due: i64,
    /// Of these, the ones whose fact is more than an hour old.
    pub late: i64,
    /// Letters given up.
    pub failed: i64,
}

/// One row as an operator sees it; never the notice, which may carry a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    /// The row's id.
    pub id: i64,
    /// When the fact it tells of happened.
    pub created_at: Time,
    /// `contact`, `quote` or `account`.
    pub kind: String,
    /// `due`, `sent` or `failed`.
    pub state: String,
    /// When it is tried next.
    pub due_at: Time,
    /// Tries so far.
    pub attempts: u32,
    /// What went wrong last.
    pub last_error: Option<String>,
}

impl Store {
    /// How the outbox stands at `now`. Late emails are counted by their age, so that the figure
    /// holds even where no delivery task runs to mark them.
    ///
    /// # Errors
    /// What the database says.
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

    /// The letters that have not left, oldest first: failed ones, then waiting ones.
    ///
    /// # Errors
    /// What the database says.
    pub async fn undelivered_emails(&self, most: u32) -> Result<Vec<OutboxRow>> {
        self.read(move |conn| {
            let mut rows = conn.prepare_cached(
                "SELECT id, created_at, kind, state, due_at, attempts, last_error FROM outbox WHERE state = 'failed'
                 UNION ALL
                 SELECT id, created_at, kind, state, due_at, attempts, last_error FROM outbox WHERE state = 'due'
                 ORDER BY 4 DESC, 2, 1 LIMIT ?1",
            )?;
            let rows = rows.query_map([most], outbox_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Makes one failed or waiting letter due at once, with all its tries before it.
    ///
    /// # Errors
    /// `Missing` when there is no such letter; `Conflict` when it has left, or its secret is spent.
    pub async fn retry_email(&self, id: i64, now: Time) -> Result<()> {
        self.write(move |conn| {
            let (state, spent): (String, bool) = conn.query_row(
                "SELECT state, notice = '' FROM outbox WHERE id = ?1",
                [id],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            match (state.as_str(), spent) {
                ("sent", _) => return Err(Error::Conflict("this letter has left already".into())),
                (_, true) => return Err(Error::Conflict("the code and link of this letter no longer work; ask for a new letter".into())),
                _ => {}
            }
            conn.execute(
                "UPDATE outbox SET state = 'due', due_at = ?2, attempts = 0, unfinished = 0, tried_since = NULL, late = 0 WHERE id = ?1",
                params![id, now.to_string()],
            )?;
            Ok(())
        })
        .await
    }

    /// Makes every letter that has been tried and has not left due at once, except where its secret is spent; says how many.
    ///
    /// # Errors
    /// What the database says.
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

    /// Letters due since before `since` of which the log has not been told; told now, each once.
    ///
    /// # Errors
    /// What the database says.
    pub async fn newly_overdue(&self, since: Time, most: u32) -> Result<Vec<OutboxRow>> {
        let since = since.to_string();
        let late = "SELECT id FROM outbox INDEXED BY outbox_due WHERE state = 'due' AND late = 0 AND created_at < ?1 LIMIT ?2";
        let before = since.clone();
        let any = self
            .read(move |conn| Ok(conn.prepare_cached(late)?.exists(params![before, most])?))
            .await?;
        if !any {
            return Ok(Vec::new());
        }
        self.write(move |conn| {
            let mut told = conn.prepare_cached(
                "UPDATE outbox SET late = 1 WHERE id IN (
                   SELECT id FROM outbox INDEXED BY outbox_due WHERE state = 'due' AND late = 0 AND created_at < ?1 LIMIT ?2)
                 RETURNING id, created_at, kind, state, due_at, attempts, last_error",
            )?;
            let rows = told.query_map(params![since, most], outbox_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Removes up to `most` rows of letters that left before `before`; says how many. Ids sort by time, so no row that is younger is looked at.
    ///
    /// # Errors
    /// What the database says.
    pub async fn delete_sent_emails(&self, before: Time, most: u32) -> Result<usize> {
        let bound = ids::first_seq(before);
        self.write(move |conn| {
            Ok(conn
                .prepare_cached("DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE id < ?1 AND state = 'sent' LIMIT ?2)")?
                .execute(params![bound, most])?)
        })
        .await
    }
}

fn outbox_row(found: &Row<'_>) -> rusqlite::Result<OutboxRow> {
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
