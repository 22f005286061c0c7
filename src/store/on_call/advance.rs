//! The steps of alarms: each is taken in one transaction, which writes the messages of the step and
//! the time of the next one. A process that ends in between takes it again, or not at all.

use rusqlite::{Connection, params};

use super::acknowledge::{acknowledged_by_work, end, work};
use super::alarms::{Alarm, last_event, read, select_alarms};
use super::contacts::{self, Reach};
use super::rota;
use super::tell::tell_by;
use crate::request::requests;
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::on_call::alarm::{AlarmKind, AlarmRules, AlarmState, Channel, Step, Who};
use domain::on_call::bounds::MAX_ROUNDS;
use domain::request::Request;

/// Alarms that are looked at in one transaction.
const BATCH: u32 = 50;

impl Store {
    /// Takes the steps that are due, and ends the alarms that people have acknowledged by their
    /// work; returns how many alarms have changed.
    pub async fn advance_alarms(&self, rules: AlarmRules, now: Time) -> Result<usize> {
        if !self
            .read(move |conn| Ok(!open(conn, now)?.is_empty()))
            .await?
        {
            return Ok(0);
        }
        self.write(move |conn| {
            let alarms = open(conn, now)?;
            for alarm in &alarms {
                advance(conn, alarm, &rules, now)?;
            }
            Ok(alarms.len())
        })
        .await
    }
}

/// The alarms whose next step is due, or whose request was changed since the round began.
fn open(conn: &Connection, now: Time) -> Result<Vec<Alarm>> {
    let sql = select_alarms!(
        "next_at IS NOT NULL AND (next_at <= ?1 OR state = 'raised' AND EXISTS (
           SELECT 1 FROM events WHERE events.seq = alarms.seq AND events.id > after_event
             AND ",
        work!(),
        "))
         ORDER BY next_at LIMIT ?2 + 0"
    );
    query::all(conn, sql, params![now.to_string(), BATCH], read)
}

fn advance(conn: &Connection, alarm: &Alarm, rules: &AlarmRules, now: Time) -> Result<()> {
    let request = requests::still_stored(conn, alarm.seq)?;
    if request.is_none() && alarm.seq.is_some() {
        return end(conn, alarm);
    }
    let is_answered = |it: &Request| !it.awaits_answer() || it.held.is_some();
    let by_work = match alarm.state {
        AlarmState::Raised => acknowledged_by_work(conn, alarm)?,
        _ => None,
    };
    if let Some(person) = by_work {
        super::acknowledge::acknowledge(conn, alarm, &person, rules.again_ms, now)?;
        return match request.as_ref().is_some_and(is_answered) {
            true => end(conn, alarm),
            false => Ok(()),
        };
    }
    if request.as_ref().is_some_and(is_answered) {
        return end(conn, alarm);
    }
    if alarm.next_at.is_none_or(|at| at > now) {
        return Ok(());
    }
    let mut alarm = alarm.clone();
    let chain = chain_of(alarm.kind, rules);
    let is_round_over = usize::try_from(alarm.step).unwrap_or(usize::MAX) >= chain.len();
    if alarm.state == AlarmState::Acknowledged || is_round_over {
        if alarm.kind != AlarmKind::Emergency || alarm.round >= MAX_ROUNDS {
            return end(conn, &alarm);
        }
        alarm.state = AlarmState::Raised;
        alarm.round_at = now;
        alarm.round += 1;
        alarm.step = 0;
        alarm.after_event = last_event(conn)?;
    }
    if alarm.step == 0 && alarm.kind == AlarmKind::Overdue {
        let start = rules.working_hours.next(&rules.time_zone, now);
        if start > now {
            alarm.next_at = Some(start);
            return store(conn, &alarm);
        }
        alarm.round_at = now;
    }
    take_steps(conn, &mut alarm, &chain, request.as_ref(), rules, now)
}

/// Takes the steps that are due by now; after an outage that may be several.
fn take_steps(
    conn: &Connection,
    alarm: &mut Alarm,
    chain: &[Step],
    request: Option<&Request>,
    rules: &AlarmRules,
    now: Time,
) -> Result<()> {
    // The step that is due is taken even if the one before was passed on early.
    let mut is_first = alarm.step > 0;
    while let Some(step) = chain.get(usize::try_from(alarm.step).unwrap_or(usize::MAX)) {
        let due = alarm.round_at.plus_millis(step.after_ms);
        if due > now && !is_first {
            break;
        }
        take_step(conn, alarm, step, request, rules, now)?;
        alarm.step += 1;
        is_first = false;
    }
    let next = chain.get(usize::try_from(alarm.step).unwrap_or(usize::MAX));
    alarm.next_at = match (next, alarm.kind) {
        (Some(step), _) => Some(alarm.round_at.plus_millis(step.after_ms)),
        (None, AlarmKind::Emergency | AlarmKind::Overdue) => Some(rules.next_round(alarm.round_at)),
        // Tests and gaps wait for their acknowledgement.
        (None, _) => None,
    };
    store(conn, alarm)
}

fn take_step(
    conn: &Connection,
    alarm: &Alarm,
    step: &Step,
    request: Option<&Request>,
    rules: &AlarmRules,
    now: Time,
) -> Result<()> {
    let people = contacts::reach(conn, now)?;
    // Signals of spam make it quieter, never silent.
    let by: &[Channel] = match alarm.quiet {
        true => &[Channel::Push, Channel::Email],
        false => &step.by,
    };
    let only = alarm.about.as_deref();
    let only = only.filter(|_| alarm.kind == AlarmKind::Test);
    let chosen = match only {
        Some(id) => people.iter().filter(|it| it.user_id == id).collect(),
        None => chosen(conn, alarm, step.who, &people, rules, now)?,
    };
    for person in chosen {
        let mut has_way = false;
        for channel in by {
            has_way |= tell_by(conn, alarm, person, *channel, request, rules, now)?;
        }
        if !has_way {
            tell_by(conn, alarm, person, Channel::Email, request, rules, now)?;
        }
    }
    Ok(())
}

/// The people of a step. In a gap the person on call is everybody. After a handover the next person
/// is the one on call, who was not notified before.
fn chosen<'a>(
    conn: &Connection,
    alarm: &Alarm,
    who: Who,
    people: &'a [Reach],
    rules: &AlarmRules,
    now: Time,
) -> Result<Vec<&'a Reach>> {
    let rota = rota::read(conn, now)?.rota;
    let zone = &rules.time_zone;
    let named = |id: &str| people.iter().find(|it| it.user_id == id);
    let on_call = rota.on_call(zone, now);
    let first = on_call.first();
    let one = match who {
        Who::OnCall => first.and_then(|id| named(id)),
        Who::Next if is_handed_over(conn, alarm, first)? => first.and_then(|id| named(id)),
        Who::Next => rota.next(zone, now).and_then(|id| named(&id)),
        Who::Everybody => None,
    };
    if let Some(one) = one {
        return Ok(vec![one]);
    }
    let is_listed = |it: &&Reach| {
        let in_rota = rota.shifts.iter().any(|shift| shift.person == it.user_id);
        in_rota || it.phone.is_some() || !it.devices.is_empty()
    };
    let is_next = who == Who::Next;
    let may_be_chosen = |it: &&Reach| !(is_next && first == Some(&it.user_id));
    let listed: Vec<_> = people.iter().filter(is_listed).collect();
    let everybody = match listed.is_empty() {
        true => people.iter().collect(),
        false => listed,
    };
    Ok(everybody.into_iter().filter(may_be_chosen).collect())
}

/// Whether another person was on call at the earlier steps of this round.
fn is_handed_over(conn: &Connection, alarm: &Alarm, on_call: Option<&String>) -> Result<bool> {
    let sql = "SELECT 1 FROM alarm_messages WHERE alarm = ?1 AND round = ?2 AND user_id = ?3";
    let is_notified = query::exists(conn, sql, params![alarm.id, alarm.round, on_call])?;
    Ok(alarm.step > 0 && !is_notified)
}

/// The steps of a kind. A test concerns the person on call or another one; a gap is sent to
/// everybody at once.
fn chain_of(kind: AlarmKind, rules: &AlarmRules) -> Vec<Step> {
    match kind {
        AlarmKind::Emergency | AlarmKind::Overdue => rules.chain.clone(),
        AlarmKind::Test => {
            let is_on_call = |step: &&Step| step.who == Who::OnCall;
            rules.chain.iter().filter(is_on_call).cloned().collect()
        }
        AlarmKind::Gap => vec![Step {
            after_ms: 0,
            who: Who::Everybody,
            by: vec![Channel::Push, Channel::Email],
        }],
    }
}

fn store(conn: &Connection, alarm: &Alarm) -> Result<()> {
    let sql = "UPDATE alarms SET state = ?2, round = ?3, round_at = ?4, step = ?5, next_at = ?6,
        after_event = ?7 WHERE id = ?1";
    let values = rusqlite::params![
        alarm.id,
        alarm.state.as_str(),
        alarm.round,
        alarm.round_at.to_string(),
        alarm.step,
        alarm.next_at.map(|at| at.to_string()),
        alarm.after_event
    ];
    query::run(conn, sql, values)
}
