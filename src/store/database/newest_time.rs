//! The newest stored time, from which the clock of a process goes on.

use rusqlite::Connection;

use crate::{Result, Store, query};
use domain::clock::Time;

/// What is written as it happens, so that one of these rows is the newest.
const NEWEST: &str = "SELECT max(at) FROM (
    SELECT (SELECT created_at FROM requests ORDER BY seq DESC LIMIT 1) AS at
    UNION ALL SELECT (SELECT at FROM events ORDER BY id DESC LIMIT 1)
    UNION ALL SELECT (SELECT created_at FROM outbox ORDER BY id DESC LIMIT 1)
    UNION ALL SELECT max(at) FROM audit
    UNION ALL SELECT max(refreshed_at) FROM sessions)";

impl Store {
    /// The newest stored time; `None` if nothing is stored. Blocks for the time of a few look-ups.
    pub fn newest_time(&self) -> Result<Option<Time>> {
        self.readers.with(newest_time)
    }
}

/// The newest stored time. One that cannot be read is none.
pub(crate) fn newest_time(conn: &Connection) -> Result<Option<Time>> {
    let newest: Option<String> = query::one(conn, NEWEST, [], |row| row.get(0))?;
    Ok(newest.as_deref().and_then(Time::parse))
}
