//! Alarms as listed, with the people they notified.

use std::collections::HashMap;

use poem_openapi::Object;
use rusqlite::Connection;

use super::alarms::{Alarm, read, select_alarms};
use crate::database::row::{self, read_row};
use crate::request::requests;
use crate::{Result, Store, query};
use domain::account::Person;
use domain::clock::Time;
use domain::delivery::DeliveryState;
use domain::on_call::alarm::{AlarmKind, Channel};
use domain::request::RequestKind;

/// An alarm.
#[derive(Clone, Debug, Object)]
#[oai(rename = "AlarmItem")]
pub struct ListedAlarm {
    #[oai(flatten)]
    pub alarm: Alarm,
    /// The reference of its request; null if it is about none, or if it was deleted.
    pub request: Option<String>,
    /// What the request is; null as `request` is.
    pub about: Option<AlarmRequest>,
    /// The user id of the only person whom a test alarm tells; null otherwise.
    pub person: Option<String>,
    /// Oldest first.
    pub messages: Vec<ListedMessage>,
    /// The systems that were told of it.
    pub webhooks: Vec<AlarmWebhook>,
}

/// The request of an alarm.
#[derive(Clone, Debug, Object)]
pub struct AlarmRequest {
    pub kind: RequestKind,
    pub service: String,
    /// The place; null if it is not known.
    pub location: Option<String>,
    /// The customer's name.
    pub name: String,
}

/// A system that was told of an alarm.
#[derive(Clone, Debug, Object)]
pub struct AlarmWebhook {
    pub name: String,
    pub state: DeliveryState,
    pub error: Option<String>,
}

/// A notification of one person by one channel.
#[derive(Clone, Debug, Object)]
#[oai(rename = "AlarmMessage")]
pub struct ListedMessage {
    pub person: Person,
    pub channel: Channel,
    pub state: DeliveryState,
    pub created_at: Time,
    pub sent_at: Option<Time>,
    pub error: Option<String>,
}

impl Store {
    /// The newest alarms with their messages, newest first.
    pub async fn recent_alarms(&self, limit: u32) -> Result<Vec<ListedAlarm>> {
        self.read(move |conn| {
            let sql = select_alarms!("true ORDER BY id DESC LIMIT ?1");
            let alarms: Vec<_> = query::all(conn, sql, [limit], read)?;
            let Some(oldest) = alarms.last() else {
                return Ok(Vec::new());
            };
            let mut messages = messages_since(conn, oldest.id)?;
            let mut webhooks = webhooks_of(conn, &alarms)?;
            let mut listed = Vec::new();
            for alarm in alarms {
                let (request, about) = request_of(conn, &alarm)?.unzip();
                listed.push(ListedAlarm {
                    request,
                    about,
                    person: alarm
                        .about
                        .clone()
                        .filter(|_| alarm.kind == AlarmKind::Test),
                    messages: messages.remove(&alarm.id).unwrap_or_default(),
                    webhooks: webhooks.remove(&alarm.id).unwrap_or_default(),
                    alarm,
                });
            }
            Ok(listed)
        })
        .await
    }
}

/// The reference of the request, and what it is.
fn request_of(conn: &Connection, alarm: &Alarm) -> Result<Option<(String, AlarmRequest)>> {
    let request = requests::still_stored(conn, alarm.seq)?;
    Ok(request.map(|request| {
        let about = AlarmRequest {
            name: request.full_name(),
            kind: request.kind,
            service: request.service,
            location: request.location,
        };
        (request.reference, about)
    }))
}

/// The messages of an alarm and of all later ones, by alarm, oldest first.
fn messages_since(conn: &Connection, alarm: i64) -> Result<HashMap<i64, Vec<ListedMessage>>> {
    let sql = "SELECT alarm, channel, user_id, email, display_name, state,
          alarm_messages.created_at AS created_at, sent_at, last_error
        FROM alarm_messages LEFT JOIN users ON users.id = user_id
        WHERE alarm >= ?1 ORDER BY alarm_messages.id";
    let mut messages: HashMap<i64, Vec<ListedMessage>> = HashMap::new();
    query::each(conn, sql, [alarm], |found| {
        let message = read_row!(found => ListedMessage {
            channel, state, created_at, sent_at, error: "last_error";
            person: read_row!(found => Person { id: "user_id", email, name: "display_name" })?,
        });
        let of_alarm = messages.entry(found.get("alarm")?);
        of_alarm.or_default().push(message?);
        Ok(())
    })?;
    Ok(messages)
}

/// The deliveries that announced `alarms`, which are the newest first, by alarm. A delivery names
/// no alarm: it is the newest one of its request that was raised before.
fn webhooks_of(conn: &Connection, alarms: &[Alarm]) -> Result<HashMap<i64, Vec<AlarmWebhook>>> {
    let mut webhooks: HashMap<i64, Vec<AlarmWebhook>> = HashMap::new();
    let Some(oldest) = alarms.last() else {
        return Ok(webhooks);
    };
    // One message of a chat room about several alarms belongs to none.
    let sql = "SELECT seq, webhook_deliveries.created_at AS created_at, name, state, last_error
        FROM webhook_deliveries JOIN webhook_endpoints ON webhook_endpoints.id = endpoint
        WHERE event = 'alarm.raised' AND webhook_deliveries.created_at >= ?1
          AND coalesce(json_extract(body, '$.count'), 0) < 2
        ORDER BY webhook_deliveries.id";
    query::each(conn, sql, [oldest.created_at.to_string()], |found| {
        let (seq, at): (Option<i64>, Time) = (found.get("seq")?, row::column(found, "created_at")?);
        let raised = alarms
            .iter()
            .find(|alarm| alarm.seq == seq && alarm.created_at <= at);
        if let Some(alarm) = raised {
            let told = read_row!(found => AlarmWebhook { name, state, error: "last_error" })?;
            webhooks.entry(alarm.id).or_default().push(told);
        }
        Ok(())
    })?;
    Ok(webhooks)
}
