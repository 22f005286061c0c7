//! The counts of requests: on the day of their receipt, and of won ones on the day of signing.

use std::ops::Range;

use rusqlite::{Connection, Row};

use super::Add;
use crate::database::row::column;
use crate::request::acceptances::UNCONFIRMED;
use crate::{Result, query};
use domain::clock::time_zone::TimeZone;
use domain::clock::{MINUTE_MS, Time};
use domain::figures::histogram::MAX_MINUTES;
use domain::ids;

/// What is counted of a request. A loss counts while the request is closed.
fn received(condition: &str) -> String {
    format!(
        "SELECT seq, kind, source, demo, service, state, emergency_contact, answered_at,
           origin_source, origin_campaign, origin_entry_page,
           held IS NOT NULL AS is_held, merged_into IS NOT NULL AS is_duplicate,
           iif(status IN ('completed', 'cancelled'), outcome, NULL) AS outcome,
           outcome_reason, answered_by
         FROM requests WHERE {condition}"
    )
}

/// What is counted of a won request; its posts are staffed unless an acceptance says otherwise.
fn won(condition: &str) -> String {
    format!(
        "SELECT service, state, origin_source, origin_campaign, origin_entry_page, won_at,
           outcome_cents, outcome_per, status = 'completed' AS is_completed,
           status = 'completed' OR NOT EXISTS (SELECT 1 FROM events
             WHERE {UNCONFIRMED} AND events.seq IN (SELECT requests.seq UNION ALL
               SELECT merged.seq FROM requests AS merged WHERE merged.merged_into = requests.seq)
           ) AS is_staffed
         FROM requests WHERE {condition} AND demo = 0 AND held IS NULL"
    )
}

/// Adds the requests that were received, and those that were won, in this time.
pub(super) fn count_in(
    conn: &Connection,
    zone: &TimeZone,
    times: &Range<Time>,
    add: Add<'_>,
) -> Result<()> {
    let asked = received("seq >= ?1 AND seq < ?2");
    let seqs = [times.start, times.end].map(ids::first_seq);
    query::each(conn, &asked, seqs, |row| count(row, zone, add))?;
    let won = won("won_at >= ?1 AND won_at < ?2");
    let times = [times.start.to_string(), times.end.to_string()];
    query::each(conn, &won, times, |row| count_won(row, zone, add))
}

/// Adds the requests with these `seqs`, without samples.
pub(super) fn count_each(
    conn: &Connection,
    zone: &TimeZone,
    seqs: &[i64],
    add: Add<'_>,
) -> Result<()> {
    let (asked, won) = (
        received("seq = ?1 AND demo = 0"),
        won("seq = ?1 AND won_at IS NOT NULL"),
    );
    for seq in seqs {
        query::each(conn, &asked, [seq], |row| count(row, zone, add))?;
        query::each(conn, &won, [seq], |row| count_won(row, zone, add))?;
    }
    Ok(())
}

fn count(row: &Row<'_>, zone: &TimeZone, add: Add<'_>) -> Result<()> {
    let flag = |column: &str| row.get::<_, bool>(column);
    let received = ids::time_of_seq(row.get("seq")?);
    let local = zone.local(received);
    let day = local.date().to_string();
    let mut add = |dimension, measure, value: &str| {
        add([&day, dimension, measure, value], 1);
    };
    let apart = [
        ("samples", "demo"),
        ("duplicates", "is_duplicate"),
        ("spam", "is_held"),
    ];
    for (measure, column) in apart {
        if flag(column)? {
            add("all", measure, "");
            return Ok(());
        }
    }
    let is_emergency = flag("emergency_contact")?;
    let answered = text(row, "answered_at")?.parse::<jiff::Timestamp>().ok();
    let loss = text(row, "outcome")?;
    for (dimension, value) in properties(row)? {
        add(dimension, "asked", value);
        if answered.is_some() {
            add(dimension, "answered", value);
        }
        if ["lost", "not_customer"].contains(&loss) {
            add(dimension, loss, value);
        }
    }
    let is_message = text(row, "kind")? == "message";
    add("all", if is_message { "messages" } else { "quotes" }, "");
    if text(row, "source")? == "phone" {
        add("all", "by_phone", "");
    }
    if is_emergency {
        add("all", "emergencies", "");
    }
    add("hour", "asked", &local.hour().to_string());
    if loss == "lost" {
        add("reason", "lost", text(row, "outcome_reason")?);
    }
    if let Some(answered) = answered {
        let minutes = (answered.as_millisecond() - received.millis()).div_euclid(MINUTE_MS);
        let minutes = minutes.clamp(0, MAX_MINUTES).to_string();
        let times = match is_emergency {
            true => "call_minutes",
            false => "minutes",
        };
        add(times, "answered", &minutes);
        add("person", "answered", text(row, "answered_by")?);
    }
    Ok(())
}

fn count_won(row: &Row<'_>, zone: &TimeZone, add: Add<'_>) -> Result<()> {
    let day = zone.local(column(row, "won_at")?).date().to_string();
    let mut add = |dimension, measure, value, number| {
        add([&day, dimension, measure, value], number);
    };
    let cents: Option<i64> = row.get("outcome_cents")?;
    let of_value = match text(row, "outcome_per")? {
        "month" => "won_monthly_cents",
        _ => "won_once_cents",
    };
    for (dimension, value) in properties(row)? {
        add(dimension, "won", value, 1);
        if let Some(cents) = cents {
            add(dimension, of_value, value, cents);
        }
    }
    for (column, measure) in [
        ("is_staffed", "won_staffed"),
        ("is_completed", "won_completed"),
    ] {
        if row.get(column)? {
            add("all", measure, "", 1);
        }
    }
    Ok(())
}

/// The dimensions of a request, with its values. Most requests belong to no campaign.
fn properties<'a>(
    row: &'a Row<'_>,
) -> rusqlite::Result<impl Iterator<Item = (&'static str, &'a str)>> {
    let properties = [
        ("all", ""),
        ("service", text(row, "service")?),
        ("state", text(row, "state")?),
        ("source", text(row, "origin_source")?),
        ("campaign", text(row, "origin_campaign")?),
        ("entry", text(row, "origin_entry_page")?),
    ];
    let is_counted = |(by, value): &(&str, &str)| *by != "campaign" || !value.is_empty();
    Ok(properties.into_iter().filter(is_counted))
}

fn text<'a>(row: &'a Row<'_>, column: &str) -> rusqlite::Result<&'a str> {
    Ok(row.get_ref(column)?.as_str_or_null()?.unwrap_or_default())
}
