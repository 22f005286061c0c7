//! The write connection, with the checks around each commit: that it can be read back, that the
//! files are still in place, and that the log is checkpointed into the database.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::connection::{self, Checkpoints, WAL_SIZE_LIMIT, execute};
use super::files::{Files, Loss, log_size};
use super::health::{DAMAGED, Health};
use super::new_rows::{self, NewRows, Rows};
use super::readers::Readers;
use super::write_job::CommitResult;
use super::{Error, Result};

/// How long one attempt waits for the lock of another process.
const LOCK_ATTEMPT: Duration = Duration::from_millis(250);
/// How long the last checkpoint waits for readers of other processes.
const CLOSE_CHECKPOINT_TIMEOUT: Duration = Duration::from_secs(2);
const ALL_TABLES: [bool; 3] = [true; 3];
/// Within this time after a check, a new transaction does not check the files again, and a commit
/// is checked after its answers are sent instead of before. Long enough for posts that follow each
/// other, too short for another process to open the database.
const CHECK_INTERVAL: Duration = Duration::from_millis(1);
const DATABASE_LOST: &str = "its file was deleted, moved or replaced";
const LOG_LOST: &str = "its log was deleted, moved or replaced";

/// Prepares each new write connection.
pub(super) type Prepare = Box<dyn Fn(&Connection) -> Result<()> + Send>;

/// The write connection.
pub(super) struct WriteConnection {
    /// Reads commits as other processes do: it has cached nothing that was written since. Closed
    /// before `conn`, which as the last connection removes the log.
    read_back: Connection,
    conn: Connection,
    file: PathBuf,
    files: Files,
    readers: Readers,
    health: Arc<Health>,
    prepare: Prepare,
    checkpoints: Checkpoints,
    new_rows: NewRows,
    /// The loss last reported to `health`.
    lost: Option<Loss>,
    /// When a commit and the files were last checked; `None` if they were not as they should be.
    checked_at: Option<Instant>,
    /// `CHECK_INTERVAL`; tests set another.
    pub(super) check_interval: Duration,
    /// The new rows of a commit that is still to be checked.
    unchecked: Option<Rows>,
    /// The log may hold commits that the database file does not.
    needs_checkpoint: bool,
}

impl WriteConnection {
    /// Takes over `conn`, which is open on `file` and has the schema applied.
    pub(super) fn new(
        conn: Connection,
        (file, checkpoints): (&Path, Checkpoints),
        readers: Readers,
        health: Arc<Health>,
        (prepare, new_rows): (Prepare, NewRows),
    ) -> Result<Self> {
        prepare(&conn)?;
        conn.busy_timeout(LOCK_ATTEMPT)?;
        // A read creates the log file, so that its identity can be recorded.
        new_rows::newest(&conn, ALL_TABLES)?;
        Ok(Self {
            new_rows,
            read_back: connection::open_read_back(file)?,
            conn,
            file: file.to_path_buf(),
            files: Files::of(file),
            readers,
            health,
            prepare,
            checkpoints,
            lost: None,
            checked_at: None,
            check_interval: CHECK_INTERVAL,
            unchecked: None,
            needs_checkpoint: checkpoints == Checkpoints::Store,
        })
    }

    /// The connection itself.
    pub(super) fn conn(&self) -> &Connection {
        &self.conn
    }

    /// Begins a transaction; waits up to `LOCK_ATTEMPT` for another process that holds the lock.
    /// Checks the files once it holds the lock: another process may have started a new log.
    pub(super) fn begin(&mut self) -> Result<(), CommitResult> {
        if self.lost.is_some() {
            self.check_files();
        }
        self.lock()?;
        if self.is_checked() || self.files.lost().is_none() {
            return Ok(());
        }
        self.roll_back();
        self.check_files();
        self.lock()
    }

    fn lock(&self) -> Result<(), CommitResult> {
        if let Some(why) = self.health.unusable() {
            return Err(CommitResult::Unusable(why));
        }
        // A transaction that an earlier fault left open would make every later one fail.
        self.roll_back();
        execute(&self.conn, "BEGIN IMMEDIATE").map_err(|error| CommitResult::of(&error.into()))
    }

    /// Rolls back the open transaction, if any.
    pub(super) fn roll_back(&self) {
        if !self.conn.is_autocommit() {
            let _ = self.conn.execute_batch("ROLLBACK");
        }
    }

    /// Commits, and verifies that the rows will be found: by other connections, and after the end
    /// of this process. Otherwise rolls back everything: what could not be synced must not be
    /// committed with the next transaction. If another commit was verified just now, this one is
    /// left to `check_commit`, so that its callers need not wait.
    pub(super) fn commit(&mut self) -> CommitResult {
        let new_rows = self.new_rows.take();
        if let Err(error) = execute(&self.conn, "COMMIT") {
            tracing::error!(%error, "a commit failed");
            self.roll_back();
            return self.record_failure(&error.into());
        }
        self.needs_checkpoint = self.checkpoints == Checkpoints::Store;
        self.unchecked = Some(new_rows);
        match self.is_checked() {
            true => CommitResult::Committed,
            false => self.check_commit(),
        }
    }

    /// Verifies the last commit if that is still to be done: that the files are in place and the
    /// new rows are found. Call it once its answers are sent. Damage stops all writes; after any
    /// failure the next commit is checked before its answer.
    pub(super) fn check_commit(&mut self) -> CommitResult {
        let Some(new_rows) = self.unchecked.take() else {
            return CommitResult::Committed;
        };
        self.checked_at = None;
        self.check_files();
        if let Some(why) = self.health.unusable() {
            return CommitResult::Unusable(why);
        }
        match self.is_found(new_rows) {
            Ok(true) => {
                self.checked_at = Some(Instant::now());
                CommitResult::Committed
            }
            Ok(false) => self.record_failure(&Error::Unusable(DAMAGED)),
            Err(error) => {
                tracing::error!(%error, "a commit cannot be read back");
                self.record_failure(&error)
            }
        }
    }

    /// Whether a commit and the files were checked a moment ago.
    fn is_checked(&self) -> bool {
        self.checked_at
            .is_some_and(|at| at.elapsed() < self.check_interval)
    }

    /// Whether the commit is read back: the newest requests of it, or else the newest email, which
    /// delivery reads a moment later anyway; a commit of neither is read back as well.
    fn is_found(&self, new_rows: Rows) -> Result<bool> {
        let tables = match new_rows.map(|row| row.is_some()) {
            [false, false, false] => ALL_TABLES,
            [false, false, true] => [false, false, true],
            [quotes, messages, _] => [quotes, messages, false],
        };
        let read = new_rows::newest(&self.read_back, tables)?;
        let has = |rows: Rows| (0..3).all(|table| !tables[table] || read[table] >= rows[table]);
        if tables != ALL_TABLES && has(new_rows) {
            return Ok(true);
        }
        // A job that was rolled back has recorded rows, too.
        Ok(has(new_rows::newest(&self.conn, tables)?))
    }

    /// Logs and records that jobs are rejected because a transaction could not start.
    pub(super) fn record_rejection(&self, reason: CommitResult) {
        let error = reason.error();
        tracing::warn!(%error, "could not start a transaction");
        self.record_failure(&error);
    }

    fn record_failure(&self, error: &Error) -> CommitResult {
        self.health.record_failure(error);
        CommitResult::of(error)
    }

    /// Maintenance while the queue is empty: checks the files and checkpoints the log, so that the
    /// database file alone is complete; unless a replicator does.
    pub(super) fn maintain(&mut self) {
        self.check_files();
        if self.needs_checkpoint && self.lost.is_none() {
            match self.checkpoint() {
                Ok(is_complete) => self.needs_checkpoint = !is_complete,
                Err(error) => tracing::warn!(%error, "could not checkpoint the log"),
            }
        }
    }

    /// A log that grew while a reader blocked checkpoints is truncated as well.
    fn checkpoint(&self) -> Result<bool> {
        if log_size(&self.file) <= WAL_SIZE_LIMIT {
            return checkpoint(&self.conn, "PASSIVE");
        }
        self.conn.busy_timeout(Duration::ZERO)?;
        let is_complete = checkpoint(&self.conn, "TRUNCATE");
        self.conn.busy_timeout(LOCK_ATTEMPT)?;
        is_complete
    }

    /// Checks that the files are still the ones that were opened. A lost log is repaired at once:
    /// its content is checkpointed into the database file, and a new log is started. A replicator
    /// begins anew then.
    fn check_files(&mut self) {
        let mut lost = self.files.lost();
        if lost != self.lost {
            self.log_loss(lost);
        }
        match lost {
            None => {}
            // A moved file gets the whole content of the log.
            Some(Loss::Database) => drop(checkpoint(&self.conn, "PASSIVE")),
            Some(Loss::Log) => match self.reopen() {
                Ok(()) => {
                    tracing::warn!("the database file is complete; started a new log");
                    lost = None;
                }
                Err(error) => tracing::error!(%error, "could not repair the lost log yet"),
            },
        }
        if lost != self.lost {
            self.health.set_files_lost(lost.map(|lost| match lost {
                Loss::Database => DATABASE_LOST,
                Loss::Log => LOG_LOST,
            }));
            self.lost = lost;
        }
    }

    fn log_loss(&self, lost: Option<Loss>) {
        let file = self.file.display();
        match lost {
            None => tracing::warn!(%file, "the database files are back"),
            Some(Loss::Database) => tracing::error!(
                %file,
                "the database file was deleted, moved or replaced under the running server; \
                 nothing more is stored. Put it back, or stop the server and restore a copy"
            ),
            Some(Loss::Log) => tracing::error!(
                %file,
                "the log of the database (-wal, -shm) was deleted or replaced under the running \
                 server; saving its content"
            ),
        }
    }

    /// Checkpoints the whole log and reopens the database, while reads are paused.
    fn reopen(&mut self) -> Result<()> {
        let readers = self.readers.clone();
        readers.paused(|| {
            if !checkpoint(&self.conn, "TRUNCATE")? {
                return Err(Error::Busy);
            }
            // Every old connection has to be closed first: the connections of one process share
            // the index of the log, even if its file was replaced.
            self.read_back = Connection::open_in_memory()?;
            self.conn = Connection::open_in_memory()?;
            let conn = connection::open(&self.file, self.checkpoints)?;
            (self.prepare)(&conn)?;
            conn.busy_timeout(LOCK_ATTEMPT)?;
            new_rows::newest(&conn, ALL_TABLES)?;
            self.conn = conn;
            // Before `read_back` opens: it would replace a log that was deleted again meanwhile.
            self.files = Files::of(&self.file);
            self.read_back = connection::open_read_back(&self.file)?;
            match self.files.lost() {
                None => Ok(()),
                Some(_) => Err(Error::Busy),
            }
        })
    }

    /// Checkpoints the log a last time and closes the database, so that its file alone is complete;
    /// unless a replicator does.
    pub(super) fn close(self) {
        self.readers.close();
        if self.checkpoints == Checkpoints::Replicator {
            return;
        }
        let _ = self.conn.busy_timeout(CLOSE_CHECKPOINT_TIMEOUT);
        match checkpoint(&self.conn, "TRUNCATE") {
            Ok(true) => {}
            Ok(false) => tracing::warn!(
                "another process reads the database: its log stays beside it and belongs to every \
                 copy"
            ),
            Err(error) => tracing::error!(%error, "could not checkpoint the log"),
        }
    }
}

/// Copies the log into the database file and syncs it; returns whether that file is now complete.
fn checkpoint(conn: &Connection, mode: &str) -> Result<bool> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    let result = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let (busy, frames, copied): (i64, i64, i64) = conn.query_row(&sql, [], result)?;
    Ok(busy == 0 && frames == copied)
}
