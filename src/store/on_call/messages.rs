//! Messages of alarms, each to one person by one channel. They are claimed under a lease (`claim`),
//! retried and kept, as emails are; if one fails, the next way stands in at once.

use rusqlite::{Connection, params};

use super::alarms::by_id;
use super::contacts::{self, PushDevice};
use super::next_way::tell_next;
use crate::request::{emails, requests};
use crate::{Result, Store, query};
use domain::clock::{MINUTE_MS, Time};
use domain::on_call::alarm::{AlarmKind, AlarmRules, Channel};
use domain::request::Request;
use domain::request::event::EmailState;

/// Attempts after which a message has failed: the other ways have been tried long before.
const MAX_ATTEMPTS: u32 = 6;
/// The delay after the first attempt in milliseconds; it doubles. A person is called, and the
/// provider asked, once a minute at most.
const RETRY_MS: i64 = 10_000;
const PHONE_RETRY_MS: i64 = MINUTE_MS;

/// A claimed message with what it says.
#[derive(Clone, Debug)]
pub struct ClaimedMessage {
    /// Its number, which is the same in each attempt.
    pub id: i64,
    /// The newest alarm that it names.
    pub alarm: i64,
    /// How many alarms it names.
    pub named: u32,
    pub kind: AlarmKind,
    pub round: u32,
    pub channel: Channel,
    pub user_id: String,
    pub attempts: u32,
    pub phone: Option<String>,
    pub device: Option<PushDevice>,
    /// The request of the newest alarm; `None` for tests and gaps.
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
        let first_delay = match message.channel {
            Channel::Call | Channel::Sms => PHONE_RETRY_MS,
            Channel::Push | Channel::Email => RETRY_MS,
        };
        self.write(move |conn| {
            let (state, error) = match &outcome {
                MessageOutcome::Sent => ("sent", None),
                MessageOutcome::Failed(error) if attempts < MAX_ATTEMPTS => ("due", Some(error)),
                MessageOutcome::Failed(error) | MessageOutcome::Refused(error) => {
                    ("failed", Some(error))
                }
            };
            let delay = first_delay << attempts.saturating_sub(1).min(8);
            let sql = "UPDATE alarm_messages SET state = ?3, last_error = ?4, lease = NULL,
                  due_at = ?5, sent_at = iif(?3 = 'sent', ?6, NULL)
                WHERE id = ?1 AND (lease = ?2
                  OR ?3 = 'sent' AND (state <> 'failed' OR ended_at IS NULL))
                RETURNING event";
            let updated = query::optional(
                conn,
                sql,
                params![
                    id,
                    lease,
                    state,
                    error,
                    now.plus_millis(delay).to_string(),
                    now.to_string()
                ],
                |row| row.get::<_, Option<i64>>(0),
            )?;
            let Some(event) = updated else {
                return Ok(());
            };
            if state != "due" {
                follow(conn, id)?;
            }
            match error {
                None => emails::delivered(conn, event, now),
                Some(error) => {
                    let shown = match state {
                        "due" => EmailState::Queued,
                        _ => EmailState::Failed,
                    };
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
        let is_due = self.read(move |conn| query::exists(conn, IS_DUE, [id]));
        if !is_due.await? {
            return Ok(());
        }
        self.write(move |conn| {
            let update = "UPDATE alarm_messages
                SET state = 'sent', sent_at = ?2, lease = NULL, last_error = NULL
                WHERE id = ?1 AND state = 'due' RETURNING event";
            let event =
                query::optional(conn, update, params![id, now.to_string()], |row| row.get(0))?;
            let Some(event) = event else {
                return Ok(());
            };
            follow(conn, id)?;
            emails::delivered(conn, event, now)
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
            conn.execute(
                "UPDATE alarm_messages SET ended_at = coalesce(ended_at, ?2) WHERE id = ?1",
                params![id, now.to_string()],
            )?;
            let Some(waiting) = without_next_way(conn, id)? else {
                return Ok(());
            };
            let sql = "UPDATE alarm_messages SET state = 'failed', last_error = ?2 WHERE id = ?1
                RETURNING event";
            let event = query::one(conn, sql, params![id, result], |row| row.get(0))?;
            follow(conn, id)?;
            emails::set_state(conn, event, EmailState::Failed, Some(&result))?;
            tell_next(conn, waiting, &rules, now)
        })
        .await
    }

    /// What a message is about, and whom it notifies; `None` if there is no such message.
    pub async fn alarm_message(&self, id: i64) -> Result<Option<ClaimedMessage>> {
        self.read(move |conn| claimed_message(conn, id)).await
    }
}

/// Of a message and those it stands for, one whose alarm is raised; `None` if there is none, or
/// another way stands in for one of them already, which names the others.
fn without_next_way(conn: &Connection, id: i64) -> Result<Option<i64>> {
    let sql = "SELECT message.id, told_next FROM alarm_messages AS message
          JOIN alarms ON alarms.id = alarm
        WHERE (message.id = ?1 OR named_by = ?1) AND alarms.state = 'raised'
        ORDER BY told_next DESC, message.id DESC LIMIT 1";
    let found = query::optional(conn, sql, [id], |row| row.try_into())?;
    Ok(found.and_then(|(message, told_next): (i64, bool)| (!told_next).then_some(message)))
}

/// Gives the messages that a message stands for its state.
fn follow(conn: &Connection, id: i64) -> Result<()> {
    let sql = "UPDATE alarm_messages SET (state, last_error, sent_at) =
          (SELECT state, last_error, sent_at FROM alarm_messages WHERE id = ?1)
        WHERE named_by = ?1";
    query::run(conn, sql, [id])
}

/// A message with what it says; `None` if there is no such message.
pub(super) fn claimed_message(conn: &Connection, id: i64) -> Result<Option<ClaimedMessage>> {
    let sql =
        "SELECT coalesce(through, alarm) AS newest, round, channel, user_id, attempts, device,
          coalesce(lease, '') AS lease, coalesce(named, 1) AS named
        FROM alarm_messages WHERE id = ?1";
    let found = query::optional(conn, sql, [id], |row| {
        let channel: String = row.get("channel")?;
        let message = ClaimedMessage {
            id,
            alarm: row.get("newest")?,
            named: row.get("named")?,
            kind: AlarmKind::Emergency,
            round: row.get("round")?,
            channel: Channel::parse(&channel).unwrap_or(Channel::Email),
            attempts: row.get("attempts")?,
            phone: None,
            device: None,
            user_id: row.get("user_id")?,
            request: None,
            about: None,
            lease: row.get("lease")?,
        };
        Ok((message, row.get::<_, i64>("device")?))
    })?;
    let Some((message, device)) = found else {
        return Ok(None);
    };
    let Some(alarm) = by_id(conn, message.alarm)? else {
        return Ok(None);
    };
    let request = requests::still_stored(conn, alarm.seq)?;
    Ok(Some(ClaimedMessage {
        kind: alarm.kind,
        about: alarm.about.filter(|_| alarm.kind == AlarmKind::Gap),
        phone: contacts::phone(conn, &message.user_id)?,
        device: contacts::device(conn, device)?,
        request,
        ..message
    }))
}
