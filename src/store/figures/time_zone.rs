//! The time zone whose days are counted, and the marks of days that have changed.

use jiff::civil::Date;
use rusqlite::Connection;

use crate::{Result, query};
use domain::clock::HOUR_MS;
use domain::clock::time_zone::TimeZone;

pub(super) fn zone_name(conn: &Connection) -> Result<Option<String>> {
    let sql = "SELECT name FROM figures_time_zone";
    query::optional(conn, sql, [], |row| row.get(0))
}

/// The time zone whose days are counted; UTC before the first start of a server.
pub(super) fn stored_zone(conn: &Connection) -> Result<TimeZone> {
    let name = zone_name(conn)?;
    let zone = name.and_then(|name| TimeZone::parse(&name));
    Ok(zone.unwrap_or_else(TimeZone::utc))
}

/// Marks a day as changed.
pub(super) fn mark_day(conn: &Connection, zone: &TimeZone, day: Date) -> Result<()> {
    let hour = zone.at(day, 12 * 60).millis().div_euclid(HOUR_MS);
    conn.prepare_cached("INSERT OR IGNORE INTO figures_stale VALUES (?1)")?
        .execute([hour])?;
    Ok(())
}
