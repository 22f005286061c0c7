//! Deletes old requests that were held as spam.

use std::time::Duration;

use rusqlite::{Connection, params};

use crate::figures::kept::Deletion;
use crate::inbox::notes;
use crate::inbox::submissions;
use crate::{Result, Store};
use domain::clock::{Clock, DAY_MS, Time};
use domain::ids;

/// How often old held requests are deleted.
const PURGE_INTERVAL: Duration = Duration::from_secs(3600);
/// Requests deleted in one transaction: takes as long as a few dozen posts.
const PURGE_BATCH: usize = 200;

impl Store {
    /// Deletes the held requests that were received, or marked as spam by an admin, more than
    /// `days` days ago, and returns how many; and the texts of deleted notes, and submissions that
    /// no rule counts any more. Errors: the error of the database; what was deleted before it stays
    /// deleted.
    pub async fn purge_held(&self, days: u32, now: Time) -> Result<usize> {
        let until = now.plus_millis(-i64::from(days) * DAY_MS);
        self.write(move |conn| {
            submissions::forget_old(conn, now)?;
            notes::forget_deleted(conn, now)
        })
        .await?;
        let mut deleted = 0;
        loop {
            let batch = self.write(move |conn| purge(conn, until)).await?;
            deleted += batch;
            if batch < PURGE_BATCH {
                return Ok(deleted);
            }
        }
    }

    /// Deletes old held requests at intervals until the server stops.
    pub async fn run_held_purge(self, days: u32, clock: Clock) {
        loop {
            let now = clock.now();
            match self.purge_held(days, now).await {
                Ok(0) => {}
                Ok(deleted) => {
                    tracing::info!(deleted, "deleted old requests that were held as spam")
                }
                Err(error) => tracing::warn!(%error, "old held requests could not be deleted"),
            }
            tokio::time::sleep(PURGE_INTERVAL).await;
        }
    }
}

/// Deletes up to `PURGE_BATCH` requests with their words and events.
fn purge(conn: &Connection, until: Time) -> Result<usize> {
    let mut find = conn.prepare_cached(
        "SELECT seq FROM requests WHERE held IS NOT NULL AND merged_into IS NULL AND seq < ?1
           AND (held_at IS NULL OR held_at < ?3)
         ORDER BY seq LIMIT ?2",
    )?;
    let old = find.query_map(
        params![ids::first_seq(until), PURGE_BATCH as i64, until.to_string()],
        |row| row.get(0),
    )?;
    let old: Vec<i64> = old.collect::<rusqlite::Result<_>>()?;
    let deletion = Deletion::begin(conn, &old, None)?;
    for seq in &old {
        for sql in [
            "DELETE FROM request_words WHERE rowid = ?1",
            "DELETE FROM events WHERE seq = ?1",
            "DELETE FROM requests WHERE seq = ?1",
        ] {
            conn.prepare_cached(sql)?.execute([seq])?;
        }
    }
    deletion.end(conn)?;
    Ok(old.len())
}
