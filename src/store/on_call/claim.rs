//! Claims the messages of alarms. All that wait for one person on one channel are one contact,
//! which names them all; the bounds say when it may be placed (`domain::on_call::bounds`).

use std::collections::HashMap;

use rusqlite::{Connection, params};

use super::alarms::by_id;
use super::contacts;
use super::messages::{ClaimedMessage, claimed_message};
use super::placed::{last_told, next_contact};
use super::tell::tell_by;
use crate::database::row;
use crate::request::{emails, requests};
use crate::{Result, Store, outbox, query};
use domain::clock::Time;
use domain::email::notice::{AlarmNotice, Notice};
use domain::on_call::alarm::{AlarmKind, AlarmRules, Channel};
use domain::on_call::bounds::{LONG_WAIT_MS, Next};
use domain::request::event::EmailState;

/// Messages at once that are left to emergencies.
const FOR_EMERGENCIES: usize = 8;

/// Due messages; one that stands for another that is due is claimed for both.
macro_rules! due {
    ($what:literal) => {
        concat!(
            "SELECT ",
            $what,
            " FROM alarm_messages AS message JOIN alarms ON alarms.id = message.alarm
             WHERE message.state = 'due' AND due_at <= ?1 AND (lease IS NULL OR lease <= ?1)
               AND NOT EXISTS (SELECT 1 FROM alarm_messages AS other
                 WHERE other.id = message.named_by AND other.state = 'due')"
        )
    };
}

/// The messages of one contact, the newest alarm first.
struct Group {
    user_id: String,
    channel: Channel,
    device: i64,
    kind: AlarmKind,
    ids: Vec<i64>,
    /// The alarm of each, and since when it waits.
    waits: Vec<(i64, Time)>,
    /// It was claimed before: no message is added to it.
    is_retry: bool,
}

impl Store {
    /// Claims due messages of raised alarms for `lease_ms`. Attempts are counted here. Emails are
    /// written to the outbox instead, and those that a bound delays wait.
    pub async fn claim_messages(
        &self,
        limit: usize,
        lease_ms: i64,
        rules: AlarmRules,
        now: Time,
    ) -> Result<Vec<ClaimedMessage>> {
        let at = now.to_string();
        let is_due = self.read(move |conn| query::exists(conn, due!("1"), params![at]));
        if limit == 0 || !is_due.await? {
            return Ok(Vec::new());
        }
        self.write(move |conn| {
            let lease = now.plus_millis(lease_ms).to_string();
            let mut claimed = Vec::new();
            for group in groups(conn, now)? {
                let left = match group.kind {
                    AlarmKind::Emergency => 0,
                    _ => FOR_EMERGENCIES,
                };
                if claimed.len() + left >= limit {
                    break;
                }
                claimed.extend(claim(conn, &group, &lease, &rules, now)?);
            }
            Ok(claimed)
        })
        .await
    }
}

/// What is due by contact, emergencies first.
fn groups(conn: &Connection, now: Time) -> Result<Vec<Group>> {
    let mut find = conn.prepare_cached(concat!(
        due!(
            "message.id, user_id, channel, device, kind, attempts, alarm, message.created_at AS since"
        ),
        " ORDER BY alarms.kind <> 'emergency', message.id"
    ))?;
    let mut rows = find.query([now.to_string()])?;
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<(String, Channel, i64, &str), usize> = HashMap::new();
    while let Some(row) = rows.next()? {
        let (id, wait) = (row.get(0)?, (row.get("alarm")?, row::column(row, "since")?));
        let is_retry = row.get::<_, u32>("attempts")? > 0;
        let group = Group {
            user_id: row.get("user_id")?,
            channel: row::column(row, "channel")?,
            device: row.get("device")?,
            kind: row::column(row, "kind")?,
            ids: vec![id],
            waits: vec![wait],
            is_retry,
        };
        let key = (
            group.user_id.clone(),
            group.channel,
            group.device,
            group.kind.as_str(),
        );
        match known.get(&key).filter(|_| !is_retry) {
            Some(index) => {
                groups[*index].ids.insert(0, id);
                groups[*index].waits.push(wait);
            }
            None => {
                if !is_retry {
                    known.insert(key, groups.len());
                }
                groups.push(group);
            }
        }
    }
    Ok(groups)
}

/// Since when an emergency waits of which the person was not told by this channel.
fn new_since(conn: &Connection, group: &Group) -> Result<Option<Time>> {
    if group.kind != AlarmKind::Emergency {
        return Ok(None);
    }
    let told = last_told(conn, &group.user_id, group.channel, group.device)?;
    let new = group.waits.iter().filter(|(alarm, _)| *alarm > told);
    Ok(new.map(|(_, since)| *since).min())
}

/// Claims a contact, or moves it to when the bounds allow it.
fn claim(
    conn: &Connection,
    group: &Group,
    lease: &str,
    rules: &AlarmRules,
    now: Time,
) -> Result<Option<ClaimedMessage>> {
    let Some(first) = group.ids.first().copied() else {
        return Ok(None);
    };
    if !group.is_retry {
        let to = (group.user_id.as_str(), group.channel, group.device);
        let next = next_contact(conn, to, group.kind, new_since(conn, group)?, rules, now)?;
        if next.at > now {
            postpone(conn, group, &next, rules, now)?;
            return Ok(None);
        }
        name_all(conn, group, first, now)?;
    }
    if group.channel == Channel::Email {
        email(conn, first, now)?;
        return Ok(None);
    }
    let sql = "UPDATE alarm_messages SET lease = ?2, attempts = attempts + 1 WHERE id = ?1";
    query::execute(conn, sql, params![first, lease])?;
    claimed_message(conn, first)
}

/// Notes which alarms the contact names: all of its kind that people are being notified of.
fn name_all(conn: &Connection, group: &Group, first: i64, now: Time) -> Result<()> {
    let sql = "UPDATE alarm_messages SET named_at = ?3, last_error = NULL,
          (through, named) = (SELECT max(id), count(*) FROM alarms
            WHERE kind = ?2 AND state = 'raised' AND step > 0)
        WHERE id = ?1";
    let values = params![first, group.kind.as_str(), now.to_string()];
    query::execute(conn, sql, values)?;
    let mut stand_for = conn.prepare_cached(
        "UPDATE alarm_messages SET named_by = ?2, last_error = NULL WHERE id = ?1",
    )?;
    for other in &group.ids[1..] {
        stand_for.execute(params![other, first])?;
    }
    Ok(())
}

/// Moves a contact to when it may be placed. If that is long, a push and an email go out at once.
fn postpone(
    conn: &Connection,
    group: &Group,
    next: &Next,
    rules: &AlarmRules,
    now: Time,
) -> Result<()> {
    let mut later = conn.prepare_cached(
        "UPDATE alarm_messages SET due_at = ?2, last_error = ?3 WHERE id = ?1 RETURNING event",
    )?;
    for id in &group.ids {
        let at = next.at.to_string();
        let event = later.query_row(params![id, at, next.why], |row| row.get(0))?;
        emails::set_state(conn, event, EmailState::Queued, next.why)?;
    }
    let costs = rules.bounds.of(group.channel).is_some();
    match group.ids.first() {
        Some(first) if costs && next.at >= now.plus_millis(LONG_WAIT_MS) => {
            stand_in(conn, *first, &group.user_id, rules, now)
        }
        _ => Ok(()),
    }
}

/// Notifies the person by push and email of the alarm of a message that waits.
fn stand_in(
    conn: &Connection,
    id: i64,
    user_id: &str,
    rules: &AlarmRules,
    now: Time,
) -> Result<()> {
    let sql = "SELECT alarm, round, step FROM alarm_messages WHERE id = ?1";
    let (alarm, round, step): (i64, u32, u32) = query::one(conn, sql, [id], |row| row.try_into())?;
    let people = contacts::reach(conn, now)?;
    let person = people.iter().find(|it| it.user_id == user_id);
    let (Some(mut alarm), Some(person)) = (by_id(conn, alarm)?, person) else {
        return Ok(());
    };
    (alarm.round, alarm.step) = (round, step);
    let request = requests::still_stored(conn, alarm.seq)?;
    for channel in [Channel::Push, Channel::Email] {
        tell_by(conn, &alarm, person, channel, request.as_ref(), rules, now)?;
    }
    Ok(())
}

/// Writes the email of a message to the outbox; the message and those it stands for are sent.
fn email(conn: &Connection, id: i64, now: Time) -> Result<()> {
    let sent = "UPDATE alarm_messages SET state = 'sent', sent_at = ?2
        WHERE id = ?1 OR named_by = ?1";
    query::execute(conn, sent, params![id, now.to_string()])?;
    let sql = "SELECT email, event FROM alarm_messages JOIN users ON users.id = user_id
        WHERE alarm_messages.id = ?1";
    let found: Option<(Option<String>, Option<i64>)> =
        query::optional(conn, sql, [id], |row| row.try_into())?;
    let (Some((Some(address), event)), Some(message)) = (found, claimed_message(conn, id)?) else {
        return Ok(());
    };
    let notice = Notice::Alarm(AlarmNotice {
        to: address,
        job: format!("on-call {}", message.kind.as_str()),
        request: message.request.map(|request| request.id),
        at: message.about.as_deref().and_then(Time::parse),
        count: message.named,
    });
    let number = outbox::next_id(conn, now)?;
    let immediately = Time::from_millis(0);
    outbox::insert(conn, number, &notice, now, immediately, event)
}
