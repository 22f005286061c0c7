//! Acknowledgements: a person takes the request, or presses a key. An acknowledged emergency starts
//! again if the customer is not reached in time.

use rusqlite::{Connection, params};
use serde_json::json;

use super::alarms::{Alarm, by_id, last_event, read, select_alarms};
use super::contacts;
use crate::request::announcements::announce;
use crate::request::writes::set;
use crate::request::{events, requests};
use crate::{Error, Result, Store, query};
use domain::clock::Time;
use domain::on_call::alarm::{AlarmKind, AlarmState};
use domain::request::Request;
use domain::request::event::{Acknowledged, Assigned, EmailState, Event, PassedOn};

impl Store {
    /// Acknowledges an alarm, and assigns its request unless it is assigned. `by` is how, as in
    /// `call`. Errors: `Missing` for an unknown alarm; `Conflict` unless the person is an admin.
    pub async fn acknowledge_alarm(
        &self,
        id: i64,
        person: String,
        by: &'static str,
        again_ms: i64,
        now: Time,
    ) -> Result<()> {
        self.write(move |conn| {
            contacts::require_staff(conn, &person, now)?;
            let alarm = by_id(conn, id)?.ok_or(Error::Missing)?;
            match alarm.state == AlarmState::Raised {
                true => take(conn, &alarm, &person, by, again_ms, now),
                false => Ok(()),
            }
        })
        .await
    }

    /// Passes an alarm on: its next step is due now. Errors: `Missing` for an unknown alarm.
    pub async fn pass_on_alarm(&self, id: i64, person: String, now: Time) -> Result<()> {
        self.write(move |conn| {
            let alarm = by_id(conn, id)?.ok_or(Error::Missing)?;
            if alarm.state != AlarmState::Raised {
                return Ok(());
            }
            pass_on(conn, &alarm, &person, now)
        })
        .await
    }
}

/// Acknowledges a raised alarm, and assigns its request unless it is assigned.
pub(super) fn take(
    conn: &Connection,
    alarm: &Alarm,
    person: &str,
    by: &str,
    again_ms: i64,
    now: Time,
) -> Result<()> {
    if let Some(request) = requests::still_stored(conn, alarm.seq)? {
        let event = Event::Acknowledged(Acknowledged {
            by: by.to_owned(),
            alarm: alarm.id,
        });
        events::add(conn, &request, Some(person), &event, now)?;
        assign(conn, &request, person, now)?;
    }
    acknowledge(conn, alarm, person, again_ms, now)
}

/// Makes the next step of a raised alarm due.
pub(super) fn pass_on(conn: &Connection, alarm: &Alarm, person: &str, now: Time) -> Result<()> {
    if let Some(request) = requests::still_stored(conn, alarm.seq)? {
        let event = Event::PassedOn(PassedOn { alarm: alarm.id });
        events::add(conn, &request, Some(person), &event, now)?;
    }
    let sql = "UPDATE alarms SET next_at = ?2 WHERE id = ?1 AND next_at > ?2";
    query::execute(conn, sql, params![alarm.id, now.to_string()])?;
    // This person has answered: the end of the call causes no other message to them.
    let sql = "UPDATE alarm_messages SET told_next = 1 WHERE alarm = ?1 AND user_id = ?2";
    query::run(conn, sql, params![alarm.id, person])
}

/// Assigns a request unless it is assigned.
fn assign(conn: &Connection, request: &Request, person: &str, now: Time) -> Result<()> {
    if request.assignee.is_some() || request.held.is_some() {
        return Ok(());
    }
    set(conn, request, "assignee", Some(person))?;
    set(conn, request, "updated_at", Some(&now.to_string()))?;
    let event = Event::Assigned(Assigned::of_ids(None, Some(person)));
    events::add(conn, request, Some(person), &event, now).map(drop)
}

/// The condition of an event by which a person works on a request, and which was not undone.
macro_rules! work {
    () => {
        "actor IS NOT NULL AND (verb IN ('called', 'moved', 'replied')
           OR verb = 'assigned' AND detail ->> 'to' IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM events AS later WHERE later.seq = events.seq
           AND later.verb = 'undone' AND later.detail ->> 'event' = events.id)"
    };
}
pub(super) use work;

/// Who has worked on the request since the round began: took or assigned it, called, moved or
/// answered it.
pub(super) fn acknowledged_by_work(conn: &Connection, alarm: &Alarm) -> Result<Option<String>> {
    let Some(seq) = alarm.seq else {
        return Ok(None);
    };
    let sql = concat!(
        "SELECT actor FROM events WHERE seq = ?1 AND id > ?2 AND ",
        work!(),
        " ORDER BY id LIMIT 1"
    );
    query::optional(conn, sql, params![seq, alarm.after_event], |row| row.get(0))
}

/// Begins another round of the alarm of a request that waits again, or that nobody works on any
/// more: a close, a call or an acknowledgement was taken back. `before` is the request before
/// that. Call it inside the `write` job that takes it back, after its event.
pub(crate) fn raise_again(conn: &Connection, before: &Request, now: Time) -> Result<()> {
    let newest = select_alarms!("seq = ?1 AND state <> 'raised' ORDER BY id DESC LIMIT 1");
    let Some(alarm) = query::optional(conn, newest, [before.seq], read)? else {
        return Ok(());
    };
    let after = requests::by_seq(conn, before.seq)?;
    let waits = |it: &Request| it.awaits_answer() && it.held.is_none();
    let is_left = before.assignee.is_some() && after.assignee.is_none();
    let is_acknowledged = alarm.state == AlarmState::Acknowledged && is_worked_on(conn, &alarm)?;
    if !waits(&after) || waits(before) && !is_left && is_acknowledged {
        return Ok(());
    }
    let sql = "UPDATE alarms SET state = 'raised', round = round + 1, round_at = ?2, step = 0,
        next_at = ?2, after_event = ?3 WHERE id = ?1";
    let after_event = last_event(conn)?;
    query::run(conn, sql, params![alarm.id, now.to_string(), after_event])
}

/// Whether a person works on the request of an acknowledged alarm, or has acknowledged it expressly.
fn is_worked_on(conn: &Connection, alarm: &Alarm) -> Result<bool> {
    let sql = "SELECT 1 FROM events WHERE seq = ?1 AND id > ?2 AND verb = 'acknowledged'";
    let expressly = query::exists(conn, sql, params![alarm.seq, alarm.after_event])?;
    Ok(expressly || acknowledged_by_work(conn, alarm)?.is_some())
}

/// Records the acknowledgement, which ends the round.
pub(super) fn acknowledge(
    conn: &Connection,
    alarm: &Alarm,
    person: &str,
    again_ms: i64,
    now: Time,
) -> Result<()> {
    let again = (alarm.kind == AlarmKind::Emergency).then(|| now.plus_millis(again_ms).to_string());
    let sql =
        "UPDATE alarms SET state = 'acknowledged', acknowledged_at = ?2, acknowledged_by = ?3,
        next_at = ?4 WHERE id = ?1";
    query::execute(conn, sql, params![alarm.id, now.to_string(), person, again])?;
    stop_messages(conn, alarm.id)?;
    let detail = json!({ "alarm": alarm.id, "kind": alarm.kind, "by": person });
    announce(conn, "alarm.acknowledged", alarm.seq, Some(&detail), now)
}

/// Ends an alarm whose request was answered, closed, held or deleted, or that has had its last
/// round.
pub(super) fn end(conn: &Connection, alarm: &Alarm) -> Result<()> {
    let sql = "UPDATE alarms SET state = 'over', next_at = NULL WHERE id = ?1";
    query::execute(conn, sql, [alarm.id])?;
    stop_messages(conn, alarm.id)
}

/// Messages that were not sent yet are not needed any more.
fn stop_messages(conn: &Connection, alarm: i64) -> Result<()> {
    let sql = "UPDATE alarm_messages SET state = 'over', lease = NULL
        WHERE alarm = ?1 AND state = 'due' RETURNING event";
    let events: Vec<_> = query::all(conn, sql, [alarm], |row| row.get::<_, Option<i64>>(0))?;
    for event in events {
        crate::request::emails::set_state(conn, event, EmailState::NotNeeded, None)?;
    }
    Ok(())
}
