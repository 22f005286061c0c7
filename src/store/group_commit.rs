//! The loop of the writer thread. It owns the write connection, runs all queued jobs in one
//! transaction (`write_job`), commits, and only then sends the results and publishes the changes to
//! open dashboards (`change_log`). The search index is updated while nobody writes.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::change_log::ChangeLog;
use super::search_index;
use super::write_connection::WriteConnection;
use super::write_job::{CommitResult, Job, Transaction};

/// Jobs in one transaction: bounds how long the first waits for the last.
const MAX_BATCH: usize = 256;
/// Jobs after which the index is updated even if others wait: about half a second of work, for
/// which a search waits then. From there on a slice is indexed for as many jobs.
const MAX_UNINDEXED: usize = 50_000;
/// Idle time before the index is updated.
const INDEX_DELAY: Duration = Duration::from_millis(200);
/// Idle time before the log is checkpointed, and the interval of the checks of the files while
/// nothing is written.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(1);
/// How long a job waits for the lock of another process before it fails. With the last attempt for
/// the lock and a slice of the search index it stays below three seconds.
const LOCK_TIMEOUT: Duration = Duration::from_millis(2200);
/// How long the index is updated at the end of the process; the next start continues.
const CLOSE_INDEX_TIMEOUT: Duration = Duration::from_secs(1);

/// The state of the writer thread.
pub(super) struct Committer {
    db: WriteConnection,
    changes: ChangeLog,
    /// Jobs committed while requests were waiting to be indexed.
    unindexed: usize,
    max_unindexed: usize,
    /// Requests were left over by the last slice, and no job has come since.
    is_indexing: bool,
}

impl Committer {
    pub(super) fn new(db: WriteConnection, changes: ChangeLog) -> Self {
        // A killed process leaves some requests unindexed.
        let is_indexing = search_index::is_pending(db.conn()).unwrap_or(false);
        Self {
            db,
            changes,
            unindexed: usize::from(is_indexing),
            max_unindexed: MAX_UNINDEXED,
            is_indexing,
        }
    }

    /// Takes jobs until every sender is gone. Requests are indexed while nobody writes, or when they
    /// have waited for `MAX_UNINDEXED` jobs.
    pub(super) fn run(mut self, jobs: &Receiver<Job>) {
        self.changes.find_foreign_writes(self.db.conn());
        loop {
            let timeout = match self.unindexed {
                0 => MAINTENANCE_INTERVAL,
                _ if self.is_indexing => Duration::ZERO,
                _ => INDEX_DELAY,
            };
            match jobs.recv_timeout(timeout) {
                Ok(first) => self.commit_all(std::iter::once(first).chain(jobs.try_iter())),
                Err(RecvTimeoutError::Timeout) if self.unindexed > 0 => self.index_pending(),
                Err(RecvTimeoutError::Timeout) => self.db.maintain(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.changes.find_foreign_writes(self.db.conn());
        }
        let started = Instant::now();
        while self.unindexed > 0 && started.elapsed() < CLOSE_INDEX_TIMEOUT {
            self.index_pending();
        }
        self.db.close();
    }

    /// Commits the queued jobs, a batch at a time, until the queue is empty.
    fn commit_all(&mut self, queued: impl Iterator<Item = Job>) {
        let mut queued = queued.peekable();
        while queued.peek().is_some() {
            if self.unindexed > self.max_unindexed {
                self.index_pending();
            }
            self.is_indexing = false;
            let started = Instant::now();
            match self.db.begin() {
                Ok(()) => self.commit_batch(queued.by_ref().take(MAX_BATCH)),
                // Each job has its full time to wait for a lock. Jobs that arrive during another
                // fault get their own attempt.
                Err(reason) => {
                    let is_rejected = |job: &Job| match reason {
                        CommitResult::Busy => job.queued_at.elapsed() >= LOCK_TIMEOUT,
                        _ => job.queued_at <= started,
                    };
                    let mut recorded = false;
                    while let Some(job) = queued.next_if(is_rejected) {
                        if !std::mem::replace(&mut recorded, true) {
                            self.db.record_rejection(reason);
                        }
                        (job.run)(Err(reason.error()))(reason);
                    }
                }
            }
        }
    }

    /// One transaction over as much of `batch` as possible. It ends early if the first job fails,
    /// and on a full disk or an I/O error, where SQLite rolls it back by itself: the jobs before
    /// the one that met it then get `Busy`, and the rest of the batch gets its own transaction.
    fn commit_batch(&mut self, batch: impl Iterator<Item = Job>) {
        let mut replies = Vec::new();
        let mut result = CommitResult::Committed;
        for job in batch {
            let transaction = Transaction {
                conn: self.db.conn(),
                is_empty: replies.is_empty(),
            };
            replies.push((job.run)(Ok(transaction)));
            if self.db.conn().is_autocommit() {
                result = CommitResult::Busy;
                break;
            }
        }
        // What was pending still is: only `index_pending` ends it.
        let is_pending =
            self.unindexed > 0 || search_index::is_pending(self.db.conn()).unwrap_or(false);
        if let CommitResult::Committed = result {
            result = self.db.commit();
        }
        self.unindexed = match is_pending {
            true => self.unindexed + replies.len(),
            false => 0,
        };
        replies.into_iter().for_each(|reply| reply(result));
        self.db.check_commit();
        match result {
            CommitResult::Committed => self.changes.publish(self.db.conn()),
            _ => self.changes.discard(),
        }
    }

    /// Indexes a slice of the pending requests. After an error there is no retry here: a search
    /// requests the update, or the writer retries after the next commit.
    fn index_pending(&mut self) {
        let unindexed = std::mem::take(&mut self.unindexed);
        self.is_indexing = false;
        if self.db.begin().is_err() {
            return;
        }
        let conn = self.db.conn();
        match search_index::index_pending(conn).and_then(|()| search_index::is_pending(conn)) {
            Ok(is_pending) => {
                if let (CommitResult::Committed, true) = (self.db.commit(), is_pending) {
                    self.unindexed = unindexed.saturating_sub(search_index::SLICE).max(1);
                    self.is_indexing = true;
                }
                self.db.check_commit();
            }
            Err(error) => {
                tracing::warn!(%error, "could not update the search index");
                self.db.roll_back();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{SyncSender, sync_channel};

    use rusqlite::Connection;

    use super::*;
    use crate::store::connection::open_read;
    use crate::store::write_job::Reply;
    use crate::store::{Error, Store};

    /// A job that runs `on_error` if its transaction could not start, and reports whether it was
    /// committed.
    fn job(committed: SyncSender<bool>, on_error: impl FnOnce() + Send + 'static) -> Job {
        let run = move |transaction: Result<Transaction<'_>, Error>| -> Reply {
            if transaction.is_err() {
                on_error();
            }
            Box::new(move |result| {
                let is_committed = matches!(result, CommitResult::Committed);
                committed.send(is_committed).unwrap();
            })
        };
        Job {
            queued_at: Instant::now(),
            run: Box::new(run),
        }
    }

    #[test]
    fn a_job_that_arrives_after_the_lock_is_released_is_not_rejected_with_those_that_waited() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("guardpost.db");
        let store = Store::open(&file).unwrap();
        let db = store.write_connection(&file).unwrap();
        let other =
            crate::store::connection::open(&file, crate::store::Checkpoints::Store).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();

        let (queue, jobs) = sync_channel(8);
        let (committed, results) = sync_channel(8);
        let (later_queue, later_committed) = (queue.clone(), committed.clone());
        let waiting = job(committed, move || {
            other.execute_batch("ROLLBACK").unwrap();
            later_queue.send(job(later_committed, || ())).unwrap();
        });
        queue.send(waiting).unwrap();
        drop(queue);
        Committer::new(db, ChangeLog::default()).run(&jobs);
        assert_eq!(results.iter().collect::<Vec<_>>(), [false, true]);
    }

    /// A job that runs `work`.
    fn run(work: impl FnOnce(&Connection) + Send + 'static) -> Job {
        let run = move |transaction: Result<Transaction<'_>, Error>| -> Reply {
            work(transaction.unwrap().conn);
            Box::new(|_| ())
        };
        Job {
            queued_at: Instant::now(),
            run: Box::new(run),
        }
    }

    fn insert(conn: &Connection, seq: i64) {
        let quote = "INSERT INTO quotes (seq, id, reference, created_at, updated_at, first_name, \
                     last_name, email, phone, service_type, duration, start_date, location, \
                     emergency_contact) \
                     VALUES (?1, ?1, '', '', '', '', '', '', '', '', '', '', '', 0)";
        conn.execute(quote, [seq]).unwrap();
    }

    /// Whether a quote still waits to be indexed when a whole batch of jobs was committed after it
    /// and the next follows at once.
    fn is_pending_after_a_batch(max_unindexed: usize) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("guardpost.db");
        let store = Store::open(&file).unwrap();
        let mut committer =
            Committer::new(store.write_connection(&file).unwrap(), ChangeLog::default());
        committer.max_unindexed = max_unindexed;
        let (queue, jobs) = sync_channel(MAX_BATCH + 1);
        queue.send(run(|conn| insert(conn, 16))).unwrap();
        for _ in 1..MAX_BATCH {
            queue.send(run(|_| ())).unwrap();
        }
        let (sender, found) = sync_channel(1);
        let look = move |conn: &Connection| {
            sender
                .send(search_index::is_pending(conn).unwrap())
                .unwrap();
        };
        queue.send(run(look)).unwrap();
        drop(queue);
        committer.run(&jobs);
        let is_pending = search_index::is_pending(&open_read(&file).unwrap()).unwrap();
        assert!(!is_pending, "it is indexed once nobody writes");
        found.recv().unwrap()
    }

    #[test]
    fn jobs_that_follow_each_other_do_not_wait_for_the_index_until_many_have_passed() {
        assert!(is_pending_after_a_batch(MAX_UNINDEXED));
        assert!(!is_pending_after_a_batch(MAX_BATCH - 1));
    }

    #[test]
    fn a_commit_that_follows_another_at_once_is_checked_right_after_its_answer() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("guardpost.db");
        let log = folder.path().join("guardpost.db-wal");
        let store = Store::open(&file).unwrap();
        let db = store.write_connection(&file).unwrap();
        let mut committer = Committer::new(db, ChangeLog::default());
        committer.db.check_interval = Duration::from_secs(3600);
        committer.commit_all(std::iter::once(run(|conn| insert(conn, 16))));

        std::fs::remove_file(&log).unwrap();
        let (answer, answered) = sync_channel(1);
        let lost = log.clone();
        let job = Job {
            queued_at: Instant::now(),
            run: Box::new(move |transaction| {
                insert(transaction.unwrap().conn, 32);
                Box::new(move |result| {
                    let is_committed = matches!(result, CommitResult::Committed);
                    answer.send((is_committed, lost.exists())).unwrap();
                })
            }),
        };
        committer.commit_all(std::iter::once(job));
        assert_eq!(answered.recv().unwrap(), (true, false));
        assert!(log.exists(), "a new log was started");
        let quotes =
            open_read(&file)
                .unwrap()
                .query_row("SELECT count(*) FROM quotes", [], |row| {
                    row.get::<_, i64>(0)
                });
        assert_eq!(quotes.unwrap(), 2);
    }
}
