//! Counts the days again in which something has changed.

use rusqlite::{Connection, params};

use super::time_zone::{mark_day, stored_zone, zone_name};
use super::{counts, day};
use crate::{Result, Store};
use domain::clock::time_zone::TimeZone;
use domain::clock::{HOUR_MS, Time};

impl Store {
    /// Counts days on the clock of `zone` from now on; all of them again if it was another.
    pub async fn keep_figures_in(&self, zone: TimeZone) -> Result<()> {
        let name = zone.name().to_owned();
        let known = self.read(zone_name).await?;
        if known.as_deref() == Some(name.as_str()) {
            return Ok(());
        }
        let keep = move |conn: &Connection| {
            let sql = "INSERT OR REPLACE INTO figures_time_zone VALUES (1, ?1)";
            conn.execute(sql, [zone.name()])?;
            mark_all(conn, &zone)
        };
        self.write(keep).await
    }

    /// Counts the days again in which something has changed, one in each transaction; returns their
    /// number.
    pub async fn refresh_figures(&self) -> Result<usize> {
        let mut days = 0;
        loop {
            let is_any = self.read(|conn| {
                let stale = "SELECT EXISTS (SELECT 1 FROM figures_stale)";
                Ok(conn.query_row(stale, [], |row| row.get::<_, bool>(0))?)
            });
            if !is_any.await? {
                return Ok(days);
            }
            days += self.write(refresh_first).await?;
        }
    }

    /// Counts all days again; returns their number.
    pub async fn rebuild_figures(&self) -> Result<usize> {
        self.write(|conn| mark_all(conn, &stored_zone(conn)?))
            .await?;
        self.refresh_figures().await
    }
}

/// Deletes the counts of all days and marks them.
fn mark_all(conn: &Connection, zone: &TimeZone) -> Result<()> {
    conn.execute_batch(
        "DELETE FROM figures_days;
         INSERT OR IGNORE INTO figures_stale SELECT DISTINCT seq / 57600000 FROM requests;
         INSERT OR IGNORE INTO figures_stale
           SELECT DISTINCT CAST(strftime('%s', sent_at) AS INTEGER) / 3600 FROM offer_states",
    )?;
    let mut find = conn.prepare("SELECT DISTINCT day FROM figures_kept")?;
    let days = find.query_map([], |row| row.get::<_, String>(0))?;
    for day in days {
        if let Ok(day) = day?.parse() {
            mark_day(conn, zone, day)?;
        }
    }
    Ok(())
}

/// Counts the day of the first mark, and removes the marks of this day. An hour may be of two days
/// where the clock is half an hour off.
fn refresh_first(conn: &Connection) -> Result<usize> {
    let first = "SELECT min(hour) FROM figures_stale";
    let first: Option<i64> = conn.query_row(first, [], |row| row.get(0))?;
    let Some(first) = first else {
        return Ok(0);
    };
    let zone = stored_zone(conn)?;
    let day_at = |millis: i64| zone.local(Time::from_millis(millis)).date();
    let days = [day_at(first * HOUR_MS), day_at((first + 1) * HOUR_MS - 1)];
    let days = if days[0] == days[1] {
        &days[..1]
    } else {
        &days[..]
    };
    for date in days {
        let counts = day::counts_of(conn, &zone, *date)?;
        conn.prepare_cached("DELETE FROM figures_days WHERE day = ?1")?
            .execute([date.to_string()])?;
        counts::insert(conn, "figures_days", *date, &counts)?;
    }
    let mut done = conn.prepare_cached("DELETE FROM figures_stale WHERE hour = ?1")?;
    // A day has 25 hours at most.
    for hour in first..first + 26 {
        let is_counted = |millis| days.contains(&day_at(millis));
        if is_counted(hour * HOUR_MS) && is_counted((hour + 1) * HOUR_MS - 1) {
            done.execute(params![hour])?;
        }
    }
    Ok(days.len())
}
