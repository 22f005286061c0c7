//! Writes the messages of alarms, each once: by which channels a person can be notified, and the
//! event in the history of the request.

use rusqlite::{Connection, params};

use super::alarms::Alarm;
use super::contacts::Reach;
use crate::request::events;
use crate::{Result, query};
use domain::clock::Time;
use domain::on_call::alarm::{AlarmRules, Channel};
use domain::on_call::bounds::FLOOD;
use domain::request::Request;
use domain::request::event::{Alarmed, Delivery, Event};

/// A message to write.
struct NewMessage<'a> {
    alarm: &'a Alarm,
    person: &'a Reach,
    channel: Channel,
    /// Of a push.
    device: i64,
    request: Option<&'a Request>,
}

/// Notifies a person by one way; returns whether it is possible.
pub(super) fn tell_by(
    conn: &Connection,
    alarm: &Alarm,
    person: &Reach,
    channel: Channel,
    request: Option<&Request>,
    rules: &AlarmRules,
    now: Time,
) -> Result<bool> {
    let has_phone = person.phone.is_some();
    let devices = match channel {
        Channel::Push => person.devices.clone(),
        Channel::Call if rules.calls && has_phone && !alarm.quiet => vec![0],
        Channel::Sms if rules.sms && has_phone && !alarm.quiet => vec![0],
        Channel::Email if person.email.is_some() => vec![0],
        _ => Vec::new(),
    };
    for device in &devices {
        let message = NewMessage {
            alarm,
            person,
            channel,
            device: *device,
            request,
        };
        tell(conn, &message, now)?;
    }
    Ok(!devices.is_empty())
}

/// Writes a message once, with its event in the history of the request.
fn tell(conn: &Connection, message: &NewMessage<'_>, now: Time) -> Result<()> {
    if is_named_anyway(conn, message)? {
        return Ok(());
    }
    let NewMessage {
        alarm,
        person,
        channel,
        device,
        request,
    } = message;
    let sql = "INSERT OR IGNORE INTO alarm_messages
          (alarm, round, step, user_id, channel, device, created_at, due_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)";
    let values = params![
        alarm.id,
        alarm.round,
        alarm.step,
        person.user_id,
        channel.as_str(),
        device,
        now.to_string(),
    ];
    let inserted = query::execute(conn, sql, values)?;
    if inserted == 0 {
        return Ok(());
    }
    let id = conn.last_insert_rowid();
    let event = match request {
        Some(request) => Some(record(conn, message, request, now)?),
        None => None,
    };
    let sql = "UPDATE alarm_messages SET event = ?2 WHERE id = ?1";
    query::run(conn, sql, params![id, event])
}

/// Whether, in a flood, a message that waits will name the alarm, which the person was notified of
/// before: each message of each round would fill the disk.
fn is_named_anyway(conn: &Connection, message: &NewMessage<'_>) -> Result<bool> {
    let alarm = message.alarm;
    let raised = "SELECT count(*) FROM (SELECT 1 FROM alarms
        WHERE kind = ?1 AND next_at IS NOT NULL AND state = 'raised' LIMIT ?2)";
    let kind = params![alarm.kind.as_str(), FLOOD];
    let raised: i64 = query::one(conn, raised, kind, |row| row.get(0))?;
    if raised < FLOOD {
        return Ok(false);
    }
    let waits = "SELECT 1 FROM alarm_messages AS message JOIN alarms ON alarms.id = alarm
        WHERE message.state = 'due' AND attempts = 0 AND user_id = ?1 AND channel = ?2
          AND device = ?3 AND alarms.kind = ?4
          AND EXISTS (SELECT 1 FROM alarm_messages AS earlier
            WHERE earlier.alarm = ?5 AND earlier.user_id = ?1 AND earlier.channel = ?2
              AND earlier.device = ?3)";
    let (person, channel) = (&message.person.user_id, message.channel.as_str());
    let values = params![
        person,
        channel,
        message.device,
        alarm.kind.as_str(),
        alarm.id
    ];
    query::exists(conn, waits, values)
}

fn record(
    conn: &Connection,
    message: &NewMessage<'_>,
    request: &Request,
    now: Time,
) -> Result<i64> {
    let event = Event::Alarmed(Alarmed {
        alarm: message.alarm.id,
        channel: message.channel,
        to: message.person.email.clone(),
        round: message.alarm.round,
        step: message.alarm.step + 1,
        delivery: Delivery::default(),
    });
    events::add(conn, request, None, &event, now)
}
