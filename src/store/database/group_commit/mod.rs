//! The loop of the writer thread. It owns the write connection, runs all queued jobs in one
//! transaction (`write_job`), commits, and only then sends the results and publishes the changes to
//! open dashboards (`change_log`). The search index is updated while nobody writes.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::write_connection::WriteConnection;
use super::write_job::{CommitResult, Job, Transaction};
use crate::store::live::change_log::ChangeLog;
use crate::store::search::index;

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
pub(in crate::store) struct Committer {
    db: WriteConnection,
    changes: ChangeLog,
    /// Jobs committed while requests were waiting to be indexed.
    unindexed: usize,
    max_unindexed: usize,
    /// Requests were left over by the last slice, and no job has come since.
    is_indexing: bool,
}

impl Committer {
    pub(in crate::store) fn new(db: WriteConnection, changes: ChangeLog) -> Self {
        // A killed process leaves some requests unindexed.
        let is_indexing = index::is_pending(db.conn()).unwrap_or(false);
        Self {
            db,
            changes,
            unindexed: usize::from(is_indexing),
            max_unindexed: MAX_UNINDEXED,
            is_indexing,
        }
    }

    /// Takes jobs until every sender is gone. Requests are indexed while nobody writes, or when
    /// they have waited for `MAX_UNINDEXED` jobs.
    pub(in crate::store) fn run(mut self, jobs: &Receiver<Job>) {
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
        let is_pending = self.unindexed > 0 || index::is_pending(self.db.conn()).unwrap_or(false);
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
        match index::index_pending(conn).and_then(|()| index::is_pending(conn)) {
            Ok(is_pending) => {
                if let (CommitResult::Committed, true) = (self.db.commit(), is_pending) {
                    self.unindexed = unindexed.saturating_sub(index::SLICE).max(1);
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
mod tests;
