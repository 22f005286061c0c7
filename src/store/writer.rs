//! The way to the one writer: a bounded queue of jobs, of which a full one refuses at once. Each job runs in a savepoint, so that a failing one harms no other.
//! How they are committed together is in `commits`; what a caller hears is on disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Instant;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::group_commit::{Committer, run};
use super::health::Health;
use super::write_connection::WriteConnection;
use super::{Error, Result};

/// Jobs that may wait. At ten thousand commits a second this is a tenth of a second's work.
const QUEUE: usize = 1024;

/// What tells a job's caller how it went, once the fate of the transaction is known.
pub(super) type Answer = Box<dyn FnOnce(CommitResult) + Send>;
/// A job runs with the connection, or is refused unrun where no transaction could be begun.
type Run = Box<dyn FnOnce(Result<&Connection>) -> Answer + Send>;

/// What waits in the queue, and since when.
pub(super) struct Job {
    pub came: Instant,
    pub run: Run,
}

/// How the transaction around a job ended.
#[derive(Clone, Copy)]
pub(super) enum CommitResult {
    /// On disk.
    Committed,
    /// Undone: another process holds the file, or another job's fault took the whole transaction with it. Trying again helps.
    Busy,
    /// Undone: the disk did not take it.
    Full,
    /// Undone, for any other reason.
    Failed,
    /// Damaged or lost: nothing is written, or what was written cannot be read back.
    Unusable(&'static str),
}

impl CommitResult {
    /// The end of a transaction that met `error`.
    pub(super) fn of(error: &Error) -> Self {
        match error {
            Error::Busy => Self::Busy,
            Error::Unusable(why) => Self::Unusable(why),
            error if error.is_disk_error() => Self::Full,
            _ => Self::Failed,
        }
    }

    /// What a job's caller is told when its transaction came to this end.
    pub(super) fn error(self) -> Error {
        match self {
            Self::Busy => Error::Busy,
            Self::Full => Error::Full,
            Self::Unusable(why) => Error::Unusable(why),
            Self::Committed | Self::Failed => Error::Failed,
        }
    }
}

/// The thread and its queue.
pub(super) struct Writer {
    queue: RwLock<Option<SyncSender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    health: Arc<Health>,
    waiting: AtomicUsize,
}

/// A caller who waits for its answer, or has stopped waiting when this is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Writer {
    pub(super) fn start(db: WriteConnection, health: Arc<Health>) -> Result<Self> {
        let (queue, jobs) = sync_channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || Committer::new(db).work(&jobs))
            .map_err(|error| Error::Conflict(format!("cannot start the writer thread: {error}")))?;
        Ok(Self {
            queue: RwLock::new(Some(queue)),
            thread: Mutex::new(Some(thread)),
            health,
            waiting: AtomicUsize::new(0),
        })
    }

    /// How many callers wait for a commit.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    pub(super) async fn run<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.waiting.fetch_add(1, Relaxed);
        let _waiting = Waiting(&self.waiting);
        let (tell, told) = oneshot::channel();
        let health = self.health.clone();
        let job = Job {
            came: Instant::now(),
            run: Box::new(move |conn| {
                let outcome = conn.and_then(|conn| in_savepoint(conn, job));
                health.note(&outcome);
                Box::new(move |fate| {
                    // A caller that has gone away does not matter: the work is done or undone either way.
                    let _ = tell.send(judge(outcome, fate));
                })
            }),
        };
        self.send(job)?;
        told.await.map_err(|_| Error::Busy)?
    }

    fn send(&self, job: Job) -> Result<()> {
        let queue = self.queue.read().unwrap_or_else(PoisonError::into_inner);
        let queue = queue.as_ref().ok_or(Error::Busy)?;
        queue.try_send(job).map_err(|_| Error::Busy)
    }

    /// Takes no more jobs, lets the queue run empty, folds the log into the database and ends the
    /// thread. Blocks until then.
    pub(super) fn close(&self) {
        let mut queue = self.queue.write().unwrap_or_else(PoisonError::into_inner);
        drop(queue.take());
        drop(queue);
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close();
    }
}

/// A job's own refusal stands whatever became of the transaction; its success stands only if that was committed.
fn judge<T>(outcome: Result<T>, fate: CommitResult) -> Result<T> {
    match (outcome, fate) {
        (outcome, CommitResult::Committed) | (outcome @ Err(_), _) => outcome,
        (Ok(_), fate) => Err(fate.error()),
    }
}

/// Runs one job in a savepoint: kept on `Ok`, undone on `Err` or a panic.
fn in_savepoint<T>(conn: &Connection, job: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    run(conn, "SAVEPOINT job")?;
    let outcome = catch_unwind(AssertUnwindSafe(|| job(conn))).unwrap_or_else(|_| {
        tracing::error!("a job of the store panicked");
        Err(Error::Failed)
    });
    if conn.is_autocommit() {
        return outcome;
    }
    let undone = match &outcome {
        Ok(_) => Ok(()),
        Err(_) => run(conn, "ROLLBACK TO job"),
    };
    if let Err(error) = undone.and_then(|()| run(conn, "RELEASE job")) {
        // Half a job must never be committed with the others: better none of the batch.
        tracing::error!(%error, "a job could not be undone alone");
        let _ = conn.execute_batch("ROLLBACK");
        return Err(error.into());
    }
    outcome
}
