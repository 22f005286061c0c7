//! Repairs stored times that lie further ahead than their rule allows: they were written by a clock
//! that has since been put back, and would hold for as long as it was wrong. Times that decide more
//! than the end of a row are bounded where they are read: `buckets`, `outbox`, `submissions`,
//! `auth::refresh`, `auth::challenge` and `auth::key_ring`. Two are left as they are: a ban, which
//! may be meant to last for ever, and what works once (`spent`).

use rusqlite::Connection;

use super::Result;
use crate::domain::clock::Time;

/// How far ahead the end of each kind of row may lie, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaxLifetimes {
    /// A mailed code and its link.
    pub link: i64,
    /// An invitation.
    pub invitation: i64,
    /// A code for a browser that waits, or a sign-in that is away at a provider.
    pub code: i64,
    /// A challenge of a second factor.
    pub challenge: i64,
}

/// Lets what would end too late end when it would have, had it been written now; no session began
/// or was used in the future.
pub(crate) fn repair(conn: &Connection, longest: MaxLifetimes, now: Time) -> Result<()> {
    let MaxLifetimes {
        link,
        invitation,
        code,
        challenge,
    } = longest;
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
            "UPDATE flows SET expires_at = ?1 WHERE expires_at > ?1 AND (code_digest IS NOT NULL OR state_digest IS NOT NULL)",
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
