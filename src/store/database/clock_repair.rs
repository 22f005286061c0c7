//! Repairs stored times that are later than their rule allows, which were written before the clock
//! was set back. Times with other effects than an expiry are bounded where they are read:
//! `rate_buckets`, `outbox::delivery`, `on_call::repair`, `submissions`, `auth::sessions::refresh`,
//! `auth::factors::challenge` and `auth::keys::key_ring`. Two are not repaired: bans, which may be
//! permanent, and `used_nonces`.

use rusqlite::Connection;

use crate::Result;
use domain::clock::Time;

/// The longest lifetime of each kind of row, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct MaxLifetimes {
    /// A code and link sent by email.
    pub link: i64,
    pub invitation: i64,
    /// A PKCE code, or a sign-in that waits for a provider's redirect.
    pub code: i64,
    /// A challenge of a second factor.
    pub challenge: i64,
}

/// Limits expiry times to those of a row written now, and times of sessions to now.
pub fn repair(conn: &Connection, lifetimes: MaxLifetimes, now: Time) -> Result<()> {
    let MaxLifetimes {
        link,
        invitation,
        code,
        challenge,
    } = lifetimes;
    for (sql, latest) in [
        (
            "UPDATE one_time_tokens SET expires_at = ?1 WHERE expires_at > ?1 AND kind <> 'invite'",
            link,
        ),
        (
            "UPDATE one_time_tokens SET expires_at = ?1 WHERE expires_at > ?1 AND kind = 'invite'",
            invitation,
        ),
        (
            "UPDATE flows SET expires_at = ?1 WHERE expires_at > ?1",
            link.max(invitation).max(code),
        ),
        (
            "UPDATE flows SET expires_at = ?1
             WHERE expires_at > ?1 AND (code_digest IS NOT NULL OR state_digest IS NOT NULL)",
            code,
        ),
        (
            "UPDATE challenges SET expires_at = ?1 WHERE expires_at > ?1",
            challenge,
        ),
        (
            "UPDATE sessions SET created_at = ?1 WHERE created_at > ?1",
            0,
        ),
        (
            "UPDATE sessions SET refreshed_at = ?1 WHERE refreshed_at > ?1",
            0,
        ),
    ] {
        let latest = now.plus_seconds(latest).to_string();
        conn.prepare_cached(sql)?.execute([latest])?;
    }
    Ok(())
}
