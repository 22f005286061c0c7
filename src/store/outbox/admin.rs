//! Operators' view of the outbox: counts, unsent and late emails, and the deletion of old rows.
//! Retries on demand are in `retry`.

use poem_openapi::Object;
use rusqlite::{Connection, Row, params};

use crate::database::row::read_row;
use crate::{Result, Store, query};
use domain::clock::{HOUR_MS, Time};
use domain::delivery::DeliveryState;
use domain::ids;

/// Age after which an unsent email is reported by log and metrics, in milliseconds.
pub const LATE_AFTER: i64 = HOUR_MS;

/// What is stored as the error of an email that waits until an address of ours is corrected.
pub const OWN_HEADERS: &str = "an address of ours cannot be written into its headers";

/// The number of unsent emails by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Object)]
#[oai(rename = "UnsentEmails")]
pub struct OutboxCounts {
    /// Waiting for their first or next attempt.
    pub due: i64,
    /// Of these, the ones whose event is more than an hour old.
    pub late: i64,
    /// Waiting until an address of ours, which cannot be written into headers, is corrected.
    pub unaddressed: i64,
    /// Failed.
    pub failed: i64,
    /// Held by a restore, until an operator releases them.
    pub held: i64,
}

/// An email of the outbox. Its notice, which may contain a secret, is not in it.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
#[oai(rename = "UndeliveredEmail")]
pub struct OutboxRow {
    pub id: String,
    /// When its event happened.
    pub created_at: Time,
    /// As in `quote`, `reply` or `acknowledgement`.
    pub kind: String,
    pub state: DeliveryState,
    /// The recipient; empty for the office.
    pub recipient: String,
    /// The id of the request that it is about; null for other emails.
    pub request: Option<String>,
    /// The error of the last attempt.
    pub error: Option<String>,
    /// When the next attempt is due.
    #[oai(skip)]
    pub due_at: Time,
    /// Attempts so far.
    #[oai(skip)]
    pub attempts: u32,
    /// The id of the request that it is about; the address of an account's email.
    #[oai(skip)]
    pub subject_id: String,
    /// When the mail server accepted it.
    #[oai(skip)]
    pub sent_at: Option<Time>,
    /// When a restore held it.
    #[oai(skip)]
    pub held_at: Option<Time>,
}

/// The columns of an `OutboxRow`. Of the notice only the recipient: it may contain a secret.
macro_rules! columns {
    () => {
        "id, created_at, kind, state, due_at, attempts, last_error, subject_id, sent_at, held_at,
         coalesce(iif(json_valid(notice), notice ->> '$.to', NULL), '') AS recipient"
    };
}

impl Store {
    /// The counts of the outbox at `now`. Late emails are counted by their age, so that they are
    /// counted even if no delivery worker runs.
    pub async fn outbox_counts(&self, now: Time) -> Result<OutboxCounts> {
        self.read(move |conn| counts(conn, now)).await
    }

    /// Unsent emails: failed ones, then due ones, oldest first. Held ones are in `held_emails`.
    pub async fn undelivered_emails(&self, limit: u32) -> Result<Vec<OutboxRow>> {
        self.read(move |conn| {
            let sql = concat!(
                "SELECT ",
                columns!(),
                " FROM outbox WHERE state = 'failed' AND held_at IS NULL
                 UNION ALL SELECT ",
                columns!(),
                " FROM outbox WHERE state = 'due' ORDER BY state DESC, created_at, id LIMIT ?1",
            );
            query::all(conn, sql, [limit], read)
        })
        .await
    }

    /// Emails held by a restore, oldest first.
    pub async fn held_emails(&self, limit: u32) -> Result<Vec<OutboxRow>> {
        self.read(move |conn| {
            let sql = concat!(
                "SELECT ",
                columns!(),
                " FROM outbox WHERE state = 'failed' AND held_at IS NOT NULL ORDER BY id LIMIT ?1",
            );
            query::all(conn, sql, [limit], read)
        })
        .await
    }

    /// One email in any state. Errors: `Missing` for an unknown id.
    pub async fn email(&self, id: i64) -> Result<OutboxRow> {
        self.read(move |conn| {
            let sql = concat!("SELECT ", columns!(), " FROM outbox WHERE id = ?1");
            query::one(conn, sql, [id], read)
        })
        .await
    }

    /// Emails created before `since` that are still unsent; each is returned once.
    pub async fn newly_overdue(&self, since: Time, limit: u32) -> Result<Vec<OutboxRow>> {
        let since = since.to_string();
        let overdue = "SELECT id FROM outbox INDEXED BY outbox_due WHERE state = 'due' \
                       AND late = 0 AND created_at < ?1 LIMIT ?2";
        let before = since.clone();
        let any = self
            .read(move |conn| query::exists(conn, overdue, params![before, limit]))
            .await?;
        if !any {
            return Ok(Vec::new());
        }
        self.write(move |conn| {
            let sql = concat!(
                "UPDATE outbox SET late = 1 WHERE id IN (
                   SELECT id FROM outbox INDEXED BY outbox_due WHERE state = 'due' AND late = 0
                   AND created_at < ?1 LIMIT ?2) RETURNING ",
                columns!()
            );
            query::all(conn, sql, params![since, limit], read)
        })
        .await
    }

    /// Deletes up to `limit` sent emails created before `before`; returns how many. Ids sort by
    /// time, so newer rows are not read.
    pub async fn delete_sent_emails(&self, before: Time, limit: u32) -> Result<usize> {
        let bound = ids::first_seq(before);
        self.write(move |conn| {
            let sql = "DELETE FROM outbox WHERE id IN (
                SELECT id FROM outbox WHERE id < ?1 AND state = 'sent' LIMIT ?2)";
            query::execute(conn, sql, params![bound, limit])
        })
        .await
    }
}

pub(crate) fn counts(conn: &Connection, now: Time) -> Result<OutboxCounts> {
    let late_before = now.plus_millis(-LATE_AFTER).to_string();
    let sql = "SELECT count(*) FILTER (WHERE state = 'due') AS due,
          count(*) FILTER (WHERE state = 'due' AND created_at < ?1) AS late,
          count(*) FILTER (WHERE state = 'due' AND last_error = ?2) AS unaddressed,
          count(*) FILTER (WHERE state = 'failed' AND held_at IS NULL) AS failed,
          count(*) FILTER (WHERE state = 'failed' AND held_at IS NOT NULL) AS held
        FROM (SELECT state, created_at, last_error, held_at FROM outbox WHERE state = 'due'
          UNION ALL SELECT state, created_at, last_error, held_at FROM outbox
          WHERE state = 'failed')";
    let read = read_row!(OutboxCounts => due, late, unaddressed, failed, held);
    query::one(conn, sql, [&late_before, OWN_HEADERS], read)
}

fn read(found: &Row<'_>) -> rusqlite::Result<OutboxRow> {
    let subject_id: String = found.get("subject_id")?;
    let is_request = ids::seq_of_id(&subject_id).is_some();
    read_row!(found => OutboxRow {
        created_at, kind, state, due_at, attempts, error: "last_error", recipient, sent_at, held_at;
        id: found.get::<_, i64>("id")?.to_string(),
        request: is_request.then(|| subject_id.clone()),
        subject_id,
    })
}
