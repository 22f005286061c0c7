//! The loop of the writer thread. It owns the write connection, runs all queued jobs in one
//! transaction (`write_job`), commits, and only then sends the results and publishes the changes to
//! open dashboards (`change_log`). The search index is updated while the queue is idle. Group
//! commit is written here because one fsync per post would limit posts to the rate of the disk
//! (docs/performance.md).

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::write_connection::WriteConnection;
use super::write_job::{CommitResult, Job, Transaction};
use crate::live::change_log::ChangeLog;
use crate::live::outbox_signal::OutboxSignal;
use crate::search::index;

/// Maximum number of jobs in one transaction: bounds the wait of the first job.
const MAX_BATCH: usize = 256;
/// Idle time before the index is updated.
const INDEX_DELAY: Duration = Duration::from_millis(200);
/// Interval of the looks for writes of other processes while a dashboard is open and nothing is
/// written.
const FOREIGN_POLL: Duration = Duration::from_millis(200);
/// Idle time before the WAL is checkpointed, and the interval of the file checks while idle.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(1);
/// How long a job waits for the lock of another process before it fails. With the last lock attempt
/// and a slice of the search index, the total stays below three seconds.
const LOCK_TIMEOUT: Duration = Duration::from_millis(2200);

/// The state of the writer thread.
pub(crate) struct Committer {
    db: WriteConnection,
    changes: ChangeLog,
    signal: OutboxSignal,
    /// Requests wait to be indexed.
    is_pending: bool,
}

impl Committer {
    pub(crate) fn new(db: WriteConnection, changes: ChangeLog, signal: OutboxSignal) -> Self {
        Self {
            // A killed process leaves requests unindexed.
            is_pending: index::is_pending(db.conn()).unwrap_or(false),
            db,
            changes,
            signal,
        }
    }

    /// Receives jobs until all senders are dropped. Requests are indexed while the queue is idle.
    pub(crate) fn run(mut self, jobs: &Receiver<Job>) {
        self.changes.find_foreign_writes(self.db.conn());
        let mut idle = Duration::ZERO;
        loop {
            let timeout = match self.is_pending {
                true => INDEX_DELAY,
                // Publishes the writes of other processes to open dashboards.
                false if self.changes.has_listeners() => FOREIGN_POLL,
                false => MAINTENANCE_INTERVAL,
            };
            match jobs.recv_timeout(timeout) {
                Ok(first) => {
                    idle = Duration::ZERO;
                    self.commit_all(std::iter::once(first).chain(jobs.try_iter()));
                }
                Err(RecvTimeoutError::Timeout) if self.is_pending => self.index_pending(),
                Err(RecvTimeoutError::Timeout) => {
                    idle += timeout;
                    if idle >= MAINTENANCE_INTERVAL {
                        idle = Duration::ZERO;
                        self.db.maintain();
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.changes.find_foreign_writes(self.db.conn());
        }
        if self.is_pending {
            // The next start continues.
            self.index_pending();
        }
        self.db.close();
    }

    /// Commits the queued jobs in batches until the queue is empty.
    fn commit_all(&mut self, queued: impl Iterator<Item = Job>) {
        let mut queued = queued.peekable();
        while queued.peek().is_some() {
            let started = Instant::now();
            match self.db.begin() {
                Ok(()) => self.commit_batch(queued.by_ref().take(MAX_BATCH)),
                // Each job gets the full lock timeout. Jobs that arrive during another fault get
                // their own attempt.
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

    /// Runs one transaction over as much of `batch` as possible. It ends early if the first job
    /// fails, and on a full disk or an I/O error, which makes SQLite roll it back: the preceding
    /// jobs then get `Busy`, and the rest of the batch gets its own transaction.
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
        self.is_pending |= index::is_pending(self.db.conn()).unwrap_or(false);
        if let CommitResult::Committed = result {
            result = self.db.commit();
        }
        if let CommitResult::Committed = result {
            self.changes.committed();
        }
        replies.into_iter().for_each(|reply| reply(result));
        match result {
            CommitResult::Committed => {
                self.signal.notify();
                self.changes.publish(self.db.conn());
            }
            _ => {
                self.signal.discard();
                self.changes.discard();
            }
        }
    }

    /// Indexes a slice of the pending requests. Errors are not retried here: a search requests the
    /// update, or the writer retries after the next commit.
    fn index_pending(&mut self) {
        self.is_pending = false;
        if self.db.begin().is_err() {
            return;
        }
        let conn = self.db.conn();
        match index::index_pending(conn).and_then(|()| index::is_pending(conn)) {
            Ok(is_pending) => {
                let committed = matches!(self.db.commit(), CommitResult::Committed);
                self.is_pending = committed && is_pending;
            }
            Err(error) => {
                tracing::warn!(%error, "could not update the search index");
                self.db.roll_back();
            }
        }
    }
}

#[cfg(test)]
mod tests;
