//! Messages of customers that were not answered in time: an event of the request and an email to the
//! office, at the due time and an hour later, as for new requests.

use rusqlite::{Connection, params};

use crate::domain::clock::Time;
use crate::domain::ids;
use crate::domain::request::due_time::AnswerTimes;
use crate::store::inbox::{escalations, requests};
use crate::store::{Result, Store};

/// The steps: when the answer is due, and how much later, in milliseconds.
const STEPS: [(u8, i64); 2] = [(1, 0), (2, 60 * 60 * 1000)];
/// Requests escalated in one transaction.
const BATCH: u32 = 100;

/// Open requests whose unanswered message is not later than `?1`, without the step `?2` since.
const OVERDUE: &str = "SELECT seq, unanswered FROM (
       SELECT seq, unanswered FROM quotes WHERE unanswered <= ?1 AND answered_at IS NOT NULL
         AND held IS NULL AND demo = 0 AND status IN ('pending', 'in_progress')
       UNION ALL SELECT seq, unanswered FROM contact_messages WHERE unanswered <= ?1
         AND answered_at IS NOT NULL AND held IS NULL AND demo = 0
         AND status IN ('pending', 'in_progress')) AS waiting
     WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.seq = waiting.seq
       AND verb = 'escalated' AND id > waiting.unanswered AND detail ->> 'step' >= ?2)
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
                    for (seq, message, step) in &due {
                        let request = requests::by_seq(conn, *seq)?;
                        escalations::escalate(conn, &request, (*step, Some(*message)), now)?;
                    }
                    Ok(due.len())
                })
                .await?;
        }
    }
}

/// The requests to escalate: `seq`, the message, and the step. After a pause only the last step.
fn overdue(conn: &Connection, times: AnswerTimes, now: Time) -> Result<Vec<(i64, i64, u8)>> {
    let mut found: Vec<(i64, i64, u8)> = Vec::new();
    let mut find = conn.prepare_cached(OVERDUE)?;
    for (step, later) in STEPS.into_iter().rev() {
        let end = ids::first_seq(now.plus_millis(1 - times.next_millis() - later)) - 1;
        let rows = find.query_map(params![end, step, BATCH], |row| {
            Ok((row.get(0)?, row.get(1)?, step))
        })?;
        for row in rows {
            let row = row?;
            if !found.iter().any(|(seq, ..)| *seq == row.0) {
                found.push(row);
            }
        }
    }
    Ok(found)
}
