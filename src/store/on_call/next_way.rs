//! The next way to reach a person after a message has failed.

use rusqlite::{Connection, params};

use super::alarms::by_id;
use super::contacts;
use super::tell::tell_by;
use crate::request::requests;
use crate::{Result, query};
use domain::clock::Time;
use domain::on_call::alarm::{AlarmRules, AlarmState, Channel};

/// Notifies the person of a failed message by the next way that is possible, once.
pub(super) fn tell_next(conn: &Connection, id: i64, rules: &AlarmRules, now: Time) -> Result<()> {
    let sql = "UPDATE alarm_messages SET told_next = 1 WHERE id = ?1 AND told_next = 0
        RETURNING alarm, round, step, user_id, channel";
    let failed: Option<(i64, u32, u32, String, String)> =
        query::optional(conn, sql, [id], |row| row.try_into())?;
    let Some((alarm, round, step, user_id, channel)) = failed else {
        return Ok(());
    };
    let Some(mut alarm) = by_id(conn, alarm)?.filter(|it| it.state == AlarmState::Raised) else {
        return Ok(());
    };
    let people = contacts::reach(conn, now)?;
    let Some(person) = people.iter().find(|it| it.user_id == user_id) else {
        return Ok(());
    };
    let request = requests::still_stored(conn, alarm.seq)?;
    // The message belongs to the step of the one that failed.
    (alarm.round, alarm.step) = (round, step);
    let known = |channel: &str| {
        let known = "SELECT 1 FROM alarm_messages WHERE alarm = ?1 AND round = ?2 AND step = ?3
            AND user_id = ?4 AND channel = ?5";
        let values = params![alarm.id, round, step, user_id, channel];
        query::exists(conn, known, values)
    };
    let later = Channel::ALL.into_iter();
    for next in later.skip_while(|it| it.as_str() != channel).skip(1) {
        if known(next.as_str())? {
            return Ok(());
        }
        if tell_by(conn, &alarm, person, next, request.as_ref(), rules, now)? {
            return Ok(());
        }
    }
    Ok(())
}
