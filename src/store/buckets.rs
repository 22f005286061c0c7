//! Refilling buckets in the database (GCRA: a bucket is one moment, at which it will be full again), for limits that must survive a restart and be exact under
//! concurrent requests. Also the addresses from which a user has signed in before.

use rusqlite::{Connection, OptionalExtension, params};

use super::Result;
use crate::domain::clock::Time;

/// How much a bucket holds and how fast it refills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// What it holds when full.
    pub burst: u32,
    /// Milliseconds for one to come back.
    pub refill_ms: i64,
}

/// Takes one from the bucket. `Err` holds the milliseconds until one is there.
pub(crate) fn take(
    conn: &Connection,
    bucket: &str,
    rate: Rate,
    now: Time,
) -> Result<std::result::Result<(), i64>> {
    let full_at: Option<i64> = conn
        .prepare_cached("SELECT full_at FROM buckets WHERE bucket = ?1")?
        .query_row([bucket], |row| row.get(0))
        .optional()?;
    let next = full_at.unwrap_or(0).max(now.millis()) + rate.refill_ms;
    let short = next - now.millis() - rate.refill_ms * i64::from(rate.burst);
    if short > 0 {
        return Ok(Err(short));
    }
    conn.prepare_cached("INSERT OR REPLACE INTO buckets (bucket, full_at) VALUES (?1, ?2)")?
        .execute(params![bucket, next])?;
    Ok(Ok(()))
}

/// Puts one back.
pub(crate) fn give_back(conn: &Connection, bucket: &str, rate: Rate) -> Result<()> {
    conn.prepare_cached("UPDATE buckets SET full_at = full_at - ?2 WHERE bucket = ?1")?
        .execute(params![bucket, rate.refill_ms])?;
    Ok(())
}

/// Fills a bucket at once.
pub(crate) fn fill(conn: &Connection, bucket: &str) -> Result<()> {
    conn.prepare_cached("DELETE FROM buckets WHERE bucket = ?1")?
        .execute([bucket])?;
    Ok(())
}

/// Forgets full buckets.
pub(crate) fn prune(conn: &Connection, now: Time) -> Result<usize> {
    Ok(conn
        .prepare_cached("DELETE FROM buckets WHERE full_at < ?1")?
        .execute([now.millis()])?)
}

/// Whether the user has signed in from this address before.
pub(crate) fn is_known_client(conn: &Connection, user_id: &str, client: &str) -> Result<bool> {
    Ok(conn
        .prepare_cached("SELECT 1 FROM known_clients WHERE user_id = ?1 AND client = ?2")?
        .exists([user_id, client])?)
}

/// Remembers from where a user signs in: the last ten places.
pub(crate) fn know_client(conn: &Connection, user_id: &str, client: &str, now: Time) -> Result<()> {
    conn.prepare_cached(
        "INSERT OR REPLACE INTO known_clients (user_id, client, seen_at) VALUES (?1, ?2, ?3)",
    )?
    .execute([user_id, client, &now.to_string()])?;
    conn.prepare_cached(
        "DELETE FROM known_clients WHERE user_id = ?1 AND client NOT IN
           (SELECT client FROM known_clients WHERE user_id = ?1 ORDER BY seen_at DESC LIMIT 10)",
    )?
    .execute([user_id])?;
    Ok(())
}
