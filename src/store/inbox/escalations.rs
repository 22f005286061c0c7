//! Finds overdue requests, records each step in their history and enqueues the notice to the
//! office, each step once.
//!
//! Each scan continues after the last `seq` of the one before, so that its cost does not depend on
//! the number of requests. A request that is released or reopened, or whose answer is undone, after
//! a scan passed it is checked again. The history decides whether a step was done.

use rusqlite::{Connection, params};

use crate::on_call::alarms;
use crate::request::events;
use crate::request::requests;
use crate::{Result, Store, outbox, query};
use domain::clock::{HOUR_MS, Time};
use domain::email::notice::Notice;
use domain::ids;
use domain::request::Request;
use domain::request::due_time::AnswerTimes;
use domain::request::event::{Escalated, Event};

/// A step of an escalation.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub number: u8,
    /// How long after the due time it is taken.
    pub later_ms: i64,
}

/// The steps, the last one first.
pub(crate) const STEPS: [Step; 2] = [
    Step {
        number: 2,
        later_ms: HOUR_MS,
    },
    Step {
        number: 1,
        later_ms: 0,
    },
];
/// Requests escalated in one transaction.
const BATCH: u32 = 100;

/// A scan that finds nothing is repeated over this many `seq` (an hour) before its position is
/// stored.
const SCAN_MEMORY: i64 = HOUR_MS * ids::SEQS_PER_MILLI;

/// The scans: their names, and whether they are of emergencies.
const SCANS: [(&str, bool); 2] = [("requests", false), ("emergencies", true)];

/// Requests of one urgency, `?4`, that await an answer, after `?1` and up to `?2`.
const AWAITING: &str = "SELECT seq FROM requests
    WHERE seq > ?1 AND seq <= ?2 AND emergency_contact = ?4 AND answered_at IS NULL
      AND held IS NULL AND demo = 0 AND status IN ('pending', 'in_progress')
    ORDER BY seq LIMIT ?3";

/// Requests that may be overdue again although a scan has passed them: events after `?1`.
const LOOK_AGAIN: &str = "SELECT id, seq FROM events WHERE id > ?1 \
                          AND (verb IN ('released', 'undone') \
                          OR verb = 'moved' AND detail ->> 'correction' = 'reopen') \
                          ORDER BY id LIMIT ?2";

impl Store {
    /// Escalates the requests that are overdue at `now`; returns how many. The first run starts at
    /// `now`: requests that were overdue before are skipped. Errors: the error of the database;
    /// what was escalated before it stays.
    pub async fn escalate_overdue(&self, answer_times: AnswerTimes, now: Time) -> Result<usize> {
        let mut escalated = 0;
        loop {
            let is_due = self.read(move |conn| Ok(!work(conn, answer_times, now)?.is_empty()));
            if !is_due.await? {
                return Ok(escalated);
            }
            escalated += self
                .write(move |conn| {
                    let mut count = 0;
                    for task in work(conn, answer_times, now)? {
                        count += usize::from(run(conn, &task, answer_times, now)?);
                    }
                    Ok(count)
                })
                .await?;
        }
    }
}

/// A step of a scan: the position to store, and the request to check.
struct Task {
    scan: String,
    up_to: i64,
    seq: Option<i64>,
    step: Option<u8>,
}

/// The next tasks, at most a batch. Empty if there is no request to check.
fn work(conn: &Connection, answer_times: AnswerTimes, now: Time) -> Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for step in STEPS {
        for (name, emergency) in SCANS {
            let scan = format!("{name} {}", step.number);
            let due_before = now.plus_millis(-answer_times.millis(emergency) - step.later_ms);
            let end = ids::first_seq(due_before) + ids::SEQS_PER_MILLI - 1;
            let start = position(conn, &scan)?;
            let task = |up_to, seq| Task {
                scan: scan.clone(),
                up_to,
                seq,
                step: Some(step.number),
            };
            // The first scan.
            let Some(start) = start else {
                tasks.push(task(end, None));
                continue;
            };
            let values = params![start, end, BATCH, emergency];
            let found: Vec<_> = query::all(conn, AWAITING, values, |row| row.get::<_, i64>(0))?;
            tasks.extend(found.iter().map(|seq| task(*seq, Some(*seq))));
            if found.is_empty() && end - start > SCAN_MEMORY {
                tasks.push(task(end, None));
            }
        }
    }
    tasks.extend(look_again(conn, now)?);
    Ok(tasks)
}

fn look_again(conn: &Connection, now: Time) -> Result<Vec<Task>> {
    let scan = "looked_again";
    let task = |up_to, seq| Task {
        scan: scan.to_owned(),
        up_to,
        seq,
        step: None,
    };
    let Some(start) = position(conn, scan)? else {
        return Ok(vec![task(ids::first_seq(now), None)]);
    };
    query::all(conn, LOOK_AGAIN, params![start, BATCH], |row| {
        Ok(task(row.get(0)?, Some(row.get(1)?)))
    })
}

fn position(conn: &Connection, scan: &str) -> Result<Option<i64>> {
    let sql = "SELECT up_to FROM escalations WHERE scan = ?1";
    query::optional(conn, sql, [scan], |row| row.get(0))
}

/// Escalates the request of a task if it is unanswered and the step was not done; stores the
/// position.
fn run(conn: &Connection, task: &Task, answer_times: AnswerTimes, now: Time) -> Result<bool> {
    let sql = "INSERT OR REPLACE INTO escalations (scan, up_to) VALUES (?1, ?2)";
    query::execute(conn, sql, params![task.scan, task.up_to])?;
    let Some(request) = requests::still_stored(conn, task.seq)? else {
        return Ok(false);
    };
    let due = answer_times.due_of(&request);
    let overdue = STEPS
        .into_iter()
        .find(|step| due.plus_millis(step.later_ms) <= now);
    let Some(step) = task.step.or(overdue.map(|step| step.number)) else {
        return Ok(false);
    };
    if !request.awaits_answer() || request.held.is_some() || done(conn, request.seq)? >= step {
        return Ok(false);
    }
    escalate(conn, &request, step, None, now)?;
    Ok(true)
}

/// The last step in the history of a request, 0 if none.
fn done(conn: &Connection, seq: i64) -> Result<u8> {
    let sql = "SELECT coalesce(max(detail ->> 'step'), 0) FROM events WHERE seq = ?1 \
        AND verb = 'escalated' AND detail ->> 'message' IS NULL";
    query::one(conn, sql, [seq], |row| row.get(0))
}

/// Records a step and enqueues its notice. `message` is the event of a message that was not
/// answered; `None` for the first answer.
pub(crate) fn escalate(
    conn: &Connection,
    request: &Request,
    step: u8,
    message: Option<i64>,
    now: Time,
) -> Result<()> {
    let event = Event::Escalated(Escalated { step, message });
    events::add(conn, request, None, &event, now)?;
    // An emergency has had its alarm since it was received.
    if step == 1 && (!request.emergency_contact || message.is_some()) {
        alarms::raise_overdue(conn, request.seq, now)?;
    }
    let notice = Notice::Escalation {
        id: request.id.clone(),
        kind: request.kind.as_str().to_owned(),
        step,
        to: None,
    };
    outbox::enqueue(conn, &notice, now)
}
