//! Repairs times in the outbox that lie further ahead than any can: a clock that has since been put
//! back wrote them, and emails would wait for it.

use rusqlite::{Connection, params};

use super::outbox::MAX_WAIT_MS;
use super::{Result, Store};
use crate::domain::clock::Time;
use crate::domain::ids;

impl Store {
    /// Repairs rows that a clock has written which has since been put back: one that waits longer
    /// than `longest_waits` says for its number of tries (the last entry is for all further ones)
    /// is due at once, and none was stored in the future. For the first look into the outbox, and
    /// after a step of the clock.
    ///
    /// # Errors
    /// What the database says.
    pub async fn repair_outbox(&self, longest_waits: Vec<i64>, now: Time) -> Result<()> {
        let future = ids::first_seq(now.plus_millis(1));
        let any = self
            .read(move |conn| {
                let future_rows = "SELECT 1 FROM outbox WHERE state = 'due' AND priority IN (0, 1, 2) AND due_at > ?1
                                   UNION ALL SELECT 1 FROM outbox WHERE id >= ?2";
                Ok(conn
                    .prepare_cached(future_rows)?
                    .exists(params![now.to_string(), future])?)
            })
            .await?;
        if !any {
            return Ok(());
        }
        self.write(move |conn| {
            let at = now.to_string();
            let mut waiting = conn.prepare_cached(
                "UPDATE outbox SET due_at = ?1
                 WHERE state = 'due' AND priority IN (0, 1, 2) AND due_at > ?2 AND min(attempts, ?4) = ?3",
            )?;
            let last = longest_waits.len().saturating_sub(1);
            for (attempts, wait) in (0_i64..).zip(&longest_waits) {
                let longest = now.plus_millis(*wait).to_string();
                let last = i64::try_from(last).unwrap_or(i64::MAX);
                waiting.execute(params![at, longest, attempts, last])?;
            }
            conn.prepare_cached("UPDATE outbox SET created_at = ?1 WHERE id >= ?2 AND state = 'due' AND created_at > ?1")?
                .execute(params![at, future])?;
            Ok(())
        })
        .await
    }
}

/// Leases and due times further ahead than any can be were written by a clock that has since been
/// put back: a lease then counts in full from now, and what waits is due.
pub(super) fn repair_far(conn: &Connection, lease_millis: i64, now: Time) -> Result<()> {
    conn.prepare_cached("UPDATE outbox SET lease = ?1 WHERE lease IS NOT NULL AND lease > ?1")?
        .execute([now.plus_millis(lease_millis).to_string()])?;
    conn.prepare_cached(
        "UPDATE outbox SET due_at = ?1 WHERE state = 'due' AND priority IN (0, 1, 2) AND due_at > ?2",
    )?
    .execute(params![
        now.to_string(),
        now.plus_millis(MAX_WAIT_MS).to_string()
    ])?;
    Ok(())
}
