//! Delivery of outbox rows: they are claimed with a lease and updated with the result.

use rusqlite::{Row, params};

use super::mail_outage;
use crate::database::row::read_row;
use crate::request::emails;
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::email::priority::Priority;
use domain::request::event::EmailState;

/// A claimed row: no other worker gets it before `lease` expires.
#[derive(Clone, Debug)]
pub struct ClaimedEmail {
    pub id: i64,
    /// When the event that it reports happened.
    pub created_at: Time,
    /// As `Notice::kind` names it.
    pub kind: String,
    /// The notice; `None` if it cannot be read.
    pub notice: Option<Notice>,
    pub priority: Priority,
    /// Attempts so far, including this one.
    pub attempts: u32,
    /// The time of the first attempt.
    pub tried_since: Time,
    /// The event of the request that records the outcome of the email.
    pub event: Option<i64>,
    pub(crate) lease: String,
}

/// How many rows may be claimed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimLimits {
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

impl Store {
    /// Whether `claim_due` would claim a row. Read-only.
    pub async fn has_due_emails(&self, limits: ClaimLimits, now: Time) -> Result<bool> {
        self.read(move |conn| {
            let due = "SELECT 1 FROM outbox WHERE state = 'due' AND priority = ?1 AND due_at <= ?2
                AND (lease IS NULL OR lease <= ?2)";
            for (priority, _) in limits.by_priority() {
                if query::exists(conn, due, params![priority.rank(), now.to_string()])? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
        .await
    }

    /// Claims due rows for `lease_millis`, the most urgent first, up to `limits`. Attempts are
    /// counted here, so that an email that crashes the process is counted as well. Nothing is
    /// claimed after an error.
    pub async fn claim_due(
        &self,
        limits: ClaimLimits,
        lease_millis: i64,
        now: Time,
    ) -> Result<Vec<ClaimedEmail>> {
        self.write(move |conn| {
            // A bare `LIMIT ?4` would be prepared again at each execution.
            let claim = "UPDATE outbox SET lease = ?2, attempts = attempts + 1,
                   tried_since = CASE WHEN tried_since <= ?1 THEN tried_since ELSE ?1 END
                 WHERE id IN (
                   SELECT id FROM outbox
                   WHERE state = 'due' AND priority = ?3 AND due_at <= ?1 AND (lease IS NULL
                   OR lease <= ?1)
                   ORDER BY due_at, id LIMIT ?4 + 0)
                 RETURNING id, created_at, kind, notice, priority, attempts, tried_since,
                 lease, event";
            let (at, until) = (now.to_string(), now.plus_millis(lease_millis).to_string());
            let mut rows = Vec::new();
            for (priority, limit) in limits.by_priority() {
                let left = limits.total - u32::try_from(rows.len()).unwrap_or(limits.total);
                let values = params![at, until, priority.rank(), limit.min(left)];
                rows.extend(query::all::<_, Vec<_>>(conn, claim, values, read)?);
            }
            Ok(rows)
        })
        .await
    }

    /// At the start of the only server of a data folder: what another one was sending when it ended
    /// is due.
    pub async fn release_interrupted(&self) -> Result<()> {
        self.write(|conn| {
            let sql = "UPDATE outbox SET lease = NULL WHERE state = 'due' AND lease IS NOT NULL";
            conn.execute(sql, [])?;
            let sql = "UPDATE email_tries SET running = 0 WHERE running = 1";
            query::run(conn, sql, [])
        })
        .await
    }

    /// Marks an email as sent, and deletes a notice that contains a secret. An accepted reply
    /// answers its request, unless the customer wants a call. After an error the row is claimed
    /// again when its lease expires.
    pub async fn email_sent(&self, row: &ClaimedEmail, now: Time) -> Result<()> {
        let (id, event) = (row.id, row.event);
        self.write(move |conn| {
            let sql =
                "UPDATE outbox SET state = 'sent', sent_at = ?2, lease = NULL, last_error = NULL,
                notice = CASE kind WHEN 'account' THEN '' ELSE notice END WHERE id = ?1";
            query::execute(conn, sql, params![id, now.to_string()])?;
            mail_outage::ends(conn)?;
            emails::delivered(conn, event, now)
        })
        .await
    }

    /// Reschedules an unsent email for `due`. Does nothing if another worker has claimed the row.
    /// After an error the row is claimed again when its lease expires.
    pub async fn reschedule_email(&self, row: &ClaimedEmail, due: Time, why: String) -> Result<()> {
        let (id, lease, event) = (row.id, row.lease.clone(), row.event);
        self.write(move |conn| {
            let sql = "UPDATE outbox SET due_at = ?3, lease = NULL, last_error = ?4
                WHERE id = ?1 AND lease = ?2 AND state = 'due'";
            let updated = query::execute(conn, sql, params![id, lease, due.to_string(), why])?;
            let event = event.filter(|_| updated > 0);
            emails::set_state(conn, event, EmailState::Queued, Some(&why))
        })
        .await
    }

    /// Deletes an email whose subject was settled before it could be sent. After an error the row
    /// is claimed again when its lease expires.
    pub async fn email_not_needed(&self, row: &ClaimedEmail) -> Result<()> {
        let (id, lease, event) = (row.id, row.lease.clone(), row.event);
        self.write(move |conn| {
            let sql = "DELETE FROM outbox WHERE id = ?1 AND lease = ?2 AND state = 'due'";
            let deleted = query::execute(conn, sql, params![id, lease])?;
            let event = event.filter(|_| deleted > 0);
            emails::set_state(conn, event, EmailState::NotNeeded, None)
        })
        .await
    }

    /// Marks an email as failed: only an operator can retry it. Its secret is deleted if it has
    /// `expired`. After an error the row is claimed again when its lease expires.
    pub async fn email_failed(&self, row: &ClaimedEmail, why: String, expired: bool) -> Result<()> {
        let (id, lease, event) = (row.id, row.lease.clone(), row.event);
        self.write(move |conn| {
            let sql = "UPDATE outbox SET state = 'failed', lease = NULL, last_error = ?3,
                  notice = CASE WHEN ?4 THEN '' ELSE notice END
                WHERE id = ?1 AND lease = ?2 AND state = 'due'";
            let updated = query::execute(conn, sql, params![id, lease, why, expired])?;
            let event = event.filter(|_| updated > 0);
            emails::set_state(conn, event, EmailState::Failed, Some(&why))
        })
        .await
    }
}

fn read(found: &Row<'_>) -> rusqlite::Result<ClaimedEmail> {
    let priority = Priority::ALL.get(usize::from(found.get::<_, u8>("priority")?));
    read_row!(found => ClaimedEmail {
        id, created_at, kind, attempts, tried_since, event, lease;
        notice: serde_json::from_str(found.get_ref("notice")?.as_str()?).ok(),
        priority: priority.copied().unwrap_or(Priority::Normal),
    })
}
