//! Queries for the metrics.

use rusqlite::Connection;

use crate::on_call::status;
use crate::{Result, Store, query};
use domain::clock::{HOUR_MS, MINUTE_MS, Time};
use domain::ids;

/// The interval in which failed sign-ins are counted, in milliseconds: an hour.
const SIGN_IN_WINDOW_MS: i64 = HOUR_MS;

/// How long an emergency may wait for a person before it is counted.
const ALARM_WAIT_MS: i64 = 5 * MINUTE_MS;

/// The oldest request without samples, sign-ins and alarms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MetricsCounts {
    /// When the oldest pending quote that is not held was created.
    pub oldest_pending: Option<Time>,
    /// Failed sign-ins within the last hour.
    pub sign_in_failures: u64,
    /// Emergencies that nobody has taken for a while, and test alarms that nobody acknowledged.
    pub alarms_waiting: u64,
}

impl Store {
    /// The metrics at `now`.
    pub async fn metrics_counts(&self, now: Time) -> Result<MetricsCounts> {
        let since = now.plus_millis(-SIGN_IN_WINDOW_MS).to_string();
        let raised_before = now.plus_millis(-ALARM_WAIT_MS).to_string();
        let work = move |conn: &Connection| {
            let sql = "SELECT (SELECT min(seq) FROM requests INDEXED BY requests_listed
                  WHERE hidden = 0 AND open = 1 AND kind = 'quote' AND status = 'pending'
                    AND seq NOT IN (SELECT seq FROM requests WHERE demo = 1)) AS oldest,
                (SELECT count(*) FROM audit WHERE at > ?1 AND action = 'sign_in_failed')
                  AS failures,
                (SELECT count(*) FROM alarms WHERE state = 'raised' AND next_at IS NOT NULL
                  AND kind = 'emergency' AND created_at < ?2) AS alarms";
            let missed_test = u64::from(status::missed_test(conn, now)?.is_some());
            query::one(conn, sql, [&since, &raised_before], |found| {
                let count = |column| found.get::<_, i64>(column).map(i64::unsigned_abs);
                Ok(MetricsCounts {
                    oldest_pending: found.get::<_, Option<i64>>("oldest")?.map(ids::time_of_seq),
                    sign_in_failures: count("failures")?,
                    alarms_waiting: count("alarms")? + missed_test,
                })
            })
        };
        self.read(work).await
    }
}
