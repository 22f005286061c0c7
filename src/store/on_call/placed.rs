//! The calls, text messages, pushes and emails that were placed, as the bounds count them.

use rusqlite::{Connection, params};

use crate::database::row::{self, read_row};
use crate::{Result, query};
use domain::clock::Time;
use domain::on_call::alarm::{AlarmKind, AlarmRules, Channel};
use domain::on_call::bounds::{ALL_PEOPLE_MS, Contact, Next, Placed, WINDOWS_MS, counted};

/// When a person may be notified next by a channel; now, if nothing is in the way. `new_since` is
/// when the first of the alarms of which the person was not told before began to wait.
pub(super) fn next_contact(
    conn: &Connection,
    to: (&str, Channel, i64),
    kind: AlarmKind,
    new_since: Option<Time>,
    rules: &AlarmRules,
    now: Time,
) -> Result<Next> {
    let (user_id, channel, device) = to;
    let raised = "SELECT 1 FROM alarms WHERE kind = 'emergency' AND state = 'raised'
        AND next_at IS NOT NULL";
    let day_allows = match rules.bounds.of(channel) {
        Some((_, a_day)) => day_allows(conn, channel, kind, a_day, now)?,
        None => now,
    };
    let contact = Contact {
        kind,
        channel,
        new_since,
        is_emergency_raised: query::exists(conn, raised, [])?,
        day_allows,
    };
    let since = now.plus_millis(-WINDOWS_MS[3]).to_string();
    let sql = "SELECT alarms.kind AS kind, named_at, ended_at,
          message.state = 'failed' AND ended_at IS NULL AS is_refused
        FROM alarm_messages AS message JOIN alarms ON alarms.id = alarm
        WHERE channel = ?1 AND named_at > ?2 AND user_id = ?3 AND device = ?4
        ORDER BY named_at DESC";
    let key = params![channel.as_str(), since, user_id, device];
    let placed: Vec<_> = query::all(conn, sql, key, read)?;
    Ok(rules.bounds.next(&contact, &placed, now))
}

fn read(found: &rusqlite::Row<'_>) -> rusqlite::Result<Placed> {
    read_row!(found => Placed { kind, at: "named_at", ended_at, is_refused })
}

/// When the bound on all people allows one more of a kind.
fn day_allows(
    conn: &Connection,
    channel: Channel,
    kind: AlarmKind,
    limit: u32,
    now: Time,
) -> Result<Time> {
    let counted = counted(kind).iter().map(|it| it.as_str());
    let counted = row::text(&counted.collect::<Vec<_>>())?;
    let sql = "SELECT named_at FROM alarm_messages AS message JOIN alarms ON alarms.id = alarm
        WHERE channel = ?1 AND named_at > ?2
          AND (message.state <> 'failed' OR ended_at IS NOT NULL)
          AND alarms.kind IN (SELECT value FROM json_each(?4))
        ORDER BY named_at DESC LIMIT 1 OFFSET ?3";
    let since = now.plus_millis(-ALL_PEOPLE_MS).to_string();
    let key = params![channel.as_str(), since, limit.saturating_sub(1), counted];
    let last: Option<Time> =
        query::optional(conn, sql, key, |found| row::column(found, "named_at"))?;
    Ok(last.map_or(now, |at| at.plus_millis(ALL_PEOPLE_MS)))
}

/// The newest emergency of which a person was told by a channel; 0 if there is none.
pub(super) fn last_told(
    conn: &Connection,
    user_id: &str,
    channel: Channel,
    device: i64,
) -> Result<i64> {
    let sql = "SELECT coalesce(max(through), 0)
        FROM alarm_messages AS message JOIN alarms ON alarms.id = alarm
        WHERE channel = ?1 AND named_at IS NOT NULL AND user_id = ?2 AND device = ?3
          AND (message.state <> 'failed' OR ended_at IS NOT NULL) AND kind = 'emergency'";
    let values = params![channel.as_str(), user_id, device];
    query::one(conn, sql, values, |row| row.get(0))
}
