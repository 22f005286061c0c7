//! The counts of requests, on the day of their receipt.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rusqlite::{Connection, Row};

use super::counts::Counts;
use crate::Result;
use domain::clock::MINUTE_MS;
use domain::clock::time_zone::TimeZone;
use domain::figures::histogram::MAX_MINUTES;
use domain::ids;

/// What is counted of a request. An outcome counts while it is closed.
macro_rules! counted_requests {
    ($condition:literal) => {
        concat!(
            "SELECT seq, kind, source, demo, service, state, emergency_contact, answered_at,
               origin_source, origin_campaign, origin_entry_page,
               held IS NOT NULL AS is_held, merged_into IS NOT NULL AS is_duplicate,
               iif(status IN ('completed', 'cancelled'), outcome, NULL) AS outcome,
               outcome_reason, outcome_cents, outcome_per, answered_by
             FROM requests WHERE ",
            $condition
        )
    };
}

const OF_DAY: &str = counted_requests!("seq >= ?1 AND seq < ?2");
const WITH_SEQ: &str = counted_requests!("seq = ?1 AND demo = 0");

/// Adds the requests that were received on `day`.
pub(super) fn count_day(
    conn: &Connection,
    zone: &TimeZone,
    day: Date,
    counts: &mut Counts,
) -> Result<()> {
    let times = zone.day(day);
    let mut find = conn.prepare_cached(OF_DAY)?;
    let mut rows = find.query([times.start, times.end].map(ids::first_seq))?;
    while let Some(row) = rows.next()? {
        count(row, zone, counts)?;
    }
    Ok(())
}

/// The counts of these requests by day, without samples.
pub(super) fn count_each(
    conn: &Connection,
    zone: &TimeZone,
    seqs: &[i64],
    days: &mut BTreeMap<Date, Counts>,
) -> Result<()> {
    let mut find = conn.prepare_cached(WITH_SEQ)?;
    for seq in seqs {
        let mut rows = find.query([seq])?;
        if let Some(row) = rows.next()? {
            let day = zone.local(ids::time_of_seq(*seq)).date();
            count(row, zone, days.entry(day).or_default())?;
        }
    }
    Ok(())
}

fn count(row: &Row<'_>, zone: &TimeZone, counts: &mut Counts) -> rusqlite::Result<()> {
    let flag = |column: &str| row.get::<_, bool>(column);
    if flag("demo")? {
        counts.count("samples");
    } else if flag("is_duplicate")? {
        counts.count("duplicates");
    } else if flag("is_held")? {
        counts.count("spam");
    } else {
        count_asked(row, zone, counts)?;
    }
    Ok(())
}

/// Counts a request that is neither a sample, a duplicate nor spam.
fn count_asked(row: &Row<'_>, zone: &TimeZone, counts: &mut Counts) -> rusqlite::Result<()> {
    let text = |column: &str| -> rusqlite::Result<&str> {
        Ok(row.get_ref(column)?.as_str_or_null()?.unwrap_or_default())
    };
    let received = ids::time_of_seq(row.get("seq")?);
    let is_emergency: bool = row.get("emergency_contact")?;
    let is_by_phone = text("source")? == "phone";
    let properties = [
        ("all", ""),
        ("service", text("service")?),
        ("state", text("state")?),
        ("source", text("origin_source")?),
        ("campaign", text("origin_campaign")?),
        ("entry", text("origin_entry_page")?),
    ];
    // Most requests belong to no campaign.
    let properties = properties
        .iter()
        .filter(|(by, value)| *by != "campaign" || !value.is_empty());
    let mut measures = vec![("asked", 1)];
    let answered = text("answered_at")?.parse::<jiff::Timestamp>().ok();
    measures.extend(answered.map(|_| ("answered", 1)));
    let outcome = text("outcome")?;
    measures.extend(
        ["won", "lost", "not_customer"]
            .into_iter()
            .filter(|it| *it == outcome)
            .map(|it| (it, 1)),
    );
    let cents: Option<i64> = row.get("outcome_cents")?;
    if let Some(cents) = cents.filter(|_| outcome == "won") {
        let is_monthly = text("outcome_per")? == "month";
        measures.push((
            if is_monthly {
                "won_monthly_cents"
            } else {
                "won_once_cents"
            },
            cents,
        ));
    }
    for (by, value) in properties {
        for (measure, number) in &measures {
            counts.add(by, measure, value, *number);
        }
    }
    counts.count(if text("kind")? == "message" {
        "messages"
    } else {
        "quotes"
    });
    if is_by_phone {
        counts.count("by_phone");
    }
    if is_emergency {
        counts.count("emergencies");
    }
    counts.add("hour", "asked", &zone.local(received).hour().to_string(), 1);
    if outcome == "lost" {
        counts.add("reason", "lost", text("outcome_reason")?, 1);
    }
    if let Some(answered) = answered {
        let minutes = (answered.as_millisecond() - received.millis()).div_euclid(MINUTE_MS);
        let minutes = minutes.clamp(0, MAX_MINUTES).to_string();
        let times = if is_emergency {
            "call_minutes"
        } else {
            "minutes"
        };
        counts.add(times, "answered", &minutes, 1);
        counts.add("person", "answered", text("answered_by")?, 1);
    }
    Ok(())
}
