//! Requests with a click identifier that became orders.

use std::ops::Range;

use rusqlite::{Row, params};

use crate::database::row::read_row;
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::figures::conversions::{Conversion, ConversionKind};

/// Accepted offers, and requests that were won without one, each once: with the click identifier of
/// the first visit, and without samples and spam.
const CONVERSIONS: &str = "
    WITH clicked AS (
      SELECT seq, attribution ->> 'gclid' AS click, won_at, outcome_cents, outcome_per
      FROM requests WHERE attribution ->> 'gclid' NOT GLOB '*[^A-Za-z0-9_-]*'
        AND attribution ->> 'gclid' <> '' AND demo = 0 AND held IS NULL
    ), accepted AS (
      SELECT seq, answered_at AS at, total_cents AS cents,
        iif(is_weekly, 'week', 'once') AS per
      FROM offer_states JOIN offers USING (number) WHERE offer_states.state = 'accepted'
    ), won AS (
      SELECT seq, won_at AS at, outcome_cents AS cents, outcome_per AS per
      FROM clicked WHERE won_at IS NOT NULL AND seq NOT IN (SELECT seq FROM accepted)
    )
    SELECT click, at, cents, per FROM clicked
      JOIN (SELECT * FROM accepted UNION ALL SELECT * FROM won) USING (seq)
    WHERE at >= ?1 AND at < ?2 ORDER BY at, seq";

impl Store {
    /// The conversions of this time, oldest first.
    pub async fn conversions(&self, times: Range<Time>) -> Result<Vec<Conversion>> {
        self.read(move |conn| {
            let times = params![times.start.to_string(), times.end.to_string()];
            query::all(conn, CONVERSIONS, times, read)
        })
        .await
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Conversion> {
    let per: Option<String> = row.get("per")?;
    read_row!(row => Conversion {
        click, at, cents;
        kind: match per.as_deref() {
            Some("week") => ConversionKind::AcceptedWeekly,
            Some("once") => ConversionKind::AcceptedOnce,
            Some("month") => ConversionKind::WonMonthly,
            _ => ConversionKind::WonOnce,
        },
    })
}
