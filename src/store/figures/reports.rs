//! Which reports were sent: a report and its emails are written together, once. How far they were
//! sent is a row of `escalations` by kind: the first `seq` of the time at which one was due.

use rusqlite::{Connection, params};

use crate::{Result, Store, outbox, query};
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::figures::report::ReportKind;
use domain::ids::first_seq;

impl Store {
    /// Whether the report that is due at `due` was not sent. Where none was sent before, the first
    /// one is the next.
    pub async fn is_report_due(&self, kind: ReportKind, due: Time) -> Result<bool> {
        let sent = self.read(move |conn| sent_for(conn, kind)).await?;
        if sent.is_none() {
            self.send_report(kind, due, Vec::new(), due).await?;
            return Ok(false);
        }
        Ok(sent < Some(first_seq(due)))
    }

    /// Queues the emails of the report that is due at `due`, unless they were queued before;
    /// returns whether they were now.
    pub async fn send_report(
        &self,
        kind: ReportKind,
        due: Time,
        notices: Vec<Notice>,
        now: Time,
    ) -> Result<bool> {
        self.write(move |conn| {
            if sent_for(conn, kind)? >= Some(first_seq(due)) {
                return Ok(false);
            }
            set_sent(conn, kind, due)?;
            for notice in &notices {
                outbox::enqueue(conn, notice, now)?;
            }
            Ok(true)
        })
        .await
    }
}

/// The row of `escalations`.
fn scan(kind: ReportKind) -> String {
    format!("report {}", kind.as_str())
}

fn sent_for(conn: &Connection, kind: ReportKind) -> Result<Option<i64>> {
    let sql = "SELECT up_to FROM escalations WHERE scan = ?1";
    query::optional(conn, sql, [scan(kind)], |row| row.get(0))
}

fn set_sent(conn: &Connection, kind: ReportKind, until: Time) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO escalations (scan, up_to) VALUES (?1, ?2)";
    query::run(conn, sql, params![scan(kind), first_seq(until)])
}

/// Sends no report of the past after a restore: it may have been sent since the backup.
pub(crate) fn skip_past(conn: &Connection, now: Time) -> Result<()> {
    let mut kinds = ReportKind::ALL.into_iter();
    kinds.try_for_each(|kind| set_sent(conn, kind, now))
}
