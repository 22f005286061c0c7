//! Writes the messages of alarms, each once: by which channels a person can be notified, the event
//! in the history of the request, and the email in the outbox.

use rusqlite::{Connection, params};
use serde_json::json;

use super::alarms::Alarm;
use super::contacts::Reach;
use crate::domain::clock::Time;
use crate::domain::email::notice::{AlarmNotice, Notice};
use crate::domain::on_call::alarm::{AlarmRules, Channel};
use crate::domain::request::Request;
use crate::store::inbox::events;
use crate::store::{Result, outbox};

/// A message to write.
struct NewMessage<'a> {
    alarm: &'a Alarm,
    person: &'a Reach,
    channel: Channel,
    /// Of a push.
    device: i64,
    request: Option<&'a Request>,
}

/// Tells a person by one way; returns whether it is possible.
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
        Channel::Call if rules.calls && has_phone => vec![0],
        Channel::Sms if rules.sms && has_phone => vec![0],
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

/// Writes a message once, with its event in the history of the request. An email goes to the
/// outbox.
fn tell(conn: &Connection, message: &NewMessage<'_>, now: Time) -> Result<()> {
    let NewMessage {
        alarm,
        person,
        channel,
        device,
        request,
    } = message;
    let is_email = *channel == Channel::Email;
    let inserted = conn
        .prepare_cached(
            "INSERT OR IGNORE INTO alarm_messages
               (alarm, round, step, user_id, channel, device, created_at, due_at, state, sent_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9)",
        )?
        .execute(params![
            alarm.id,
            alarm.round,
            alarm.step,
            person.user_id,
            channel.as_str(),
            device,
            now.to_string(),
            if is_email { "sent" } else { "due" },
            is_email.then(|| now.to_string()),
        ])?;
    if inserted == 0 {
        return Ok(());
    }
    let id = conn.last_insert_rowid();
    let event = match request {
        Some(request) => Some(record(conn, message, request, now)?),
        None => None,
    };
    conn.prepare_cached("UPDATE alarm_messages SET event = ?2 WHERE id = ?1")?
        .execute(params![id, event])?;
    match &person.email {
        Some(address) if is_email => {
            let notice = notice(alarm, *request, address);
            let email = outbox::next_id(conn, now)?;
            let immediately = Time::from_millis(0);
            outbox::insert(conn, email, &notice, now, immediately, event)
        }
        _ => Ok(()),
    }
}

fn record(
    conn: &Connection,
    message: &NewMessage<'_>,
    request: &Request,
    now: Time,
) -> Result<i64> {
    let detail = json!({
        "alarm": message.alarm.id,
        "channel": message.channel,
        "to": message.person.email,
        "round": message.alarm.round,
        "step": message.alarm.step + 1,
        "state": "queued",
        "at": null,
        "error": null,
    });
    events::add(conn, request, None, "alarmed", &detail, now)
}

/// The email of an alarm to one person.
fn notice(alarm: &Alarm, request: Option<&Request>, address: &str) -> Notice {
    Notice::Alarm(AlarmNotice {
        to: address.to_owned(),
        job: format!("on-call {}", alarm.kind.as_str()),
        request: request.map(|request| request.id.clone()),
        at: alarm.about.clone(),
    })
}
