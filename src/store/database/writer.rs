//! Bounded job queue of the writer thread; a full queue rejects immediately. A failed job is rolled
//! back alone (`write_job`). Jobs are committed in groups (`group_commit`); callers get their
//! results after the commit is on disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{JoinHandle, current};

use parking_lot::{Mutex, RwLock};
use rusqlite::Connection;

use super::group_commit::Committer;
use super::health::Health;
use super::write_connection::WriteConnection;
use super::write_job::Job;
use crate::live::change_log::ChangeLog;
use crate::live::outbox_signal::OutboxSignal;
use crate::{Error, Result};

/// Capacity of the queue: a tenth of a second of work at ten thousand commits a second.
const QUEUE_CAPACITY: usize = 1024;

/// The writer thread and its queue.
pub(crate) struct Writer {
    queue: RwLock<Option<SyncSender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    health: Arc<Health>,
    pending: AtomicUsize,
}

/// Counts one pending write until it is dropped, with the result or by a cancelled caller.
struct PendingGuard<'a>(&'a AtomicUsize);

impl Drop for PendingGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Writer {
    pub(crate) fn start(
        db: WriteConnection,
        health: Arc<Health>,
        changes: ChangeLog,
        signal: OutboxSignal,
    ) -> Result<Self> {
        let (queue, jobs) = sync_channel(QUEUE_CAPACITY);
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || Committer::new(db, changes, signal).run(&jobs))
            .map_err(|error| Error::Conflict(format!("cannot start the writer thread: {error}")))?;
        Ok(Self {
            queue: RwLock::new(Some(queue)),
            thread: Mutex::new(Some(thread)),
            health,
            pending: AtomicUsize::new(0),
        })
    }

    /// The number of callers waiting for a commit.
    pub(crate) fn pending(&self) -> usize {
        self.pending.load(Relaxed)
    }

    /// Queues `work` at once; the future waits for its result. The future does not contain the
    /// work, since every layer of futures around it would have to store and move it.
    pub(crate) fn run<T, F>(&self, work: F) -> impl Future<Output = Result<T>> + use<'_, T, F>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.pending.fetch_add(1, Relaxed);
        let pending = PendingGuard(&self.pending);
        let (job, result) = Job::new(work, self.health.clone());
        let queued = self.enqueue(job);
        async move {
            let _pending = pending;
            queued?;
            result.await.map_err(|_| Error::Busy)?
        }
    }

    fn enqueue(&self, job: Job) -> Result<()> {
        let queue = self.queue.read();
        let queue = queue.as_ref().ok_or(Error::Busy)?;
        queue.try_send(job).map_err(|_| Error::Busy)
    }

    /// Rejects further jobs, finishes those in the queue, checkpoints the log into the database and
    /// ends the thread. Blocks until then.
    pub(crate) fn close(&self) {
        let mut queue = self.queue.write();
        drop(queue.take());
        drop(queue);
        let mut thread = self.thread.lock();
        let thread = thread.take();
        // A job that owned the last handle is dropped on the thread itself, which then ends.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != current().id()) {
            let _ = thread.join();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close();
    }
}
