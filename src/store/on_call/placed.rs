//! The calls, text messages, pushes and emails that were placed, as the bounds count them.

use rusqlite::{Connection, OptionalExtension, params};

use crate::database::row;
use crate::{Result, query};
use domain::clock::Time;
use domain::on_call::alarm::{AlarmKind, AlarmRules, Channel};
use domain::on_call::bounds::{
    ALL_PEOPLE_MS, LONGEST_CALL_MS, PAUSE_MS, WINDOWS_MS, free_allowed, person_allowed,
    window_allowed,
};

/// Why a call or a text message waits.
pub(super) const PERSON_BOUND: &str = "it waits: the bound for one person is reached";
pub(super) const DAY_BOUND: &str = "it waits: the bound for a day is reached";

/// When the next contact may be placed.
pub(super) struct Next {
    pub at: Time,
    /// The bound that delays it, if that is one on calls and text messages.
    pub why: Option<&'static str>,
}

/// When a person may be notified next by a channel; now, if nothing is in the way.
pub(super) fn next_contact(
    conn: &Connection,
    user_id: &str,
    channel: Channel,
    device: i64,
    kind: AlarmKind,
    rules: &AlarmRules,
    now: Time,
) -> Result<Next> {
    let Some((limits, a_day)) = rules.bounds_of(channel) else {
        let sent = placed(conn, user_id, channel, device, now)?;
        let at = free_allowed(&sent, now);
        return Ok(Next { at, why: None });
    };
    let is_test = kind == AlarmKind::Test;
    let sent = placed(conn, user_id, channel, device, now)?;
    let person = person_allowed(limits, is_test, &sent, now);
    let day = day_allowed(conn, channel, a_day, now)?;
    let pause = match channel {
        Channel::Call => after_last_call(conn, user_id, now)?.max(attempted(conn, user_id, now)?),
        _ => now,
    };
    let why = if day > now {
        Some(DAY_BOUND)
    } else {
        (person > now).then_some(PERSON_BOUND)
    };
    let at = person.max(day).max(pause);
    Ok(Next { at, why })
}

/// When the person was notified by a channel within the longest window, newest first. A call that
/// the provider did not place costs nothing.
fn placed(
    conn: &Connection,
    user_id: &str,
    channel: Channel,
    device: i64,
    now: Time,
) -> Result<Vec<Time>> {
    let mut find = conn.prepare_cached(
        "SELECT named_at FROM alarm_messages
         WHERE channel = ?1 AND named_at > ?2 AND user_id = ?3 AND device = ?4
           AND (state <> 'failed' OR ended_at IS NOT NULL)
         ORDER BY named_at DESC LIMIT 100",
    )?;
    let since = now.plus_millis(-WINDOWS_MS[3]).to_string();
    let mut rows = find.query(params![channel.as_str(), since, user_id, device])?;
    let mut times = Vec::new();
    while let Some(found) = rows.next()? {
        times.push(row::time(found, "named_at")?);
    }
    Ok(times)
}

/// When the bound on all people allows one more.
fn day_allowed(conn: &Connection, channel: Channel, limit: u32, now: Time) -> Result<Time> {
    let sql = "SELECT named_at FROM alarm_messages WHERE channel = ?1 AND named_at > ?2
          AND (state <> 'failed' OR ended_at IS NOT NULL)
        ORDER BY named_at DESC LIMIT 1 OFFSET ?3";
    let since = now.plus_millis(-ALL_PEOPLE_MS).to_string();
    let offset = limit.saturating_sub(1);
    let last = query::optional(
        conn,
        sql,
        params![channel.as_str(), since, offset],
        |found| row::time(found, "named_at"),
    )?;
    Ok(last.map_or(now, |at| window_allowed(1, ALL_PEOPLE_MS, &[at], now)))
}

/// When the person may be called after the last call: some minutes after its end.
fn after_last_call(conn: &Connection, user_id: &str, now: Time) -> Result<Time> {
    let sql = "SELECT named_at, ended_at FROM alarm_messages
        WHERE channel = 'call' AND named_at > ?2 AND user_id = ?1
          AND (state <> 'failed' OR ended_at IS NOT NULL)
        ORDER BY named_at DESC LIMIT 1";
    let since = now.plus_millis(-WINDOWS_MS[3]).to_string();
    let last = query::optional(conn, sql, [user_id, &since], |found| {
        Ok((
            row::time(found, "named_at")?,
            row::optional_time(found, "ended_at")?,
        ))
    })?;
    let Some((placed, ended)) = last else {
        return Ok(now);
    };
    let end = ended.unwrap_or_else(|| placed.plus_millis(LONGEST_CALL_MS));
    Ok(end.plus_millis(PAUSE_MS).max(now))
}

/// When the provider may be asked again to call the person, also if it has refused.
fn attempted(conn: &Connection, user_id: &str, now: Time) -> Result<Time> {
    let mut find = conn.prepare_cached(
        "SELECT named_at FROM alarm_messages
         WHERE channel = 'call' AND named_at > ?2 AND user_id = ?1
         ORDER BY named_at DESC LIMIT 1",
    )?;
    let since = now.plus_millis(-WINDOWS_MS[0]).to_string();
    let last = find.query_row([user_id, &since], |found| row::time(found, "named_at"));
    let last = last.optional()?;
    Ok(last.map_or(now, |at| window_allowed(1, WINDOWS_MS[0], &[at], now)))
}
