//! Work that is stored first and done later: a try is counted before it begins, so that an item
//! that ends the process, or the process that works on it, is set aside after two tries while the
//! others go on. An item whose first try did not come back is tried again alone: others that were
//! under way beside it are not taken for the cause.

use rusqlite::{Connection, params};

use crate::{Result, Store, query};
use domain::clock::Time;

/// Tries that did not come back, after which an item is set aside.
pub const MAX_TRIES: u32 = 2;
/// How long an item waits that is to be tried alone, in milliseconds.
pub const LATER_MS: i64 = 2_000;
/// Days for which the desk and `check` say that an item was set aside.
const NAMED_DAYS: i64 = 7;
/// Why an item was set aside, for the log of its kind.
pub const SET_ASIDE: &str = "the server ended during two attempts; it may be the cause";

domain::text_enum! {
    /// A kind of work.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Work {
        /// Reading a received email, and storing its files.
        ReceivedEmail = "received_email",
        /// Rendering an email of the outbox with its PDF, and sending it.
        Outbox = "outbox",
        /// Delivering a webhook.
        Webhook = "webhook",
        /// Calling or texting a person, or a push.
        Alarm = "alarm",
        /// Scanning a stored file for viruses.
        Scan = "scan",
        /// Rendering published content, or publishing a scheduled draft.
        Publishing = "publishing",
    }
}

impl Work {
    /// One item and several of them, and where they are found.
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::ReceivedEmail => (
                "received email",
                "received emails",
                "open the original on the desk",
            ),
            Self::Outbox => (
                "email of the outbox",
                "emails of the outbox",
                "see `guardpost outbox list`",
            ),
            Self::Webhook => ("webhook", "webhooks", "see the log of its endpoint"),
            Self::Alarm => (
                "message of an alarm",
                "messages of alarms",
                "the person was told by the next way",
            ),
            Self::Scan => (
                "virus scan of a file",
                "virus scans of files",
                "the file counts as not scanned",
            ),
            Self::Publishing => (
                "version of the site",
                "versions of the site",
                "publish corrected content in the editor",
            ),
        }
    }
}

/// Whether a try may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// It has begun.
    Now,
    /// Another item is tried alone now.
    Later,
    /// It is not tried any more.
    SetAside,
}

/// Counts a try that is about to begin.
pub fn begin(conn: &Connection, work: Work, item: &str, now: Time) -> Result<Begin> {
    let before = tries(conn, work, item)?;
    if before >= MAX_TRIES {
        ended(conn, work, item)?;
        return Ok(Begin::SetAside);
    }
    if before > 0 && is_one_tried_alone(conn)? {
        return Ok(Begin::Later);
    }
    count(conn, work, item, now)?;
    Ok(Begin::Now)
}

/// As `begin`, for a row of `table` that was claimed: one that has to wait is not claimed any more.
pub(crate) fn begin_claimed(
    conn: &Connection,
    work: Work,
    table: &'static str,
    id: i64,
    now: Time,
) -> Result<Begin> {
    let begun = begin(conn, work, &id.to_string(), now)?;
    if begun == Begin::Later {
        let until = now.plus_millis(LATER_MS).to_string();
        let wait = format!("UPDATE {table} SET lease = ?2, attempts = attempts - 1 WHERE id = ?1");
        conn.prepare_cached(&wait)?.execute(params![id, until])?;
    }
    Ok(begun)
}

/// Notes a try, whatever was before it.
pub fn count(conn: &Connection, work: Work, item: &str, now: Time) -> Result<()> {
    let sql = "INSERT INTO unfinished_work (kind, item, tries, running, began_at)
        VALUES (?1, ?2, 1, 1, ?3)
        ON CONFLICT DO UPDATE SET tries = tries + 1, running = 1, began_at = excluded.began_at";
    conn.prepare_cached(sql)?
        .execute(params![work.as_str(), item, now.to_string()])?;
    Ok(())
}

/// How many tries did not come back.
pub fn tries(conn: &Connection, work: Work, item: &str) -> Result<u32> {
    let sql = "SELECT tries FROM unfinished_work WHERE kind = ?1 AND item = ?2";
    let tries = query::optional(conn, sql, [work.as_str(), item], |row| row.get(0))?;
    Ok(tries.unwrap_or(0))
}

fn is_one_tried_alone(conn: &Connection) -> Result<bool> {
    let sql = "SELECT 1 FROM unfinished_work WHERE running = 1 AND tries > 1";
    query::exists(conn, sql, [])
}

/// Records that no try is under way, and that those before did not come back.
fn ended(conn: &Connection, work: Work, item: &str) -> Result<()> {
    let sql = "UPDATE unfinished_work SET running = 0 WHERE kind = ?1 AND item = ?2";
    conn.prepare_cached(sql)?.execute([work.as_str(), item])?;
    Ok(())
}

/// Records that a try came back, with success or an error.
pub fn end(conn: &Connection, work: Work, item: &str) -> Result<()> {
    let sql = "DELETE FROM unfinished_work WHERE kind = ?1 AND item = ?2";
    conn.prepare_cached(sql)?.execute([work.as_str(), item])?;
    Ok(())
}

/// What was set aside within the last days, one sentence for each kind.
pub fn problems(conn: &Connection, now: Time) -> Result<Vec<String>> {
    let since = now.plus_seconds(-NAMED_DAYS * 24 * 60 * 60).to_string();
    let sql = "SELECT count(*) FROM unfinished_work
        WHERE running = 0 AND tries >= ?1 AND kind = ?2 AND began_at > ?3";
    let mut find = conn.prepare_cached(sql)?;
    let mut problems = Vec::new();
    for work in Work::ALL {
        let count: u32 =
            find.query_row(params![MAX_TRIES, work.as_str(), since], |row| row.get(0))?;
        let (one, several, what) = work.words();
        match count {
            0 => {}
            1 => problems.push(format!(
                "1 {one} was set aside, since two tries did not come back: {what}."
            )),
            _ => problems.push(format!(
                "{count} {several} were set aside, since two tries did not come back: {what}."
            )),
        }
    }
    Ok(problems)
}

fn forget_untried(conn: &Connection) -> Result<()> {
    conn.execute("DELETE FROM unfinished_work WHERE tries = 0", [])?;
    Ok(())
}

impl Store {
    /// Counts a try that is about to begin; whether it may.
    pub async fn begin_work(&self, work: Work, item: String, now: Time) -> Result<Begin> {
        self.write(move |conn| begin(conn, work, &item, now)).await
    }

    /// Records that a try came back, with success or an error.
    pub async fn end_work(&self, work: Work, item: String) -> Result<()> {
        self.write(move |conn| end(conn, work, &item)).await
    }

    /// Counts a try that begins, whatever was before it; returns how many did not come back.
    pub async fn count_work(&self, work: Work, item: String, now: Time) -> Result<u32> {
        self.write(move |conn| {
            let before = tries(conn, work, &item)?;
            count(conn, work, &item, now)?;
            Ok(before)
        })
        .await
    }

    /// Records that a try failed for another reason than its item: it does not count, but the item
    /// waits behind those that were never tried.
    pub async fn uncount_work(&self, work: Work, item: String) -> Result<()> {
        self.write(move |conn| {
            let sql = "UPDATE unfinished_work SET running = 0, tries = tries - 1
                WHERE kind = ?1 AND item = ?2 AND running = 1";
            conn.prepare_cached(sql)?.execute([work.as_str(), &item])?;
            Ok(())
        })
        .await
    }

    /// Records that the process of a try was ended, while this one goes on.
    pub async fn work_ended(&self, work: Work, item: String) -> Result<()> {
        self.write(move |conn| ended(conn, work, &item)).await
    }

    /// At the start of a server: nothing is under way.
    pub async fn forget_running_work(&self) -> Result<()> {
        self.write(|conn| {
            conn.execute(
                "UPDATE unfinished_work SET running = 0 WHERE running = 1",
                [],
            )?;
            Ok(())
        })
        .await
    }

    /// At the orderly end of a server: what is under way has not ended the process.
    pub async fn stop_running_work(&self) -> Result<()> {
        self.write(|conn| {
            let sql = "UPDATE unfinished_work SET running = 0, tries = tries - 1 WHERE running = 1";
            conn.execute(sql, [])?;
            forget_untried(conn)
        })
        .await
    }

    /// What was set aside within the last days, one sentence for each kind.
    pub async fn set_aside_problems(&self, now: Time) -> Result<Vec<String>> {
        self.read(move |conn| problems(conn, now)).await
    }
}
