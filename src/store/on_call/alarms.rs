//! Alarms: raised in the transaction of their cause, and read.

use poem_openapi::Object;
use rusqlite::{Connection, Row, params};
use serde_json::json;

use super::{contacts, rota};
use crate::database::row::read_row;
use crate::request::announcements::announce;
use crate::request::requests;
use crate::{Result, Store, conflict, query};
use domain::clock::{DAY_MS, HOUR_MS, Time};
use domain::ids;
use domain::on_call::alarm::{AlarmKind, AlarmRules, AlarmState};
use domain::on_call::bounds::TESTS_AN_HOUR;

/// How long after its time a test is still raised, in milliseconds: a server that was off skips it.
const TEST_LATE_MS: i64 = HOUR_MS;
/// How far back the beginning of a gap is looked for, in milliseconds.
const GAP_BACK_MS: i64 = 14 * DAY_MS;

/// A stored alarm.
#[derive(Clone, Debug, Object)]
pub struct Alarm {
    pub id: i64,
    pub kind: AlarmKind,
    pub state: AlarmState,
    pub created_at: Time,
    /// How often the chain has begun.
    pub round: u32,
    /// When the next step is due; null if there is none.
    pub next_at: Option<Time>,
    /// The user id of who acknowledged it last.
    pub acknowledged_by: Option<String>,
    /// The request's `seq`.
    #[oai(skip)]
    pub seq: Option<i64>,
    /// The beginning of a gap; of a test, the user id of the only person who is notified.
    #[oai(skip)]
    pub about: Option<String>,
    #[oai(skip)]
    pub round_at: Time,
    /// Steps of this round that were taken.
    #[oai(skip)]
    pub step: u32,
    #[oai(skip)]
    pub after_event: i64,
    /// It has signals of spam.
    #[oai(skip)]
    pub quiet: bool,
}

macro_rules! select_alarms {
    ($($condition:expr),+) => {
        concat!(
            "SELECT id, kind, seq, about, created_at, state, round, round_at, step, next_at,
               after_event, acknowledged_by, quiet FROM alarms WHERE ",
            $($condition),+
        )
    };
}
pub(super) use select_alarms;

/// Raises the alarm of an emergency. A quiet one has signals of spam, and makes no calls and text
/// messages. Call it inside the `write` job that stores the request.
pub(crate) fn raise_emergency(conn: &Connection, seq: i64, quiet: bool, now: Time) -> Result<()> {
    let raised = raise(conn, AlarmKind::Emergency, Some(seq), None, now)?;
    if let Some(id) = raised.filter(|_| quiet) {
        query::execute(conn, "UPDATE alarms SET quiet = 1 WHERE id = ?1", [id])?;
    }
    Ok(())
}

/// Raises the alarm of an overdue request that is no emergency, unless it has one. Call it inside
/// the `write` job that escalates it.
pub(crate) fn raise_overdue(conn: &Connection, seq: i64, now: Time) -> Result<()> {
    let known = "SELECT 1 FROM alarms WHERE seq = ?1 AND state <> 'over'";
    if query::exists(conn, known, [seq])? {
        return Ok(());
    }
    raise(conn, AlarmKind::Overdue, Some(seq), None, now).map(drop)
}

/// Inserts an alarm whose first step is due. Nothing is raised before a person can be notified.
fn raise(
    conn: &Connection,
    kind: AlarmKind,
    seq: Option<i64>,
    about: Option<&str>,
    now: Time,
) -> Result<Option<i64>> {
    match contacts::is_configured(conn)? {
        true => insert(conn, kind, seq, about, now).map(Some),
        false => Ok(None),
    }
}

fn insert(
    conn: &Connection,
    kind: AlarmKind,
    seq: Option<i64>,
    about: Option<&str>,
    now: Time,
) -> Result<i64> {
    // Of a new request, each event is later; those of an overdue one count from now on.
    let after_event = match kind {
        AlarmKind::Overdue => last_event(conn)?,
        _ => 0,
    };
    let sql = "INSERT INTO alarms (kind, seq, about, created_at, round_at, next_at, after_event)
        VALUES (?1, ?2, ?3, ?4, ?4, ?4, ?5)";
    let values = params![kind.as_str(), seq, about, now.to_string(), after_event];
    query::execute(conn, sql, values)?;
    let id = conn.last_insert_rowid();
    let detail = json!({ "alarm": id, "kind": kind });
    announce(conn, "alarm.raised", seq, Some(&detail), now)?;
    Ok(id)
}

/// The number of the last event of any request.
pub(super) fn last_event(conn: &Connection) -> Result<i64> {
    let sql = "SELECT coalesce(max(id), 0) FROM events";
    query::one(conn, sql, [], |row| row.get(0))
}

impl Store {
    /// Raises what is due: the weekly test, gaps, and emergencies of the last day that wait and
    /// have no alarm, since nobody could be notified when they came in. Returns how many.
    pub async fn raise_scheduled(&self, rules: AlarmRules, now: Time) -> Result<usize> {
        let known = rules.clone();
        let due = self.read(move |conn| Ok(!scheduled(conn, &known, now)?.is_empty()));
        if !due.await? {
            return Ok(0);
        }
        self.write(move |conn| {
            let due = scheduled(conn, &rules, now)?;
            for alarm in &due {
                match alarm.seq {
                    Some(seq) => {
                        let quiet = requests::by_seq(conn, seq)?.is_unanswerable();
                        raise_emergency(conn, seq, quiet, now)?;
                    }
                    None => drop(raise(conn, alarm.kind, None, alarm.about.as_deref(), now)?),
                }
            }
            Ok(due.len())
        })
        .await
    }

    /// Raises a test alarm now, regardless of the schedule, for the person on call or for `person`
    /// alone. Errors: `Conflict` if no person can be notified, `person` may not work here, or
    /// several tests were raised within the hour.
    pub async fn raise_test(&self, person: Option<String>, now: Time) -> Result<i64> {
        self.write(move |conn| {
            let recent = "SELECT count(*) FROM alarms WHERE kind = 'test' AND created_at > ?1";
            let hour_ago = now.plus_millis(-HOUR_MS).to_string();
            let recent: i64 = conn.query_row(recent, [hour_ago], |row| row.get(0))?;
            if recent >= TESTS_AN_HOUR {
                return conflict(format!(
                    "There were {recent} test alarms within an hour: wait before the next one, so \
                     that carriers do not block the number."
                ));
            }
            if let Some(person) = &person {
                contacts::require_staff(conn, person, now)?;
                return insert(conn, AlarmKind::Test, None, Some(person), now);
            }
            let raised = raise(conn, AlarmKind::Test, None, None, now)?;
            raised.ok_or_else(|| {
                let detail =
                    "Nobody can be told yet. Set up the on-call schedule, or turn on a device.";
                crate::Error::Conflict(detail.to_owned())
            })
        })
        .await
    }
}

/// A scheduled alarm that is due.
struct DueAlarm {
    kind: AlarmKind,
    /// The request of an emergency.
    seq: Option<i64>,
    /// The beginning of a gap.
    about: Option<String>,
}

fn scheduled(conn: &Connection, rules: &AlarmRules, now: Time) -> Result<Vec<DueAlarm>> {
    if !contacts::is_configured(conn)? {
        return Ok(Vec::new());
    }
    // Who has taken a call on answers it.
    let waiting = "SELECT seq FROM requests WHERE seq >= ?1 AND emergency_contact = 1
          AND answered_at IS NULL AND assignee IS NULL AND held IS NULL AND demo = 0
          AND status IN ('pending', 'in_progress')
          AND NOT EXISTS (SELECT 1 FROM alarms WHERE alarms.seq = requests.seq)";
    let day = ids::first_seq(now.plus_millis(-DAY_MS));
    let mut due: Vec<_> = query::all(conn, waiting, [day], |row| {
        Ok(DueAlarm {
            kind: AlarmKind::Emergency,
            seq: row.get(0)?,
            about: None,
        })
    })?;
    let test = rules.test.and_then(|test| test.last(&rules.time_zone, now));
    if let Some(at) = test.filter(|at| at.plus_millis(TEST_LATE_MS) > now) {
        let known = "SELECT 1 FROM alarms
            WHERE kind = 'test' AND about IS NULL AND created_at >= ?1";
        if !query::exists(conn, known, [at.to_string()])? {
            due.push(DueAlarm {
                kind: AlarmKind::Test,
                seq: None,
                about: None,
            });
        }
    }
    let rota = rota::read(conn, now)?.rota;
    if rota.is_empty() {
        return Ok(due);
    }
    let (from, until) = (now.plus_millis(-GAP_BACK_MS), now.plus_millis(rules.gap_ms));
    let gaps = rota.gaps(&rules.time_zone, from, until).into_iter();
    for (start, _) in gaps.filter(|(_, end)| *end > now) {
        let known = "SELECT 1 FROM alarms WHERE kind = 'gap' AND (about = ?1 OR created_at > ?2)";
        // A gap that began before `from` has a moving beginning: it is raised once a day.
        let recent = match start > from {
            true => "9".to_owned(),
            false => now.plus_millis(-DAY_MS).to_string(),
        };
        if !query::exists(conn, known, [start.to_string(), recent])? {
            due.push(DueAlarm {
                kind: AlarmKind::Gap,
                seq: None,
                about: Some(start.to_string()),
            });
        }
    }
    Ok(due)
}

/// An alarm by its id; `None` if there is none.
pub(super) fn by_id(conn: &Connection, id: i64) -> Result<Option<Alarm>> {
    query::optional(conn, select_alarms!("id = ?1"), [id], read)
}

pub(super) fn read(found: &Row<'_>) -> rusqlite::Result<Alarm> {
    read_row!(found => Alarm {
        id, kind, seq, about, created_at, state, round, round_at, step, next_at, after_event,
        acknowledged_by, quiet,
    })
}
