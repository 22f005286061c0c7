//! Which warnings of expiring licenses have been queued.

use rusqlite::params;

use crate::{Result, Store, outbox, query};
use domain::clock::Time;
use domain::email::notice::{LicenseNotice, Notice};

impl Store {
    /// Queues the email of a warning unless it was queued before for this state, last day and step.
    /// Returns whether it was queued.
    pub async fn warn_of_license(
        &self,
        state: String,
        step: i32,
        notice: LicenseNotice,
        now: Time,
    ) -> Result<bool> {
        self.write(move |conn| {
            let sql = "INSERT INTO license_warnings (state, expires, step, queued_at)
                VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
            let values = params![state, notice.expires, step, now.to_string()];
            let rows = query::execute(conn, sql, values)?;
            if rows == 1 {
                outbox::enqueue(conn, &Notice::License(notice), now)?;
            }
            Ok(rows == 1)
        })
        .await
    }
}
