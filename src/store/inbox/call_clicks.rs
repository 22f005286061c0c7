//! Clicks on phone links, counted by page and day, without any data about the visitor.

use jiff::civil::Date;
use rusqlite::params;

use crate::{Result, Store, query};

/// Pages counted per day; bounds a flood of made-up page names.
const MAX_PAGES_PER_DAY: u32 = 200;

impl Store {
    /// Counts one click on the phone link of `page` on the company's day `today`.
    pub async fn count_call_click(&self, page: String, today: Date) -> Result<()> {
        self.write(move |conn| {
            let day = today.to_string();
            let sql = "UPDATE taps SET taps = taps + 1 WHERE day = ?1 AND page = ?2";
            let counted = query::execute(conn, sql, params![day, page])?;
            if counted == 0 {
                let sql = "INSERT INTO taps (day, page, taps)
                    SELECT ?1, ?2, 1 WHERE (SELECT count(*) FROM taps WHERE day = ?1) < ?3";
                query::execute(conn, sql, params![day, page, MAX_PAGES_PER_DAY])?;
            }
            Ok(())
        })
        .await
    }

    /// Clicks by page since `day` (`YYYY-MM-DD`), most clicks first.
    pub async fn call_clicks_since(&self, day: String) -> Result<Vec<(String, i64)>> {
        self.read(move |conn| {
            let sql =
                "SELECT page, sum(taps) FROM taps WHERE day >= ?1 GROUP BY page ORDER BY 2 DESC, 1";
            query::all(conn, sql, [day], |row| row.try_into())
        })
        .await
    }
}
