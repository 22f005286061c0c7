//! Taps on phone links: how many on which page on which day, and nothing about who.

use rusqlite::params;

use super::{Result, Store};
use crate::domain::clock::Time;

/// Pages counted on one day; a flood of made-up page names ends here.
const PAGES_A_DAY: u32 = 200;

impl Store {
    /// Counts one tap on the phone link of `page`.
    ///
    /// # Errors
    /// What the database says.
    pub async fn count_call_click(&self, page: String, now: Time) -> Result<()> {
        self.write(move |conn| {
            let day = now.day();
            let counted = conn
                .prepare_cached("UPDATE taps SET taps = taps + 1 WHERE day = ?1 AND page = ?2")?
                .execute(params![day, page])?;
            if counted == 0 {
                conn.prepare_cached("INSERT INTO taps (day, page, taps) SELECT ?1, ?2, 1 WHERE (SELECT count(*) FROM taps WHERE day = ?1) < ?3")?
                    .execute(params![day, page, PAGES_A_DAY])?;
            }
            Ok(())
        })
        .await
    }

    /// Taps by page since `day` (`YYYY-MM-DD`), most first.
    ///
    /// # Errors
    /// What the database says.
    pub async fn call_clicks_since(&self, day: String) -> Result<Vec<(String, i64)>> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(
                "SELECT page, sum(taps) FROM taps WHERE day >= ?1 GROUP BY page ORDER BY 2 DESC, 1",
            )?;
            let rows = find.query_map([day], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }
}
