//! The time zone whose days are counted.

use rusqlite::Connection;

use crate::{Result, Store, query};
use domain::clock::time_zone::TimeZone;

impl Store {
    /// Counts days on the clock of `zone` from now on.
    pub async fn keep_figures_in(&self, zone: TimeZone) -> Result<()> {
        // A start writes nothing if it need not: another process may hold a lock.
        let wanted = zone.name().to_owned();
        if self.read(stored_name).await? == Some(wanted) {
            return Ok(());
        }
        self.write(move |conn| {
            let sql = "INSERT OR REPLACE INTO figures_time_zone VALUES (1, ?1)";
            query::run(conn, sql, [zone.name()])
        })
        .await
    }
}

/// The time zone whose days are counted; UTC before the first start of a server.
pub(super) fn stored_zone(conn: &Connection) -> Result<TimeZone> {
    let zone = stored_name(conn)?.and_then(|name| TimeZone::parse(&name));
    Ok(zone.unwrap_or_else(TimeZone::utc))
}

fn stored_name(conn: &Connection) -> Result<Option<String>> {
    let sql = "SELECT name FROM figures_time_zone";
    query::optional(conn, sql, [], |row| row.get(0))
}
