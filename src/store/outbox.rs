//! The rows of the outbox: inserted in the transaction of the event they report, claimed with a
//! lease, and updated with the result of the delivery. Operators' queries are in `outbox_admin`.

use rusqlite::{Connection, Row, params};

use super::{Error, Result, Store, outbox_repair, row};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::domain::notice::{Notice, Priority};

/// The due time of a new row: the epoch, so that a clock set back cannot delay the first attempt.
const IMMEDIATELY: Time = Time::from_millis(0);
/// The longest time until a rescheduled row is due, in milliseconds. A later due time was written
/// before the clock was set back.
pub const MAX_WAIT_MS: i64 = 75 * 60 * 1000;

/// A claimed row: no other worker gets it before `lease` expires.
#[derive(Clone, Debug)]
pub struct ClaimedEmail {
    /// The row's id.
    pub id: i64,
    /// When the event that it reports happened.
    pub created_at: Time,
    /// `contact`, `quote` or `account`.
    pub kind: String,
    /// The notice as JSON.
    pub notice: String,
    /// The priority of the email.
    pub priority: Priority,
    /// Attempts so far, including this one.
    pub attempts: u32,
    /// Consecutive attempts whose result was not recorded, including this one.
    pub unfinished: u32,
    /// The time of the first attempt.
    pub tried_since: Time,
    lease: String,
}

/// How many rows may be claimed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimLimits {
    /// In total.
    pub total: u32,
    /// Of each priority, in the order of `Priority::ALL`.
    pub each: [u32; Priority::ALL.len()],
}

impl ClaimLimits {
    /// `total` rows of any priority.
    pub const fn any(total: u32) -> Self {
        Self {
            total,
            each: [total; Priority::ALL.len()],
        }
    }

    /// The priorities of which rows may be claimed, with the limit of each.
    fn by_priority(self) -> impl Iterator<Item = (Priority, u32)> {
        let each = Priority::ALL.into_iter().zip(self.each);
        each.map(move |(priority, limit)| (priority, limit.min(self.total)))
            .filter(|(_, limit)| *limit > 0)
    }
}

/// Inserts `notice`, due immediately. Call it inside the `write` job of the event that it reports.
///
/// # Errors
/// The error of the database.
pub(crate) fn enqueue(conn: &Connection, notice: &Notice, now: Time) -> Result<()> {
    let body = row::text(notice)?;
    let last: Option<i64> = conn
        .prepare_cached("SELECT max(id) FROM outbox")?
        .query_row([], |row| row.get(0))?;
    let first = ids::first_seq(now);
    conn.prepare_cached(
        "INSERT INTO outbox (id, created_at, kind, subject_id, notice, due_at, priority)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        last.map_or(first, |last| first.max(last + 1)),
        now.to_string(),
        notice.kind(),
        notice.subject_id(),
        body,
        IMMEDIATELY.to_string(),
        notice.priority().rank()
    ])?;
    Ok(())
}

impl Store {
    /// Whether `claim_due` would claim or repair a row. It only reads.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn has_due_emails(
        &self,
        limits: ClaimLimits,
        lease_millis: i64,
        now: Time,
    ) -> Result<bool> {
        self.read(move |conn| {
            let mut due = conn.prepare_cached(
                "SELECT 1 FROM outbox WHERE state = 'due' AND priority = ?1 AND due_at <= ?2 AND (lease IS NULL OR lease <= ?2)",
            )?;
            for (priority, _) in limits.by_priority() {
                if due.exists(params![priority.rank(), now.to_string()])? {
                    return Ok(true);
                }
            }
            let future_rows = "SELECT 1 FROM outbox WHERE lease IS NOT NULL AND lease > ?1
                           UNION ALL SELECT 1 FROM outbox WHERE state = 'due' AND priority IN (0, 1, 2) AND due_at > ?2";
            Ok(conn.prepare_cached(future_rows)?.exists([
                now.plus_millis(lease_millis).to_string(),
                now.plus_millis(MAX_WAIT_MS).to_string(),
            ])?)
        })
        .await
    }

    /// Claims due rows for `lease_millis`, the most urgent first, up to `limits`. The attempt is
    /// counted here, so that an email that crashes the process is counted as well.
    ///
    /// # Errors
    /// The error of the database; nothing is claimed then.
    pub async fn claim_due(
        &self,
        limits: ClaimLimits,
        lease_millis: i64,
        now: Time,
    ) -> Result<Vec<ClaimedEmail>> {
        self.write(move |conn| {
            outbox_repair::repair_future_times(conn, lease_millis, now)?;
            let claim =
                "UPDATE outbox SET lease = ?2, attempts = attempts + 1, unfinished = unfinished + 1,
                   tried_since = CASE WHEN tried_since <= ?1 THEN tried_since ELSE ?1 END
                 WHERE id IN (
                   SELECT id FROM outbox
                   WHERE state = 'due' AND priority = ?3 AND due_at <= ?1 AND (lease IS NULL OR lease <= ?1)
                   ORDER BY due_at, id LIMIT ?4)
                 RETURNING id, created_at, kind, notice, priority, attempts, unfinished, tried_since, lease";
            let mut claim = conn.prepare_cached(claim)?;
            let (at, until) = (now.to_string(), now.plus_millis(lease_millis).to_string());
            let mut rows = Vec::new();
            for (priority, limit) in limits.by_priority() {
                let left = limits.total - u32::try_from(rows.len()).unwrap_or(limits.total);
                let claimed = claim.query_map(
                    params![at, until, priority.rank(), limit.min(left)],
                    read,
                )?;
                for row in claimed {
                    rows.push(row?);
                }
            }
            Ok(rows)
        })
        .await
    }

    /// Splits a claimed row into one row per notice of `notices`, each due immediately. The claimed
    /// row gets the first notice; the others are inserted.
    ///
    /// # Errors
    /// `Missing` if another worker has claimed the row; otherwise the error of the database.
    /// Nothing is changed then.
    pub async fn split_recipients(
        &self,
        claimed: &ClaimedEmail,
        notices: Vec<Notice>,
    ) -> Result<ClaimedEmail> {
        let claimed = claimed.clone();
        self.write(move |conn| {
            let mut notices = notices.iter();
            let notice = row::text(notices.next().ok_or(Error::Failed)?)?;
            let update =
                "UPDATE outbox SET notice = ?3 WHERE id = ?1 AND lease = ?2 AND state = 'due'";
            let updated =
                conn.prepare_cached(update)?
                    .execute(params![claimed.id, claimed.lease, notice])?;
            if updated == 0 {
                return Err(Error::Missing);
            }
            for notice in notices {
                enqueue(conn, notice, claimed.created_at)?;
            }
            Ok(ClaimedEmail {
                notice,
                ..claimed.clone()
            })
        })
        .await
    }

    /// Marks an email as sent. A notice that contains a secret is deleted.
    ///
    /// # Errors
    /// The error of the database; the row is claimed again when its lease expires.
    pub async fn email_sent(&self, row: &ClaimedEmail, now: Time) -> Result<()> {
        let id = row.id;
        self.write(move |conn| {
            conn.prepare_cached(
                "UPDATE outbox SET state = 'sent', sent_at = ?2, lease = NULL, last_error = NULL,
                   notice = CASE kind WHEN 'account' THEN '' ELSE notice END WHERE id = ?1",
            )?
            .execute(params![id, now.to_string()])?;
            Ok(())
        })
        .await
    }

    /// Reschedules an unsent email for `due`. Does nothing if another worker has claimed the row.
    ///
    /// # Errors
    /// The error of the database; the row is claimed again when its lease expires.
    pub async fn reschedule_email(&self, row: &ClaimedEmail, due: Time, why: String) -> Result<()> {
        let (id, lease) = (row.id, row.lease.clone());
        self.write(move |conn| {
            conn.prepare_cached(
                "UPDATE outbox SET due_at = ?3, lease = NULL, unfinished = 0, last_error = ?4
                 WHERE id = ?1 AND lease = ?2 AND state = 'due'",
            )?
            .execute(params![id, lease, due.to_string(), why])?;
            Ok(())
        })
        .await
    }

    /// Marks an email as failed: only an operator can retry it. Its secret is deleted if it has
    /// `expired`.
    ///
    /// # Errors
    /// The error of the database; the row is claimed again when its lease expires.
    pub async fn email_failed(&self, row: &ClaimedEmail, why: String, expired: bool) -> Result<()> {
        let (id, lease) = (row.id, row.lease.clone());
        self.write(move |conn| {
            conn.prepare_cached(
                "UPDATE outbox SET state = 'failed', lease = NULL, last_error = ?3, notice = CASE WHEN ?4 THEN '' ELSE notice END
                 WHERE id = ?1 AND lease = ?2 AND state = 'due'",
            )?
            .execute(params![id, lease, why, expired])?;
            Ok(())
        })
        .await
    }
}

fn read(found: &Row<'_>) -> rusqlite::Result<ClaimedEmail> {
    let priority: u8 = found.get("priority")?;
    Ok(ClaimedEmail {
        id: found.get("id")?,
        created_at: row::time(found, "created_at")?,
        kind: found.get("kind")?,
        notice: found.get("notice")?,
        priority: Priority::ALL
            .get(usize::from(priority))
            .copied()
            .unwrap_or(Priority::Normal),
        attempts: found.get("attempts")?,
        unfinished: found.get("unfinished")?,
        tried_since: row::time(found, "tried_since")?,
        lease: found.get("lease")?,
    })
}
