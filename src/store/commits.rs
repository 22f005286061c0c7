//! The writer's thread. It owns the write connection, takes every waiting job into one transaction (a savepoint each, in `writer`), commits, and only then
//! answers: what a caller hears is on disk. Search words are written in quiet moments.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::words;
use super::writer::{Fate, Job};

/// Jobs in one transaction: bounds how long the first of them waits for the last.
const BATCH: usize = 256;
/// Jobs after which search words are written though others wait: a hundredth of a second's work.
const BEHIND: usize = 500;
/// How long nobody may have written before those words are.
const QUIET: Duration = Duration::from_millis(200);

/// What the thread works with.
pub(super) struct Committer {
    conn: Connection,
    /// For how many jobs search words have waited to be written.
    late: usize,
}

impl Committer {
    pub(super) fn new(conn: Connection) -> Self {
        // A process that was killed leaves some words unwritten.
        let late = usize::from(words::behind(&conn).unwrap_or(false));
        Self { conn, late }
    }

    /// Takes jobs until every sender is gone. Search words are written when nobody waits, or when they have waited for long.
    pub(super) fn work(mut self, jobs: &Receiver<Job>) {
        loop {
            let patience = if self.late > 0 { QUIET } else { Duration::MAX };
            match jobs.recv_timeout(patience) {
                Ok(first) => self.commit_all(std::iter::once(first).chain(jobs.try_iter())),
                Err(RecvTimeoutError::Timeout) => self.index_words(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        while self.late > 0 {
            self.index_words();
        }
        // The log is folded into the database file, so that a copied file is whole.
        let _ = self.conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    /// Commits what waits, a batch at a time, until nothing does.
    fn commit_all(&mut self, waiting: impl Iterator<Item = Job>) {
        let mut waiting = waiting.peekable();
        while waiting.peek().is_some() {
            if self.late > BEHIND {
                self.index_words();
            }
            let tried = Instant::now();
            match self.begin() {
                Ok(()) => self.commit_together(waiting.by_ref().take(BATCH)),
                // These have waited as long as is decent. Whoever came meanwhile gets a try of its own: the file may be free by now.
                Err(fate) => {
                    while let Some(job) = waiting.next_if(|job| job.came <= tried) {
                        (job.run)(Err(fate.error()))(fate);
                    }
                }
            }
        }
    }

    /// Begins a transaction; waits for another process that holds the file (`connection::BUSY`).
    fn begin(&self) -> Result<(), Fate> {
        // One that an earlier fault has left open would make every later one fail.
        if !self.conn.is_autocommit() {
            let _ = self.conn.execute_batch("ROLLBACK");
        }
        run(&self.conn, "BEGIN IMMEDIATE").map_err(|error| {
            tracing::warn!(%error, "no transaction could be begun");
            fate_of(&error)
        })
    }

    /// One transaction over as much of `batch` as it can take. SQLite undoes the whole transaction by itself on a full disk or an I/O error; the jobs before
    /// the one that met it are then told to try again, and the rest of the batch gets a transaction of its own.
    fn commit_together(&mut self, batch: impl Iterator<Item = Job>) {
        let mut answers = Vec::new();
        let mut fate = Fate::Committed;
        for job in batch {
            answers.push((job.run)(Ok(&self.conn)));
            if self.conn.is_autocommit() {
                fate = Fate::Busy;
                break;
            }
        }
        let behind = words::behind(&self.conn).unwrap_or(false);
        if let Fate::Committed = fate {
            fate = self.commit();
        }
        self.late = if behind { self.late + answers.len() } else { 0 };
        answers.into_iter().for_each(|answer| answer(fate));
    }

    /// Commits; or undoes everything, for what could not be synced must not be committed with the next transaction.
    fn commit(&self) -> Fate {
        let Err(error) = run(&self.conn, "COMMIT") else {
            return Fate::Committed;
        };
        tracing::error!(%error, "a commit failed");
        let _ = self.conn.execute_batch("ROLLBACK");
        fate_of(&error)
    }

    /// Writes search words that wait, a slice of them. Where it fails, none is waited for: a search asks for them, or the writer comes back to them after
    /// the next commit.
    fn index_words(&mut self) {
        self.late = 0;
        if self.begin().is_err() {
            return;
        }
        match words::catch_up(&self.conn).and_then(|()| words::behind(&self.conn)) {
            Ok(behind) => {
                if let (Fate::Committed, true) = (self.commit(), behind) {
                    self.late = BEHIND;
                }
            }
            Err(error) => {
                tracing::warn!(%error, "search words could not be written");
                let _ = self.conn.execute_batch("ROLLBACK");
            }
        }
    }
}

/// Runs a statement without values and rows.
pub(super) fn run(conn: &Connection, sql: &str) -> rusqlite::Result<()> {
    conn.prepare_cached(sql)?.execute([]).map(drop)
}

fn fate_of(error: &rusqlite::Error) -> Fate {
    use rusqlite::ErrorCode::{
        CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, ReadOnly, SystemIoFailure,
    };
    match error.sqlite_error_code() {
        Some(DatabaseBusy | DatabaseLocked) => Fate::Busy,
        Some(DiskFull | SystemIoFailure | ReadOnly | CannotOpen) => Fate::Full,
        _ => Fate::Failed,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{SyncSender, sync_channel};

    use super::*;
    use crate::store::writer::Answer;
    use crate::store::{Error, schema};

    /// A job that does nothing but run `then` where it is refused, and say how it went.
    fn job(tell: SyncSender<bool>, then: impl FnOnce() + Send + 'static) -> Job {
        let run = move |conn: Result<&Connection, Error>| -> Answer {
            if conn.is_err() {
                then();
            }
            Box::new(move |fate| tell.send(matches!(fate, Fate::Committed)).unwrap())
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
        let mut conn = crate::store::connection::open(&file).unwrap();
        schema::apply(&mut conn).unwrap();
        conn.busy_timeout(Duration::from_millis(1)).unwrap();
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
        Committer::new(conn).work(&jobs);
        assert_eq!(told.iter().collect::<Vec<_>>(), [false, true]);
    }
}
