//! Repairs times of alarms, of their messages and of webhooks that were written before the clock
//! was set back: they would delay calls and webhooks for as long as that.

use rusqlite::{Connection, params};

use super::alarms::{read, select_alarms};
use crate::outbox::repair::latest_lease;
use crate::{Result, Store, query};
use domain::clock::{MINUTE_MS, Time};
use domain::on_call::alarm::{AlarmKind, AlarmRules};
use domain::webhook::RETRIES;

/// The longest time until a message is tried again.
const LONGEST_RETRY_MS: i64 = 16 * MINUTE_MS;

impl Store {
    /// Repairs rows written before the clock was set back. Run it at the first look for due steps
    /// and after a clock change.
    pub async fn repair_alarms(&self, rules: AlarmRules, lease_ms: i64, now: Time) -> Result<()> {
        self.write(move |conn| {
            repair_steps(conn, &rules, now)?;
            repair_messages(conn, now)?;
            repair_webhooks(conn, now)?;
            repair_leases(conn, lease_ms, now)
        })
        .await
    }
}

/// A round that began in the future begins now, and so do the waits for its next step. What waits
/// for working hours looks for them again.
fn repair_steps(conn: &Connection, rules: &AlarmRules, now: Time) -> Result<()> {
    let (at, latest) = (now.to_string(), rules.next_round(now));
    let sql = select_alarms!(
        "next_at IS NOT NULL AND (round_at > ?1
           OR next_at > ?2 AND NOT (kind = 'overdue' AND step = 0))"
    );
    let alarms: Vec<_> = query::all(conn, sql, [&at, &latest.to_string()], read)?;
    for alarm in alarms {
        let ahead = (alarm.round_at.millis() - now.millis()).max(0);
        let next = alarm.next_at.map_or(now, |next| next.plus_millis(-ahead));
        let next = match alarm.kind == AlarmKind::Overdue && alarm.step == 0 {
            true => now,
            false => next.min(latest),
        };
        let round_at = alarm.round_at.min(now).to_string();
        let sql = "UPDATE alarms SET round_at = ?2, next_at = ?3 WHERE id = ?1";
        query::execute(conn, sql, params![alarm.id, round_at, next.to_string()])?;
    }
    let sql = "UPDATE alarms SET acknowledged_at = ?1 WHERE acknowledged_at > ?1";
    query::execute(conn, sql, [at])?;
    Ok(())
}

/// Messages count as placed now; those that wait are due, and the bounds are asked again.
fn repair_messages(conn: &Connection, now: Time) -> Result<()> {
    let at = now.to_string();
    let sql = "UPDATE alarm_messages SET named_at = min(named_at, ?1), ended_at = min(ended_at, ?1)
        WHERE named_at > ?1 OR ended_at > ?1";
    query::execute(conn, sql, [&at])?;
    let sql = "UPDATE alarm_messages SET due_at = ?1
        WHERE state = 'due' AND (attempts = 0 AND due_at > ?1 OR due_at > ?2)";
    let latest = now.plus_millis(LONGEST_RETRY_MS).to_string();
    query::execute(conn, sql, [at, latest])?;
    Ok(())
}

fn repair_webhooks(conn: &Connection, now: Time) -> Result<()> {
    let sql = "UPDATE webhook_deliveries SET due_at = ?1
        WHERE state = 'due' AND due_at > ?1 AND (created_at > ?1 OR due_at > ?2)";
    let latest = now.plus_seconds(RETRIES[RETRIES.len() - 1]);
    query::execute(conn, sql, [now.to_string(), latest.to_string()])?;
    Ok(())
}

/// A lease that is later than possible lasts its full time from now.
fn repair_leases(conn: &Connection, lease_ms: i64, now: Time) -> Result<()> {
    let until = now.plus_millis(lease_ms).to_string();
    let latest = latest_lease(lease_ms, now).to_string();
    for sql in [
        "UPDATE alarm_messages SET lease = ?1 WHERE lease > ?2",
        "UPDATE webhook_deliveries SET lease = ?1 WHERE lease > ?2",
    ] {
        query::execute(conn, sql, [&until, &latest])?;
    }
    Ok(())
}
