//! A job of the writer thread. It is part of a group commit, can be rolled back alone, and its
//! caller gets the result once the outcome of the commit is known.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::connection::execute;
use super::health::Health;
use crate::{Error, Result};

/// Sends the caller its result, given the outcome of the transaction.
pub(crate) type Reply = Box<dyn FnOnce(CommitResult) + Send>;
/// Runs a job, or passes it the error if the transaction could not start.
type Run = Box<dyn FnOnce(Result<Transaction<'_>>) -> Reply + Send>;

/// The open transaction that a job is part of.
#[derive(Clone, Copy)]
pub(crate) struct Transaction<'a> {
    pub conn: &'a Connection,
    /// Whether no job has run in it yet.
    pub is_empty: bool,
}

/// A queued job.
pub(crate) struct Job {
    pub queued_at: Instant,
    pub run: Run,
}

impl Job {
    /// A job that runs `work`, and the receiver of its result.
    pub(crate) fn new<T, F>(work: F, health: Arc<Health>) -> (Self, oneshot::Receiver<Result<T>>)
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let job = Self {
            queued_at: Instant::now(),
            run: Box::new(move |transaction| {
                let result = transaction.and_then(|transaction| transaction.run(work));
                health.record(&result);
                Box::new(move |commit| {
                    // The caller may be gone; the work is committed or rolled back regardless.
                    let _ = sender.send(resolve(result, commit));
                })
            }),
        };
        (job, receiver)
    }
}

/// The outcome of the transaction around a job.
#[derive(Clone, Copy)]
pub(crate) enum CommitResult {
    /// On disk.
    Committed,
    /// Rolled back: another process holds the lock, or another job's fault rolled back the whole
    /// transaction. A retry helps.
    Busy,
    /// Rolled back: disk full or failing.
    Full,
    /// Rolled back for any other reason.
    Failed,
    /// Database damaged or its file lost: nothing is written.
    Unusable(&'static str),
}

impl CommitResult {
    /// The outcome of a transaction that failed with `error`.
    pub(crate) fn of(error: &Error) -> Self {
        match error {
            Error::Busy => Self::Busy,
            Error::Unusable(why) => Self::Unusable(why),
            error if error.is_disk_error() => Self::Full,
            _ => Self::Failed,
        }
    }

    /// The error for a job whose transaction had this outcome.
    pub(crate) fn error(self) -> Error {
        match self {
            Self::Busy => Error::Busy,
            Self::Full => Error::Full,
            Self::Unusable(why) => Error::Unusable(why),
            Self::Committed | Self::Failed => Error::Failed,
        }
    }
}

/// An error of the job itself is returned for any outcome of the transaction; its success counts
/// only if the transaction was committed.
fn resolve<T>(result: Result<T>, commit: CommitResult) -> Result<T> {
    match (result, commit) {
        (result, CommitResult::Committed) | (result @ Err(_), _) => result,
        (Ok(_), commit) => Err(commit.error()),
    }
}

impl Transaction<'_> {
    /// Runs one job and rolls back its changes after `Err` or a panic. The first job of a
    /// transaction has no savepoint, which would copy each page that it changes: its failure rolls
    /// back the whole transaction.
    fn run<T>(self, job: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let Self { conn, is_empty } = self;
        if !is_empty {
            execute(conn, "SAVEPOINT job")?;
        }
        let result = catch_unwind(AssertUnwindSafe(|| job(conn))).unwrap_or_else(|_| {
            tracing::error!("a write job panicked");
            Err(Error::Failed)
        });
        if conn.is_autocommit() {
            return result;
        }
        let ended = match (&result, is_empty) {
            (Ok(_), true) => Ok(()),
            (Err(_), true) => execute(conn, "ROLLBACK"),
            (Ok(_), false) => execute(conn, "RELEASE job"),
            (Err(_), false) => {
                execute(conn, "ROLLBACK TO job").and_then(|()| execute(conn, "RELEASE job"))
            }
        };
        if let Err(error) = ended {
            // A half-done job must not be committed with the others: roll back the whole batch.
            tracing::error!(%error, "could not roll back a single write job");
            let _ = conn.execute_batch("ROLLBACK");
            return Err(error.into());
        }
        result
    }
}
