//! The counts of offers, on the day on which their first version was sent.

use std::ops::Range;

use rusqlite::{Connection, Row, params};
use serde_json::Value;

use super::Add;
use crate::database::row::column;
use crate::{Result, query};
use domain::clock::Time;
use domain::clock::time_zone::TimeZone;

/// An offer by its first version: whether any was opened, the one that was accepted or else the
/// last one. Offers of samples are left out.
fn counted(condition: &str) -> String {
    format!(
        "SELECT first.number, first.sent_at, first.sent_by, shown.state, shown.total_cents,
           shown.is_weekly, EXISTS (SELECT 1 FROM offer_states AS opened
             WHERE opened.number = first.number AND opened.opened_at IS NOT NULL) AS is_opened
         FROM offer_states AS first
         JOIN offer_states AS shown ON shown.number = first.number AND shown.version =
           (SELECT version FROM offer_states AS last WHERE last.number = first.number
            ORDER BY last.state = 'accepted' DESC, version DESC LIMIT 1)
         WHERE {condition} AND NOT EXISTS (SELECT 1 FROM offer_states AS earlier
             WHERE earlier.number = first.number AND earlier.version < first.version)
           AND NOT EXISTS (SELECT 1 FROM offers JOIN requests USING (seq)
             WHERE offers.number = first.number AND demo = 1)"
    )
}

/// Adds the offers of this time.
pub(super) fn count_in(
    conn: &Connection,
    zone: &TimeZone,
    times: &Range<Time>,
    add: Add<'_>,
) -> Result<()> {
    let sql = counted("first.sent_at >= ?1 AND first.sent_at < ?2");
    let times = [times.start.to_string(), times.end.to_string()];
    query::each(conn, &sql, times, |row| count(row, zone, add))
}

/// Adds the offers with these numbers.
pub(super) fn count_each(
    conn: &Connection,
    zone: &TimeZone,
    numbers: &[String],
    add: Add<'_>,
) -> Result<()> {
    let sql = counted("first.number = ?1");
    let mut numbers = numbers.iter();
    numbers.try_for_each(|number| query::each(conn, &sql, [number], |row| count(row, zone, add)))
}

/// The numbers of the offers that an erasure may change: those of the requests with these `seqs`,
/// and those that were sent to `email`.
pub(super) fn numbers_of(
    conn: &Connection,
    seqs: &[i64],
    email: Option<&str>,
) -> Result<Vec<String>> {
    let sql = "SELECT number FROM offers WHERE seq IN (SELECT value FROM json_each(?1))
        UNION SELECT number FROM offer_states WHERE recipient = ?2 COLLATE NOCASE";
    let seqs = Value::from(seqs.to_vec()).to_string();
    query::all(conn, sql, params![seqs, email], |row| row.get(0))
}

fn count(row: &Row<'_>, zone: &TimeZone, add: Add<'_>) -> Result<()> {
    let day = zone.local(column(row, "sent_at")?).date().to_string();
    let cents: i64 = row.get("total_cents")?;
    let is_weekly: bool = row.get("is_weekly")?;
    let sent_by: String = row.get("sent_by")?;
    let mut add = |dimension, measure, value: &str, number| {
        add([&day, dimension, measure, value], number);
    };
    let of = |weekly: &'static str, once: &'static str| if is_weekly { weekly } else { once };
    add("all", "offers_sent", "", 1);
    add("person", "offers_sent", &sent_by, 1);
    let offered = of("offered_weekly_cents", "offered_once_cents");
    add("all", offered, "", cents);
    if row.get("is_opened")? {
        add("all", "offers_opened", "", 1);
    }
    match row.get::<_, String>("state")?.as_str() {
        "accepted" => {
            add("all", "offers_accepted", "", 1);
            add("person", "offers_accepted", &sent_by, 1);
            let accepted = of("accepted_weekly_cents", "accepted_once_cents");
            add("all", accepted, "", cents);
        }
        "declined" => add("all", "offers_declined", "", 1),
        _ => {}
    }
    Ok(())
}
