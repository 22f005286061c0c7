//! Messages of alarms, each to one person by one channel. They are claimed under a lease, retried
//! and kept, as emails are; if one fails, the next way stands in at once.

use rusqlite::{Connection, OptionalExtension, params};

use super::alarms::by_id;
use super::contacts::{self, PushDevice};
use super::next_way::tell_next;
use crate::domain::clock::Time;
use crate::domain::on_call::alarm::{AlarmKind, AlarmRules, Channel};
use crate::domain::request::Request;
use crate::store::inbox::{emails, requests};
use crate::store::{Error, Result, Store};

/// Attempts after which a message has failed: the other ways have been tried long before.
const MAX_ATTEMPTS: u32 = 6;
/// The delay after the first attempt in milliseconds; it doubles.
const RETRY_MS: i64 = 10_000;

/// A claimed message with what it says.
#[derive(Clone, Debug)]
pub struct ClaimedMessage {
    /// Its number, which is the same in each attempt.
    pub id: i64,
    pub alarm: i64,
    pub kind: AlarmKind,
    pub round: u32,
    pub channel: Channel,
    pub user_id: String,
    pub attempts: u32,
    pub phone: Option<String>,
    pub device: Option<PushDevice>,
    /// The request; `None` for tests and gaps.
    pub request: Option<Request>,
    /// The beginning of a gap.
    pub about: Option<String>,
    lease: String,
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageOutcome {
    /// The service has taken it.
    Sent,
    /// It is tried again.
    Failed(String),
    /// Another attempt cannot succeed.
    Refused(String),
}

impl Store {
    /// Claims due messages of raised alarms for `lease_ms`. Attempts are counted here.
    pub async fn claim_messages(
        &self,
        limit: usize,
        lease_ms: i64,
        now: Time,
    ) -> Result<Vec<ClaimedMessage>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let at = now.to_string();
        const DUE: &str = "SELECT id FROM alarm_messages
            WHERE state = 'due' AND due_at <= ?1 AND (lease IS NULL OR lease <= ?1)
            ORDER BY due_at, id LIMIT ?2";
        let due = at.clone();
        let is_due =
            self.read(move |conn| Ok(conn.prepare_cached(DUE)?.exists(params![due, 1])?));
        if limit == 0 || !is_due.await? {
            return Ok(Vec::new());
        }
        self.write(move |conn| {
            let lease = now.plus_millis(lease_ms).to_string();
            let mut find = conn.prepare_cached(DUE)?;
            let ids = find.query_map(params![at, limit], |row| row.get::<_, i64>(0))?;
            let ids = ids.collect::<rusqlite::Result<Vec<_>>>()?;
            let mut claimed = Vec::new();
            for id in ids {
                conn.prepare_cached(
                    "UPDATE alarm_messages SET lease = ?2, attempts = attempts + 1 WHERE id = ?1",
                )?
                .execute(params![id, lease])?;
                claimed.extend(claimed_message(conn, id)?);
            }
            Ok(claimed)
        })
        .await
    }

    /// Records the result of an attempt. If it failed, the person is notified by the next channel
    /// in the same transaction.
    pub async fn message_attempted(
        &self,
        message: &ClaimedMessage,
        outcome: MessageOutcome,
        rules: AlarmRules,
        now: Time,
    ) -> Result<()> {
        let (id, lease, attempts) = (message.id, message.lease.clone(), message.attempts);
        self.write(move |conn| {
            let (state, error) = match &outcome {
                MessageOutcome::Sent => ("sent", None),
                MessageOutcome::Failed(error) if attempts < MAX_ATTEMPTS => ("due", Some(error)),
                MessageOutcome::Failed(error) | MessageOutcome::Refused(error) => {
                    ("failed", Some(error))
                }
            };
            let delay = RETRY_MS << attempts.saturating_sub(1).min(8);
            let updated = conn
                .prepare_cached(
                    "UPDATE alarm_messages SET state = ?3, last_error = ?4, lease = NULL,
                       due_at = ?5, sent_at = iif(?3 = 'sent', ?6, NULL)
                     WHERE id = ?1 AND (lease = ?2 OR ?3 = 'sent')
                     RETURNING event",
                )?
                .query_row(
                    params![
                        id,
                        lease,
                        state,
                        error,
                        now.plus_millis(delay).to_string(),
                        now.to_string()
                    ],
                    |row| row.get::<_, Option<i64>>(0),
                )
                .optional()?;
            let Some(event) = updated else {
                return Ok(());
            };
            match error {
                None => emails::delivered(conn, event, now),
                Some(error) => {
                    let shown = if state == "due" { "queued" } else { "failed" };
                    emails::set_state(conn, event, shown, Some(error))?;
                    tell_next(conn, id, &rules, now)
                }
            }
        })
        .await
    }

    /// Records that the provider has placed a call, whose attempt was interrupted or got no answer:
    /// it is not placed again.
    pub async fn call_placed(&self, id: i64, now: Time) -> Result<()> {
        const IS_DUE: &str = "SELECT 1 FROM alarm_messages WHERE id = ?1 AND state = 'due'";
        let is_due = self.read(move |conn| Ok(conn.prepare_cached(IS_DUE)?.exists([id])?));
        if !is_due.await? {
            return Ok(());
        }
        self.write(move |conn| {
            let update = "UPDATE alarm_messages
                SET state = 'sent', sent_at = ?2, lease = NULL, last_error = NULL
                WHERE id = ?1 AND state = 'due' RETURNING event";
            let event = conn
                .prepare_cached(update)?
                .query_row(params![id, now.to_string()], |row| row.get(0))
                .optional()?;
            event.map_or(Ok(()), |event| emails::delivered(conn, event, now))
        })
        .await
    }

    /// Records how an unacknowledged call ended, and notifies the person by the next channel.
    pub async fn call_ended(
        &self,
        id: i64,
        result: String,
        rules: AlarmRules,
        now: Time,
    ) -> Result<()> {
        self.write(move |conn| {
            let waiting = conn
                .query_row(
                    "SELECT event FROM alarm_messages JOIN alarms ON alarms.id = alarm
                     WHERE alarm_messages.id = ?1 AND alarms.state = 'raised' AND told_next = 0",
                    [id],
                    |row| row.get::<_, Option<i64>>(0),
                )
                .optional()?;
            let Some(event) = waiting else {
                return Ok(());
            };
            conn.execute(
                "UPDATE alarm_messages SET state = 'failed', last_error = ?2 WHERE id = ?1",
                params![id, result],
            )?;
            emails::set_state(conn, event, "failed", Some(&result))?;
            tell_next(conn, id, &rules, now)
        })
        .await
    }

    /// What a message is about, and whom it tells; `None` if there is no such message.
    pub async fn alarm_message(&self, id: i64) -> Result<Option<ClaimedMessage>> {
        self.read(move |conn| claimed_message(conn, id)).await
    }

    /// The last message to a number whose alarm is raised.
    pub async fn alarm_of_number(&self, phone: String) -> Result<Option<ToldPerson>> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(
                "SELECT alarm, alarm_messages.user_id FROM alarm_messages
                 JOIN on_call_phones USING (user_id) JOIN alarms ON alarms.id = alarm
                 WHERE phone = ?1 AND channel IN ('sms', 'call') AND alarms.state = 'raised'
                 ORDER BY alarm_messages.id DESC LIMIT 1",
            )?;
            let found = find.query_row([phone], |row| {
                Ok(ToldPerson {
                    alarm: row.get(0)?,
                    user_id: row.get(1)?,
                })
            });
            Ok(found.optional()?)
        })
        .await
    }
}

/// A person who was notified of an alarm.
#[derive(Clone, Debug)]
pub struct ToldPerson {
    pub alarm: i64,
    pub user_id: String,
}

fn claimed_message(conn: &Connection, id: i64) -> Result<Option<ClaimedMessage>> {
    let mut find = conn.prepare_cached(
        "SELECT alarm, round, channel, user_id, attempts, device, coalesce(lease, '')
         FROM alarm_messages WHERE id = ?1",
    )?;
    let found = find.query_row([id], |row| {
        let channel: String = row.get(2)?;
        Ok((
            row.get::<_, i64>(0)?,
            row.get(1)?,
            Channel::parse(&channel).unwrap_or(Channel::Email),
            row.get::<_, String>(3)?,
            row.get(4)?,
            row.get::<_, i64>(5)?,
            row.get(6)?,
        ))
    });
    let Some((alarm, round, channel, user_id, attempts, device, lease)) = found.optional()? else {
        return Ok(None);
    };
    let Some(alarm) = by_id(conn, alarm)? else {
        return Ok(None);
    };
    let request = match alarm.seq.map(|seq| requests::by_seq(conn, seq)).transpose() {
        Err(Error::Missing) => None,
        found => found?,
    };
    Ok(Some(ClaimedMessage {
        id,
        alarm: alarm.id,
        kind: alarm.kind,
        round,
        channel,
        attempts,
        phone: contacts::phone(conn, &user_id)?,
        device: contacts::device(conn, device)?,
        user_id,
        request,
        about: alarm.about,
        lease,
    }))
}
