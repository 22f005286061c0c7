//! The counts of offers, on the day on which their first version was sent.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use super::counts::Counts;
use crate::Result;
use domain::clock::Time;
use domain::clock::time_zone::TimeZone;

/// An offer by its first version: whether any was opened, the one that was accepted or else the
/// last one. Offers of samples are left out.
macro_rules! counted_offers {
    ($condition:literal) => {
        concat!(
            "SELECT first.number, first.sent_at, first.sent_by, shown.state, shown.total_cents,
               shown.is_weekly, EXISTS (SELECT 1 FROM offer_states AS opened
                 WHERE opened.number = first.number AND opened.opened_at IS NOT NULL) AS is_opened
             FROM offer_states AS first
             JOIN offer_states AS shown ON shown.number = first.number AND shown.version =
               (SELECT version FROM offer_states AS last WHERE last.number = first.number
                ORDER BY last.state = 'accepted' DESC, version DESC LIMIT 1)
             WHERE ",
            $condition,
            " AND NOT EXISTS (SELECT 1 FROM offer_states AS earlier
                 WHERE earlier.number = first.number AND earlier.version < first.version)
               AND NOT EXISTS (SELECT 1 FROM offers JOIN requests USING (seq)
                 WHERE offers.number = first.number AND demo = 1)"
        )
    };
}

const OF_DAY: &str = counted_offers!("first.sent_at >= ?1 AND first.sent_at < ?2");
const WITH_NUMBER: &str = counted_offers!("first.number = ?1");

/// Adds the offers of `day`.
pub(super) fn count_day(
    conn: &Connection,
    zone: &TimeZone,
    day: Date,
    counts: &mut Counts,
) -> Result<()> {
    let times = zone.day(day);
    let mut find = conn.prepare_cached(OF_DAY)?;
    let mut rows = find.query([times.start.to_string(), times.end.to_string()])?;
    while let Some(row) = rows.next()? {
        count(row, counts)?;
    }
    Ok(())
}

/// The numbers of the offers that an erasure may change: those of the requests with these `seqs`,
/// and those that were sent to `email`.
pub(super) fn numbers_of(
    conn: &Connection,
    seqs: &[i64],
    email: Option<&str>,
) -> Result<Vec<String>> {
    let mut find = conn.prepare_cached(
        "SELECT number FROM offers WHERE seq IN (SELECT value FROM json_each(?1))
         UNION SELECT number FROM offer_states WHERE recipient = ?2 COLLATE NOCASE",
    )?;
    let seqs = Value::from(seqs.to_vec()).to_string();
    let found = find.query_map(params![seqs, email], |row| row.get(0))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// The counts of these offers by day.
pub(super) fn count_each(
    conn: &Connection,
    zone: &TimeZone,
    numbers: &[String],
    days: &mut BTreeMap<Date, Counts>,
) -> Result<()> {
    let mut find = conn.prepare_cached(WITH_NUMBER)?;
    for number in numbers {
        let mut rows = find.query([number])?;
        if let Some(row) = rows.next()? {
            let sent = Time::parse(row.get_ref("sent_at")?.as_str().unwrap_or_default());
            let day = zone.local(sent.unwrap_or_default()).date();
            count(row, days.entry(day).or_default())?;
        }
    }
    Ok(())
}

fn count(row: &Row<'_>, counts: &mut Counts) -> rusqlite::Result<()> {
    let cents: i64 = row.get("total_cents")?;
    let is_weekly: bool = row.get("is_weekly")?;
    let sent_by: String = row.get("sent_by")?;
    let of = |weekly: &'static str, once: &'static str| if is_weekly { weekly } else { once };
    counts.count("offers_sent");
    counts.add("person", "offers_sent", &sent_by, 1);
    counts.add(
        "all",
        of("offered_weekly_cents", "offered_once_cents"),
        "",
        cents,
    );
    if row.get("is_opened")? {
        counts.count("offers_opened");
    }
    match row.get_ref("state")?.as_str()? {
        "accepted" => {
            counts.count("offers_accepted");
            counts.add("person", "offers_accepted", &sent_by, 1);
            counts.add(
                "all",
                of("accepted_weekly_cents", "accepted_once_cents"),
                "",
                cents,
            );
        }
        "declined" => counts.count("offers_declined"),
        _ => {}
    }
    Ok(())
}
