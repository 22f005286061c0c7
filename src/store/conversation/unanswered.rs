//! Messages of customers that were not answered in time: an event of the request and an email to
//! the office, at the due time and an hour later, as for new requests.

use rusqlite::{Connection, params};

use crate::database::row::read_row;
use crate::inbox::escalations::{self, STEPS};
use crate::request::requests;
use crate::{Result, Store};
use domain::clock::Time;
use domain::ids;
use domain::request::due_time::AnswerTimes;

/// Requests escalated in one transaction.
const BATCH: u32 = 100;

/// Open requests whose unanswered message is not later than `?1`, without the step `?2` since.
const OVERDUE: &str = "SELECT seq, unanswered FROM requests AS asked
     WHERE unanswered <= ?1 AND answered_at IS NOT NULL AND held IS NULL AND demo = 0
       AND status IN ('pending', 'in_progress') \
       AND NOT EXISTS (SELECT 1 FROM events WHERE events.seq = asked.seq
       AND verb = 'escalated' AND id > asked.unanswered AND detail ->> 'step' >= ?2)
     LIMIT ?3";

impl Store {
    /// Escalates the messages that are overdue at `now`; returns how many. Errors: the error of the
    /// database; what was escalated before it stays.
    pub async fn escalate_unanswered(&self, times: AnswerTimes, now: Time) -> Result<usize> {
        let mut count = 0;
        loop {
            let is_due = self.read(move |conn| Ok(!overdue(conn, times, now)?.is_empty()));
            if !is_due.await? {
                return Ok(count);
            }
            count += self
                .write(move |conn| {
                    let due = overdue(conn, times, now)?;
                    for late in &due {
                        let request = requests::by_seq(conn, late.seq)?;
                        let message = Some(late.message);
                        escalations::escalate(conn, &request, late.step, message, now)?;
                    }
                    Ok(due.len())
                })
                .await?;
        }
    }
}

/// A message to escalate.
struct LateMessage {
    /// Of its request.
    seq: i64,
    /// Its event.
    message: i64,
    step: u8,
}

/// The messages to escalate. After a pause, only the last step of each.
fn overdue(conn: &Connection, times: AnswerTimes, now: Time) -> Result<Vec<LateMessage>> {
    let mut found: Vec<LateMessage> = Vec::new();
    let mut find = conn.prepare_cached(OVERDUE)?;
    for step in STEPS {
        let end = ids::first_seq(now.plus_millis(1 - times.next_millis() - step.later_ms)) - 1;
        let read = read_row!(LateMessage => seq, message: "unanswered"; step: step.number);
        let rows = find.query_map(params![end, step.number, BATCH], read)?;
        for row in rows {
            let row = row?;
            if !found.iter().any(|other| other.seq == row.seq) {
                found.push(row);
            }
        }
    }
    Ok(found)
}
