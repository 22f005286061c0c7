//! The outbox's rows: written with the fact they tell of, claimed by a lease, kept until the letter has left.
//! What operators see and do is in `postbox`.

use rusqlite::{Connection, Row, params};

use super::{Error, Result, Store, outbox_repair, row};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::domain::notice::{Notice, Priority};

/// When a fresh row is due: since ever, so that a clock that jumps back cannot delay a first try.
const AT_ONCE: Time = Time::from_millis(0);
/// The longest that a row is ever put off, in milliseconds. What lies further ahead was written by a clock that has since jumped back.
pub const MAX_WAIT_MS: i64 = 75 * 60 * 1000;

/// A row in hand: nobody else gets it before `lease` is over.
#[derive(Clone, Debug)]
pub struct ClaimedEmail {
    /// The row's id.
    pub id: i64,
    /// When the fact it tells of happened.
    pub created_at: Time,
    /// The word under which it is listed.
    pub kind: String,
    /// The notice as JSON.
    pub notice: String,
    /// How soon it is sent.
    pub priority: Priority,
    /// Tries so far, this one included.
    pub attempts: u32,
    /// Tries in a row whose end was not recorded, this one included.
    pub unfinished: u32,
    /// When it was first tried.
    pub tried_since: Time,
    lease: String,
}

/// How many rows may be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimLimits {
    /// Altogether.
    pub total: u32,
    /// Of each priority, in the order of `Priority::ALL`.
    pub each: [u32; Priority::ALL.len()],
}

impl ClaimLimits {
    /// Room for `total` rows, whatever their priority.
    pub const fn any(total: u32) -> Self {
        Self {
            total,
            each: [total; Priority::ALL.len()],
        }
    }

    /// The priorities for which there is room, with how many rows of each.
    fn of_each(self) -> impl Iterator<Item = (Priority, u32)> {
        let each = Priority::ALL.into_iter().zip(self.each);
        each.map(move |(priority, most)| (priority, most.min(self.total)))
            .filter(|(_, most)| *most > 0)
    }
}

/// Writes `notice` to be told as soon as possible. Call it inside the `write` job of the fact it tells of.
///
/// # Errors
/// What the database says.
pub(crate) fn enqueue(conn: &Connection, notice: &Notice, now: Time) -> Result<()> {
    let body = row::text(notice)?;
    let last: Option<i64> = conn
        .prepare_cached("SELECT max(id) FROM outbox")?
        .query_row([], |row| row.get(0))?;
    let first = ids::first_seq(now);
    conn.prepare_cached("INSERT INTO outbox (id, created_at, kind, subject_id, notice, due_at, priority) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
    .execute(params![
        last.map_or(first, |last| first.max(last + 1)),
        now.to_string(),
        notice.kind(),
        notice.subject_id(),
        body,
        AT_ONCE.to_string(),
        notice.priority().rank()
    ])?;
    Ok(())
}

impl Store {
    /// Whether `claim_due` would find or repair anything. A read: it disturbs nobody.
    ///
    /// # Errors
    /// What the database says.
    pub async fn has_due_emails(
        &self,
        room: ClaimLimits,
        lease_millis: i64,
        now: Time,
    ) -> Result<bool> {
        self.read(move |conn| {
            let mut due = conn.prepare_cached(
                "SELECT 1 FROM outbox WHERE state = 'due' AND priority = ?1 AND due_at <= ?2 AND (lease IS NULL OR lease <= ?2)",
            )?;
            for (priority, _) in room.of_each() {
                if due.exists(params![priority.rank(), now.to_string()])? {
                    return Ok(true);
                }
            }
            let too_far = "SELECT 1 FROM outbox WHERE lease IS NOT NULL AND lease > ?1
                           UNION ALL SELECT 1 FROM outbox WHERE state = 'due' AND priority IN (0, 1, 2) AND due_at > ?2";
            Ok(conn.prepare_cached(too_far)?.exists([
                now.plus_millis(lease_millis).to_string(),
                now.plus_millis(MAX_WAIT_MS).to_string(),
            ])?)
        })
        .await
    }

    /// Takes due rows in hand for `lease_millis`, the most urgent first, as far as there is `room`.
    /// The try is counted here, so that an email that ends the process is counted as well.
    ///
    /// # Errors
    /// What the database says; nothing is taken then.
    pub async fn claim_due(
        &self,
        room: ClaimLimits,
        lease_millis: i64,
        now: Time,
    ) -> Result<Vec<ClaimedEmail>> {
        self.write(move |conn| {
            outbox_repair::repair_far(conn, lease_millis, now)?;
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
            let mut taken = Vec::new();
            for (priority, most) in room.of_each() {
                let left = room.total - u32::try_from(taken.len()).unwrap_or(room.total);
                let rows = claim.query_map(
                    params![at, until, priority.rank(), most.min(left)],
                    claimed,
                )?;
                for row in rows {
                    taken.push(row?);
                }
            }
            Ok(taken)
        })
        .await
    }

    /// Makes one row for each of `shares`, due at once: the row held becomes the first of them, the others come beside it.
    ///
    /// # Errors
    /// `Missing` where the row has passed into other hands; else what the database says. Nothing is changed then.
    pub async fn split_recipients(
        &self,
        held: &ClaimedEmail,
        shares: Vec<Notice>,
    ) -> Result<ClaimedEmail> {
        let held = held.clone();
        self.write(move |conn| {
            let mut shares = shares.iter();
            let notice = row::text(shares.next().ok_or(Error::Failed)?)?;
            let mine =
                "UPDATE outbox SET notice = ?3 WHERE id = ?1 AND lease = ?2 AND state = 'due'";
            let mine = conn
                .prepare_cached(mine)?
                .execute(params![held.id, held.lease, notice])?;
            if mine == 0 {
                return Err(Error::Missing);
            }
            for share in shares {
                enqueue(conn, share, held.created_at)?;
            }
            Ok(ClaimedEmail {
                notice,
                ..held.clone()
            })
        })
        .await
    }

    /// The letter has left. A notice that carries a secret is emptied.
    ///
    /// # Errors
    /// What the database says; the row is claimed again when its lease is over.
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

    /// The letter has not left; it is due again at `due`. Does nothing where the row has passed into other hands.
    ///
    /// # Errors
    /// What the database says; the row is claimed again when its lease is over.
    pub async fn reschedule_email(&self, row: &ClaimedEmail, due: Time, why: String) -> Result<()> {
        let (id, lease) = (row.id, row.lease.clone());
        self.write(move |conn| {
            conn.prepare_cached(
                "UPDATE outbox SET due_at = ?3, lease = NULL, unfinished = 0, last_error = ?4 WHERE id = ?1 AND lease = ?2 AND state = 'due'",
            )?
            .execute(params![id, lease, due.to_string(), why])?;
            Ok(())
        })
        .await
    }

    /// The letter will not be tried again unless an operator says so. Its secret goes when `spent` says that it is worthless by now.
    ///
    /// # Errors
    /// What the database says; the row is claimed again when its lease is over.
    pub async fn email_failed(&self, row: &ClaimedEmail, why: String, spent: bool) -> Result<()> {
        let (id, lease) = (row.id, row.lease.clone());
        self.write(move |conn| {
            conn.prepare_cached(
                "UPDATE outbox SET state = 'failed', lease = NULL, last_error = ?3, notice = CASE WHEN ?4 THEN '' ELSE notice END
                 WHERE id = ?1 AND lease = ?2 AND state = 'due'",
            )?
            .execute(params![id, lease, why, spent])?;
            Ok(())
        })
        .await
    }
}

fn claimed(found: &Row<'_>) -> rusqlite::Result<ClaimedEmail> {
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
