//! What makes a submission count once and not too often: the idempotency key and the sliding window, judged in the transaction that stores the form's row.

use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Result;
use super::submission_index::{Content, SubmissionIndex};
use crate::domain::clock::Time;
use crate::domain::quote::Receipt;

/// How long an answer is remembered under its key.
const REMEMBERED_MS: i64 = 24 * 60 * 60 * 1000;
/// How long equal content without a key counts as the same submission: the second click and the reload of a page without JavaScript.
const DOUBLE_MS: i64 = 10 * 60 * 1000;

/// Who submits, what identifies the submission, and how often it may happen.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The keyed hash of the client's address.
    pub client: String,
    /// The key the form made, if it could. It counts for this client alone.
    pub key: Option<String>,
    /// A hash of the content.
    pub fingerprint: String,
    /// Submissions allowed in the window.
    pub max: u32,
    /// The window in milliseconds.
    pub window_ms: u32,
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// It is stored, with its notice.
    Stored(Receipt),
    /// It was stored before; this is that answer.
    Duplicate(Receipt),
    /// The window is full.
    TooMany {
        /// Milliseconds until it is not.
        wait_ms: i64,
    },
    /// The key belongs to other content.
    KeyReused,
}

/// Judges `submission` and, where it is new and allowed, runs `insert` (which gives the new row's id). Call it inside a `write` job.
pub(super) fn once(
    conn: &Connection,
    recent: &Mutex<SubmissionIndex>,
    form: &str,
    submission: &Submission,
    now: Time,
    insert: impl FnOnce(&Connection) -> Result<String>,
) -> Result<Submitted> {
    let mut recent = recent.lock().unwrap_or_else(PoisonError::into_inner);
    recent.learn(conn)?;
    if let Some((fingerprint, receipt)) = remembered(conn, &recent, form, submission, now)? {
        return Ok(if fingerprint == submission.fingerprint {
            Submitted::Duplicate(receipt)
        } else {
            Submitted::KeyReused
        });
    }
    if let Some(wait_ms) = wait(conn, &recent, form, submission, now)? {
        return Ok(Submitted::TooMany { wait_ms });
    }
    let id = insert(conn)?;
    note(conn, &mut recent, form, submission, &id, now)?;
    forget(conn, &mut recent, submission.window_ms, now)?;
    Ok(Submitted::Stored(Receipt {
        id,
        created_at: now,
    }))
}

impl Submission {
    fn content(&self) -> Content<'_> {
        Content::of(self.key.as_deref(), &self.client, &self.fingerprint)
    }
}

/// What was answered to the same client under the same key; where there is none, to the same content. With the fingerprint of that content.
fn remembered(
    conn: &Connection,
    recent: &SubmissionIndex,
    form: &str,
    submission: &Submission,
    now: Time,
) -> Result<Option<(String, Receipt)>> {
    let since = match submission.key {
        Some(_) => now.millis() - REMEMBERED_MS,
        None => now.millis() - DOUBLE_MS,
    };
    for row in recent.with(form, submission.content()) {
        let answer = |row: &Row<'_>| {
            let (id, created_at) = (row.get(1)?, Time::from_millis(row.get(2)?));
            Ok((row.get(0)?, Receipt { id, created_at }))
        };
        let found = conn
            .prepare_cached(
                "SELECT fingerprint, subject_id, at FROM submissions
                 WHERE rowid = ?1 AND form = ?2 AND key IS ?3 AND client = ?4 AND (key IS NOT NULL OR fingerprint = ?5)",
            )?
            .query_row(
                params![row, form, submission.key, submission.client, submission.fingerprint],
                answer,
            )
            .optional()?;
        if let Some((fingerprint, receipt)) = found {
            let at = receipt.created_at.millis();
            // A row from further ahead than the window is from a clock that has since been put
            // back. A key stands for one submission whatever the clock says.
            let ahead = submission.key.is_none() && at > now.millis() + DOUBLE_MS;
            let counts = at > since && !ahead;
            return Ok(counts.then_some((fingerprint, receipt)));
        }
    }
    Ok(None)
}

/// Milliseconds until the client may submit again, or `None` if it may now. A row from more than a window in the future is from a clock that has since
/// been set back, and does not count.
fn wait(
    conn: &Connection,
    recent: &SubmissionIndex,
    form: &str,
    submission: &Submission,
    now: Time,
) -> Result<Option<i64>> {
    let (window, mut left) = (i64::from(submission.window_ms), submission.max as usize);
    if !recent.may_have(left, form, &submission.client) {
        return Ok(None);
    }
    let mut find = conn.prepare_cached(
        "SELECT at FROM submissions WHERE rowid = ?1 AND form = ?2 AND client = ?3",
    )?;
    for row in recent.sent_by(form, &submission.client) {
        let at: Option<i64> = find
            .query_row(params![row, form, submission.client], |row| row.get(0))
            .optional()?;
        let Some(at) = at.filter(|at| *at <= now.millis() + window) else {
            continue;
        };
        if at <= now.millis() - window {
            break;
        }
        left -= 1;
        if left == 0 {
            return Ok(Some((at + window - now.millis()).max(1)));
        }
    }
    Ok(None)
}

fn note(
    conn: &Connection,
    recent: &mut SubmissionIndex,
    form: &str,
    submission: &Submission,
    id: &str,
    now: Time,
) -> Result<()> {
    conn.prepare_cached("INSERT INTO submissions (form, client, at, key, fingerprint, subject_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![
            form,
            submission.client,
            now.millis(),
            submission.key,
            submission.fingerprint,
            id
        ])?;
    let row = conn.last_insert_rowid();
    recent.add(row, form, &submission.client, submission.content());
    Ok(())
}

/// Drops some of what no longer matters, oldest first: more than a submission adds, and never so much at once that somebody waits for it. Called after one was
/// added: the newest row stays, so that no number is given twice.
fn forget(
    conn: &Connection,
    recent: &mut SubmissionIndex,
    window_ms: u32,
    now: Time,
) -> Result<()> {
    let until = now.millis() - REMEMBERED_MS.max(i64::from(window_ms));
    let mut oldest =
        conn.prepare_cached("SELECT rowid, at FROM submissions ORDER BY rowid LIMIT 1")?;
    let (row, at): (i64, i64) = oldest.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    recent.begin_at(row);
    if at <= until {
        conn.prepare_cached("DELETE FROM submissions WHERE rowid IN (SELECT rowid FROM submissions ORDER BY rowid LIMIT 4) AND at <= ?1")?
            .execute([until])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{connection, schema};

    /// A process of its own on the database, as far as submissions go.
    struct Process(Connection, Mutex<SubmissionIndex>);

    impl Process {
        fn on(folder: &tempfile::TempDir) -> Self {
            let mut conn = connection::open(&folder.path().join("guardpost.db")).unwrap();
            schema::apply(&mut conn).unwrap();
            Self(conn, Mutex::default())
        }

        /// Submits in a transaction that ends in `end`.
        fn submits(&self, client: &str, key: Option<&str>, text: &str, end: &str) -> Submitted {
            let submission = Submission {
                client: client.into(),
                key: key.map(str::to_owned),
                fingerprint: text.into(),
                max: 3,
                window_ms: 300_000,
            };
            let Self(conn, recent) = self;
            conn.execute_batch("BEGIN IMMEDIATE").unwrap();
            let now = Time::from_millis(1_800_000_000_000);
            let id = |_: &Connection| Ok(format!("{client} {text}"));
            let submitted = once(conn, recent, "quote", &submission, now, id).unwrap();
            conn.execute_batch(end).unwrap();
            submitted
        }
    }

    fn is_new(submitted: &Submitted) -> bool {
        matches!(submitted, Submitted::Stored(_))
    }

    fn is_again(submitted: &Submitted, id: &str) -> bool {
        matches!(submitted, Submitted::Duplicate(receipt) if receipt.id == id)
    }

    #[test]
    fn what_was_undone_is_forgotten_though_another_process_took_its_places() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (Process::on(&folder), Process::on(&folder));
        for key in ["a", "b", "c"] {
            assert!(is_new(&one.submits("Ann", Some(key), key, "ROLLBACK")));
        }
        for key in ["d", "e", "f"] {
            assert!(is_new(&other.submits("Bob", Some(key), key, "COMMIT")));
        }
        for key in ["a", "b", "c"] {
            assert!(is_new(&one.submits("Ann", Some(key), key, "COMMIT")));
        }
        assert!(is_again(
            &one.submits("Bob", Some("f"), "f", "COMMIT"),
            "Bob f"
        ));
        assert!(is_again(
            &other.submits("Ann", Some("a"), "a", "COMMIT"),
            "Ann a"
        ));
        let full = one.submits("Bob", Some("g"), "g", "COMMIT");
        assert_eq!(full, Submitted::TooMany { wait_ms: 300_000 });
    }

    #[test]
    fn a_new_process_remembers_with_and_without_a_key() {
        let folder = tempfile::tempdir().unwrap();
        let first = Process::on(&folder);
        assert!(is_new(&first.submits("Ann", Some("a"), "lot 1", "COMMIT")));
        assert!(is_new(&first.submits("Ann", None, "lot 2", "COMMIT")));
        drop(first);
        let next = Process::on(&folder);
        assert!(is_again(
            &next.submits("Ann", Some("a"), "lot 1", "COMMIT"),
            "Ann lot 1"
        ));
        assert!(is_new(&next.submits("Bob", Some("a"), "lot 1", "COMMIT")));
        assert!(is_again(
            &next.submits("Ann", None, "lot 2", "COMMIT"),
            "Ann lot 2"
        ));
        assert!(is_new(&next.submits("Bob", None, "lot 2", "COMMIT")));
        assert_eq!(
            next.submits("Ann", Some("a"), "lot 3", "COMMIT"),
            Submitted::KeyReused
        );
    }
}
