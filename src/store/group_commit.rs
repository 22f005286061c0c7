//! The writer's thread. It owns the write connection, takes every waiting job into one transaction (a savepoint each, in `writer`), commits, and only then
//! answers: what a caller hears is on disk. Search words are written in quiet moments.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::search_index;
use super::write_connection::WriteConnection;
use super::writer::{CommitResult, Job};

/// Jobs in one transaction: bounds how long the first of them waits for the last.
const BATCH: usize = 256;
/// Jobs after which search words are written though others wait: a hundredth of a second's work.
const BEHIND: usize = 500;
/// How long nobody may have written before those words are.
const QUIET: Duration = Duration::from_millis(200);
/// How long nobody may have written before the log is folded in; how often the files are looked
/// after while nobody writes.
const REST: Duration = Duration::from_secs(1);
/// How long a job waits for a lock of another process before it is refused. With the last try for
/// the lock and a slice of the search index it stays below three seconds.
const LOCKED: Duration = Duration::from_millis(2200);
/// How long search words are written at the end of the process; the next one goes on with them.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What the thread works with.
pub(super) struct Committer {
    db: WriteConnection,
    /// For how many jobs search words have waited to be written.
    late: usize,
}

impl Committer {
    pub(super) fn new(db: WriteConnection) -> Self {
        // A process that was killed leaves some words unwritten.
        let late = match search_index::behind(db.conn()) {
            Ok(true) => BEHIND,
            _ => 0,
        };
        Self { db, late }
    }

    /// Takes jobs until every sender is gone. Search words are written when nobody waits, or when they have waited for long.
    pub(super) fn work(mut self, jobs: &Receiver<Job>) {
        loop {
            let patience = match self.late {
                0 => REST,
                // More than a slice waits: they are written one after the other, between the jobs.
                BEHIND.. => Duration::ZERO,
                _ => QUIET,
            };
            match jobs.recv_timeout(patience) {
                Ok(first) => self.commit_all(std::iter::once(first).chain(jobs.try_iter())),
                Err(RecvTimeoutError::Timeout) if self.late > 0 => self.index_words(),
                Err(RecvTimeoutError::Timeout) => self.db.rest(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let begun = Instant::now();
        while self.late > 0 && begun.elapsed() < LAST_WORDS {
            self.index_words();
        }
        self.db.close();
    }

    /// Commits what waits, a batch at a time, until nothing does.
    fn commit_all(&mut self, waiting: impl Iterator<Item = Job>) {
        let mut waiting = waiting.peekable();
        while waiting.peek().is_some() {
            if self.late > BEHIND {
                self.index_words();
            }
            let tried = Instant::now();
            match self.db.begin() {
                Ok(()) => self.commit_together(waiting.by_ref().take(BATCH)),
                // Each has its full time to wait for a lock; whoever came during another fault gets a try of its own.
                Err(fate) => {
                    let refused = |job: &Job| match fate {
                        CommitResult::Busy => job.came.elapsed() >= LOCKED,
                        _ => job.came <= tried,
                    };
                    let mut told = false;
                    while let Some(job) = waiting.next_if(refused) {
                        if !std::mem::replace(&mut told, true) {
                            self.db.refuses(fate);
                        }
                        (job.run)(Err(fate.error()))(fate);
                    }
                }
            }
        }
    }

    /// One transaction over as much of `batch` as it can take. SQLite undoes the whole transaction by itself on a full disk or an I/O error; the jobs before
    /// the one that met it are then told to try again, and the rest of the batch gets a transaction of its own.
    fn commit_together(&mut self, batch: impl Iterator<Item = Job>) {
        let mut answers = Vec::new();
        let mut fate = CommitResult::Committed;
        for job in batch {
            answers.push((job.run)(Ok(self.db.conn())));
            if self.db.conn().is_autocommit() {
                fate = CommitResult::Busy;
                break;
            }
        }
        let behind = search_index::behind(self.db.conn()).unwrap_or(false);
        if let CommitResult::Committed = fate {
            fate = self.db.commit();
        }
        self.late = if behind { self.late + answers.len() } else { 0 };
        answers.into_iter().for_each(|answer| answer(fate));
    }

    /// Writes search words that wait, a slice of them. Where it fails, none is waited for: a search asks for them, or the writer comes back to them after
    /// the next commit.
    fn index_words(&mut self) {
        self.late = 0;
        if self.db.begin().is_err() {
            return;
        }
        let conn = self.db.conn();
        match search_index::catch_up(conn).and_then(|()| search_index::behind(conn)) {
            Ok(behind) => {
                if let (CommitResult::Committed, true) = (self.db.commit(), behind) {
                    self.late = BEHIND;
                }
            }
            Err(error) => {
                tracing::warn!(%error, "search words could not be written");
                self.db.roll_back();
            }
        }
    }
}

/// Runs a statement without values and rows.
pub(super) fn run(conn: &Connection, sql: &str) -> rusqlite::Result<()> {
    conn.prepare_cached(sql)?.execute([]).map(drop)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{SyncSender, sync_channel};

    use super::*;
    use crate::store::writer::Answer;
    use crate::store::{Error, Store};

    /// A job that does nothing but run `then` where it is refused, and say how it went.
    fn job(tell: SyncSender<bool>, then: impl FnOnce() + Send + 'static) -> Job {
        let run = move |conn: Result<&Connection, Error>| -> Answer {
            if conn.is_err() {
                then();
            }
            Box::new(move |fate| tell.send(matches!(fate, CommitResult::Committed)).unwrap())
        };
        Job {
            came: Instant::now(),
            run: Box::new(run),
        }
    }

    #[test]
    fn who_comes_when_the_file_is_free_again_is_not_refused_with_those_who_waited() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("guardpost.db");
        let store = Store::open(&file).unwrap();
        let db = store.write_connection(&file).unwrap();
        let other = crate::store::connection::open(&file).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();

        let (queue, jobs) = sync_channel(8);
        let (tell, told) = sync_channel(8);
        let (later, late) = (queue.clone(), tell.clone());
        let waited = job(tell, move || {
            other.execute_batch("ROLLBACK").unwrap();
            later.send(job(late, || ())).unwrap();
        });
        queue.send(waited).unwrap();
        drop(queue);
        Committer::new(db).work(&jobs);
        assert_eq!(told.iter().collect::<Vec<_>>(), [false, true]);
    }
}
