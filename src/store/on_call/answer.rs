//! Answers of people by key or text message: an answer concerns the alarms that its call or text
//! message named, and counts once.

use rusqlite::{Connection, params};

use super::acknowledge::{pass_on, take};
use super::alarms::{Alarm, read, select_alarms};
use super::contacts;
use super::messages::claimed_message;
use crate::{Error, Result, Store, query};
use domain::clock::{DAY_MS, Time};

/// How long an answer is known as given, in milliseconds: longer than a provider repeats it.
const KEEP_MS: i64 = 30 * DAY_MS;

/// An answer to a call or a text message.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The number of the message of the alarm.
    pub message: i64,
    /// The id that the provider gives the answer: another delivery of it changes nothing.
    pub id: String,
    /// Whether the person takes the alarms; otherwise they are passed on.
    pub takes: bool,
    /// As in `call`.
    pub by: &'static str,
}

/// What an answer has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// It concerned so many raised alarms.
    Alarms(usize),
    /// It was given before.
    Repeated,
}

impl Store {
    /// Acknowledges or passes on the alarms that a message named, unless they were acknowledged
    /// since. Errors: `Missing` for an unknown message; `Conflict` unless its person is staff.
    pub async fn answer_message(
        &self,
        answer: Answer,
        again_ms: i64,
        now: Time,
    ) -> Result<Answered> {
        self.write(move |conn| {
            let message = claimed_message(conn, answer.message)?.ok_or(Error::Missing)?;
            let person = message.user_id;
            contacts::require_staff(conn, &person, now)?;
            if !is_new(conn, &answer.id, now)? {
                return Ok(Answered::Repeated);
            }
            let alarms = named(conn, answer.message)?;
            for alarm in &alarms {
                match answer.takes {
                    true => take(conn, alarm, &person, answer.by, again_ms, now)?,
                    false => pass_on(conn, alarm, &person, now)?,
                }
            }
            Ok(Answered::Alarms(alarms.len()))
        })
        .await
    }

    /// The newest call or text message to a number: the one that an answer by text is about.
    pub async fn last_message_to(&self, phone: String) -> Result<Option<i64>> {
        self.read(move |conn| {
            let sql = "SELECT id FROM alarm_messages JOIN on_call_phones USING (user_id)
                WHERE phone = ?1 AND channel IN ('sms', 'call') AND named_at IS NOT NULL
                  AND (state <> 'failed' OR ended_at IS NOT NULL)
                ORDER BY named_at DESC, channel DESC LIMIT 1";
            query::optional(conn, sql, [phone], |row| row.get(0))
        })
        .await
    }
}

/// Whether an answer was not given before; records it.
fn is_new(conn: &Connection, id: &str, now: Time) -> Result<bool> {
    let sql = "DELETE FROM phone_callbacks WHERE at < ?1";
    query::execute(conn, sql, [now.plus_millis(-KEEP_MS).to_string()])?;
    let insert = "INSERT OR IGNORE INTO phone_callbacks (id, at) VALUES (?1, ?2)";
    let inserted = query::execute(conn, insert, params![id, now.to_string()])?;
    Ok(inserted > 0)
}

/// The raised alarms that a message named and that no person has acknowledged since.
fn named(conn: &Connection, message: i64) -> Result<Vec<Alarm>> {
    let sql = select_alarms!(
        "state = 'raised' AND step > 0 AND EXISTS (
           SELECT 1 FROM alarm_messages AS message JOIN alarms AS first ON first.id = message.alarm
           WHERE message.id = ?1 AND first.kind = alarms.kind
             AND (alarms.id = first.id OR alarms.id <= message.through)
             AND (alarms.acknowledged_at IS NULL
               OR alarms.acknowledged_at <= coalesce(message.named_at, message.created_at)))
         ORDER BY id"
    );
    query::all(conn, sql, [message], read)
}
