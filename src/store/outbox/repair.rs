//! Repairs times in the outbox that are later than possible: they were written before the clock was
//! set back, and would delay emails.

use rusqlite::{Connection, params};

use crate::{Result, Store, query};
use domain::clock::{MINUTE_MS, Time};
use domain::ids;

/// The longest time until a rescheduled row is due, in milliseconds. A later due time was written
/// before the clock was set back.
pub const MAX_WAIT_MS: i64 = 75 * MINUTE_MS;

/// How much later than a claim's own time another process may have claimed: the claim took its
/// time, then waited for the lock of that process (less than three seconds, `group_commit`).
const LOCK_WAIT_MS: i64 = 10_000;

/// The latest end of a lease by a clock that was not set back.
pub(crate) fn latest_lease(lease_millis: i64, now: Time) -> Time {
    now.plus_millis(lease_millis + LOCK_WAIT_MS)
}

impl Store {
    /// Repairs rows written before the clock was set back: rows whose delay exceeds the entry of
    /// `longest_waits` for their number of attempts (the last entry is for all further ones) become
    /// due immediately, and creation times in the future become `now`. Run it at the first poll of
    /// the outbox and after a clock change.
    pub async fn repair_outbox(&self, longest_waits: Vec<i64>, now: Time) -> Result<()> {
        let future = ids::first_seq(now.plus_millis(1));
        let any = self
            .read(move |conn| {
                let future_rows = "SELECT 1 FROM outbox WHERE state = 'due'
                                   AND priority IN (0, 1, 2) AND due_at > ?1
                                   UNION ALL SELECT 1 FROM outbox WHERE id >= ?2";
                query::exists(conn, future_rows, params![now.to_string(), future])
            })
            .await?;
        if !any {
            return Ok(());
        }
        self.write(move |conn| {
            let at = now.to_string();
            let mut reschedule = conn.prepare_cached(
                "UPDATE outbox SET due_at = ?1
                 WHERE state = 'due' AND priority IN (0, 1, 2) AND due_at > ?2
                 AND min(attempts, ?4) = ?3",
            )?;
            let last = longest_waits.len().saturating_sub(1);
            for (attempts, wait) in (0_i64..).zip(&longest_waits) {
                let longest = now.plus_millis(*wait).to_string();
                let last = i64::try_from(last).unwrap_or(i64::MAX);
                reschedule.execute(params![at, longest, attempts, last])?;
            }
            let sql = "UPDATE outbox SET created_at = ?1
                WHERE id >= ?2 AND state = 'due' AND created_at > ?1";
            query::execute(conn, sql, params![at, future])?;
            Ok(())
        })
        .await
    }
}

/// Repairs leases and due times that are later than possible, because the clock was set back: a
/// lease then lasts its full time from now, and rescheduled rows are due.
pub(crate) fn repair_future_times(conn: &Connection, lease_millis: i64, now: Time) -> Result<()> {
    conn.prepare_cached("UPDATE outbox SET lease = ?1 WHERE lease IS NOT NULL AND lease > ?2")?
        .execute([
            now.plus_millis(lease_millis).to_string(),
            latest_lease(lease_millis, now).to_string(),
        ])?;
    let sql = "UPDATE outbox SET due_at = ?1
        WHERE state = 'due' AND priority IN (0, 1, 2) AND due_at > ?2";
    query::execute(
        conn,
        sql,
        params![now.to_string(), now.plus_millis(MAX_WAIT_MS).to_string()],
    )?;
    Ok(())
}
