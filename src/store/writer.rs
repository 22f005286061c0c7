//! The one writer. A thread owns the write connection, takes every waiting job into one transaction (a savepoint each, so that a failing job harms no other),
//! commits, and only then answers: what a caller hears is on disk. The queue is bounded; a full one refuses at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{Error, Result, words};

/// Jobs that may wait. At ten thousand commits a second this is a tenth of a second's work.
const QUEUE: usize = 1024;
/// Jobs in one transaction: bounds how long the first of them waits for the last.
const BATCH: usize = 256;
/// Jobs after which search words are written though others wait: a hundredth of a second's work.
const BEHIND: usize = 500;
/// How long nobody may have written before those words are.
const QUIET: Duration = Duration::from_millis(200);

/// What tells a job's caller how it went, once the fate of the transaction is known.
type Answer = Box<dyn FnOnce(Fate) + Send>;
/// A job runs with the connection, or is refused unrun where no transaction could be begun.
type Run = Box<dyn FnOnce(Result<&Connection>) -> Answer + Send>;

/// What waits in the queue, and since when.
struct Job {
    came: Instant,
    run: Run,
}

/// How the transaction around a job ended.
#[derive(Clone, Copy)]
enum Fate {
    /// On disk.
    Committed,
    /// Undone: another process holds the file, or another job's fault took the whole transaction with it. Trying again helps.
    Busy,
    /// Undone: the disk did not take it.
    Full,
    /// Undone, for any other reason.
    Failed,
}

impl Fate {
    /// What a job's caller is told when its transaction came to this end.
    fn error(self) -> Error {
        match self {
            Self::Busy => Error::Busy,
            Self::Full => Error::Full,
            Self::Committed | Self::Failed => Error::Failed,
        }
    }
}

/// The thread and its queue.
pub(super) struct Writer {
    queue: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
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
    pub(super) fn start(conn: Connection) -> Result<Self> {
        let (queue, jobs) = sync_channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || work(&conn, &jobs))
            .map_err(|error| Error::Conflict(format!("cannot start the writer thread: {error}")))?;
        Ok(Self {
            queue: Some(queue),
            thread: Some(thread),
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
        let job = Job {
            came: Instant::now(),
            run: Box::new(move |conn| {
                let outcome = conn.and_then(|conn| in_savepoint(conn, job));
                Box::new(move |fate| {
                    // A caller that has gone away does not matter: the work is done or undone either way.
                    let _ = tell.send(judge(outcome, fate));
                })
            }),
        };
        let queue = self.queue.as_ref().ok_or(Error::Busy)?;
        queue.try_send(job).map_err(|_| Error::Busy)?;
        told.await.map_err(|_| Error::Busy)?
    }
}

impl Drop for Writer {
    /// Lets the queue run empty before the thread ends.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A job's own refusal stands whatever became of the transaction; its success stands only if that was committed.
fn judge<T>(outcome: Result<T>, fate: Fate) -> Result<T> {
    match (outcome, fate) {
        (outcome, Fate::Committed) | (outcome @ Err(_), _) => outcome,
        (Ok(_), fate) => Err(fate.error()),
    }
}

/// Takes jobs until every sender is gone. Search words are written when nobody waits, or when they have waited for long.
fn work(conn: &Connection, jobs: &Receiver<Job>) {
    // A process that was killed leaves some unwritten.
    let mut late = usize::from(words::behind(conn).unwrap_or(false));
    loop {
        let patience = if late > 0 { QUIET } else { Duration::MAX };
        match jobs.recv_timeout(patience) {
            Ok(first) => {
                late = commit_all(conn, std::iter::once(first).chain(jobs.try_iter()), late);
            }
            Err(RecvTimeoutError::Timeout) => late = index_words(conn),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    while late > 0 {
        late = index_words(conn);
    }
    // The log is folded into the database file, so that a copied file is whole.
    let _ = conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
}

/// Commits what waits, a batch at a time, until nothing does. Takes and gives for how many jobs search words have waited to be written.
fn commit_all(conn: &Connection, waiting: impl Iterator<Item = Job>, mut late: usize) -> usize {
    let mut waiting = waiting.peekable();
    while waiting.peek().is_some() {
        if late > BEHIND {
            late = index_words(conn);
        }
        let tried = Instant::now();
        match begin(conn) {
            Ok(()) => late = commit_together(conn, waiting.by_ref().take(BATCH), late),
            // These have waited as long as is decent. Whoever came meanwhile gets a try of its own: the file may be free by now.
            Err(fate) => {
                while let Some(job) = waiting.next_if(|job| job.came <= tried) {
                    (job.run)(Err(fate.error()))(fate);
                }
            }
        }
    }
    late
}

/// Begins a transaction; waits for another process that holds the file (`connection::BUSY`).
fn begin(conn: &Connection) -> Result<(), Fate> {
    // One that an earlier fault has left open would make every later one fail.
    if !conn.is_autocommit() {
        let _ = conn.execute_batch("ROLLBACK");
    }
    run(conn, "BEGIN IMMEDIATE").map_err(|error| {
        tracing::warn!(%error, "no transaction could be begun");
        fate_of(&error)
    })
}

/// One transaction over as much of `batch` as it can take. SQLite undoes the whole transaction by itself on a full disk or an I/O error; the jobs before the
/// one that met it are then told to try again, and the rest of the batch gets a transaction of its own. Takes and gives for how many jobs search words wait.
fn commit_together(conn: &Connection, batch: impl Iterator<Item = Job>, late: usize) -> usize {
    let mut answers = Vec::new();
    let mut fate = Fate::Committed;
    for job in batch {
        answers.push((job.run)(Ok(conn)));
        if conn.is_autocommit() {
            fate = Fate::Busy;
            break;
        }
    }
    let behind = words::behind(conn).unwrap_or(false);
    if let Fate::Committed = fate {
        fate = commit(conn);
    }
    let jobs = answers.len();
    answers.into_iter().for_each(|answer| answer(fate));
    if behind { late + jobs } else { 0 }
}

/// Commits; or undoes everything, for what could not be synced must not be committed with the next transaction.
fn commit(conn: &Connection) -> Fate {
    let Err(error) = run(conn, "COMMIT") else {
        return Fate::Committed;
    };
    tracing::error!(%error, "a commit failed");
    let _ = conn.execute_batch("ROLLBACK");
    fate_of(&error)
}

/// Writes search words that wait, a slice of them; gives for how many jobs the rest has waited. Where it fails, none is waited for: a search asks for them,
/// or the writer comes back to them after the next commit.
fn index_words(conn: &Connection) -> usize {
    if begin(conn).is_err() {
        return 0;
    }
    let behind = words::catch_up(conn).and_then(|()| words::behind(conn));
    match behind {
        Ok(behind) => match commit(conn) {
            Fate::Committed if behind => BEHIND,
            _ => 0,
        },
        Err(error) => {
            tracing::warn!(%error, "search words could not be written");
            let _ = conn.execute_batch("ROLLBACK");
            0
        }
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

fn run(conn: &Connection, sql: &str) -> rusqlite::Result<()> {
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
    use std::time::Duration;

    use super::*;
    use crate::store::schema;

    /// A job that does nothing but run `then` where it is refused, and say how it went.
    fn job(tell: SyncSender<bool>, then: impl FnOnce() + Send + 'static) -> Job {
        let run = move |conn: Result<&Connection>| -> Answer {
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
        work(&conn, &jobs);
        assert_eq!(told.iter().collect::<Vec<_>>(), [false, true]);
    }
}
