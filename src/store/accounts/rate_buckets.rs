//! Token buckets in the database (GCRA: a bucket is stored as the time at which it is full again),
//! for rate limits that survive a restart and are exact under concurrent requests. Also the client
//! addresses of earlier sign-ins.

use rusqlite::{Connection, params};

use crate::{Result, query};
use domain::clock::Time;

/// The capacity and the refill rate of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Tokens in a full bucket.
    pub burst: u32,
    /// Milliseconds to refill one token.
    pub refill_ms: i64,
}

impl Rate {
    /// Milliseconds until an empty bucket is full.
    const fn capacity_ms(self) -> i64 {
        self.refill_ms.saturating_mul(self.burst as i64)
    }
}

/// Takes one token. `Err` holds the milliseconds until the next one.
pub fn take(
    conn: &Connection,
    bucket: &str,
    rate: Rate,
    now: Time,
) -> Result<std::result::Result<(), i64>> {
    let sql = "SELECT full_at FROM buckets WHERE bucket = ?1";
    let full_at: Option<i64> = query::optional(conn, sql, [bucket], |row| row.get(0))?;
    let empty_until = now.millis().saturating_add(rate.capacity_ms());
    let next = full_at.unwrap_or(0).max(now.millis()) + rate.refill_ms;
    let wait_ms = next - empty_until;
    if wait_ms > 0 {
        return Ok(Err(wait_ms));
    }
    let sql = "INSERT OR REPLACE INTO buckets (bucket, full_at) VALUES (?1, ?2)";
    query::execute(conn, sql, params![bucket, next])?;
    Ok(Ok(()))
}

/// Returns a token that was taken at `taken`. A full bucket has no row.
pub fn refund(conn: &Connection, bucket: &str, rate: Rate, taken: Time) -> Result<()> {
    let sql = "UPDATE buckets SET full_at = full_at - ?2 WHERE bucket = ?1";
    query::execute(conn, sql, params![bucket, rate.refill_ms])?;
    let sql = "DELETE FROM buckets WHERE bucket = ?1 AND full_at <= ?2";
    query::run(conn, sql, params![bucket, taken.millis()])
}

pub fn fill(conn: &Connection, bucket: &str) -> Result<()> {
    query::run(conn, "DELETE FROM buckets WHERE bucket = ?1", [bucket])
}

/// Deletes full buckets.
pub fn prune(conn: &Connection, now: Time) -> Result<usize> {
    let sql = "DELETE FROM buckets WHERE full_at < ?1";
    query::execute(conn, sql, [now.millis()])
}

/// Whether the user has signed in from this address before.
pub fn is_known_client(conn: &Connection, user_id: &str, client: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM known_clients WHERE user_id = ?1 AND client = ?2";
    query::exists(conn, sql, [user_id, client])
}

/// Records the client address of a sign-in; the last ten are kept.
pub fn record_known_client(
    conn: &Connection,
    user_id: &str,
    client: &str,
    now: Time,
) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO known_clients (user_id, client, seen_at) VALUES (?1, ?2, ?3)";
    query::execute(conn, sql, [user_id, client, &now.to_string()])?;
    let sql = "DELETE FROM known_clients WHERE user_id = ?1 AND client NOT IN
        (SELECT client FROM known_clients WHERE user_id = ?1 ORDER BY seen_at DESC LIMIT 10)";
    query::run(conn, sql, [user_id])
}
