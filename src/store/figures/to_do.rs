//! What waits for the office beside requests: offers and samples.

use rusqlite::params;

use crate::inbox::acceptances::UNCONFIRMED;
use crate::{Result, Store};
use domain::clock::{DAY_MS, Time};
use domain::figures::to_do::ToDo;

/// How soon an offer ends that is to be seen to, in milliseconds: a week.
const EXPIRING_MS: i64 = 7 * DAY_MS;

impl Store {
    /// What waits for the office.
    pub async fn to_do(&self, now: Time) -> Result<ToDo> {
        self.read(move |conn| {
            let sql = format!(
                "SELECT
                (SELECT count(*) FROM offers JOIN offer_states USING (number, version)
                   WHERE state = 'sent' AND expires_at > ?1 AND expires_at <= ?2),
                (SELECT count(*) FROM offer_acceptances JOIN offers USING (number)
                   WHERE EXISTS (SELECT 1 FROM events
                     WHERE events.seq = offers.seq AND {UNCONFIRMED})),
                (SELECT count(*) FROM requests WHERE demo = 1),
                NOT EXISTS (SELECT 1 FROM rate_versions),
                coalesce(sum(requests) FILTER (WHERE emergency_contact = 1), 0),
                coalesce(sum(requests), 0)
              FROM request_counts
              WHERE kind <> 'number' AND hidden = 0 AND attention = 1"
            );
            let soon = now.plus_millis(EXPIRING_MS);
            let values = params![now.to_string(), soon.to_string()];
            Ok(conn.prepare_cached(&sql)?.query_row(values, |row| {
                Ok(ToDo {
                    offers_expiring: row.get(0)?,
                    offers_unconfirmed: row.get(1)?,
                    sample_requests: row.get(2)?,
                    has_sample_rates: row.get(3)?,
                    emergencies: row.get(4)?,
                    attention: row.get(5)?,
                })
            })?)
        })
        .await
    }
}
