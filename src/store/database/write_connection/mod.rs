//! The write connection, with the checks around each commit: that it can be read back, that the
//! files are in place, and that the WAL is checkpointed.

mod checkpoint;
mod lost_files;
mod verify;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::connection;
use super::connection::{Checkpoints, execute};
use super::disk::database_files::{Files, Loss};
use super::health::Health;
use super::new_rows;
use super::new_rows::{NewRows, Rows};
use super::readers::Readers;
use super::write_job::CommitResult;
use crate::{Error, Result};

/// How long one attempt waits for the lock of another process.
const LOCK_ATTEMPT: Duration = Duration::from_millis(250);
const ALL_TABLES: [bool; 2] = [true; 2];
/// Within this time after a check, a new transaction does not check the files again, and a commit
/// is checked after its answers are sent instead of before. Long enough for consecutive posts, too
/// short for another process to open the database.
const CHECK_INTERVAL: Duration = Duration::from_millis(1);

pub(crate) type Prepare = Box<dyn Fn(&Connection) -> Result<()> + Send>;

pub(crate) struct WriteConnection {
    /// Reads commits as other processes do, from an empty cache. Closed before `conn`, which as the
    /// last connection removes the WAL.
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
    /// When a commit and the files were last verified; `None` after a failed check.
    checked_at: Option<Instant>,
    /// `CHECK_INTERVAL`; tests override it.
    pub(crate) check_interval: Duration,
    /// The new rows of a commit that is not verified yet.
    unchecked: Option<Rows>,
    /// The WAL may hold commits that the database file does not.
    needs_checkpoint: bool,
}

impl WriteConnection {
    /// Takes over `conn`, which is open on `file` and has the schema applied.
    pub(crate) fn new(
        conn: Connection,
        file: &Path,
        checkpoints: Checkpoints,
        readers: Readers,
        health: Arc<Health>,
        prepare: Prepare,
        new_rows: NewRows,
    ) -> Result<Self> {
        prepare(&conn)?;
        conn.busy_timeout(LOCK_ATTEMPT)?;
        // A read creates the WAL file, so that its identity can be recorded.
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

    pub(crate) fn conn(&self) -> &Connection {
        &self.conn
    }

    /// Begins a transaction; waits up to `LOCK_ATTEMPT` for another process that holds the lock.
    /// Checks the files while it holds the lock: another process may have started a new WAL.
    pub(crate) fn begin(&mut self) -> Result<(), CommitResult> {
        self.health.reserve.make_room();
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
    pub(crate) fn roll_back(&self) {
        if !self.conn.is_autocommit() {
            let _ = self.conn.execute_batch("ROLLBACK");
        }
    }

    /// Commits, and verifies that the rows can be read by other connections and after the end of
    /// this process. Otherwise rolls back everything: what could not be synced must not be
    /// committed with the next transaction. If another commit was verified within `CHECK_INTERVAL`,
    /// this one is left to `check_commit`, so that its callers need not wait.
    pub(crate) fn commit(&mut self) -> CommitResult {
        let new_rows = self.new_rows.take();
        if let Err(error) = execute(&self.conn, "COMMIT") {
            tracing::debug!(%error, "a commit failed");
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

    /// Records that jobs are rejected because a transaction could not start, and logs it unless the
    /// disk is the cause, which `Health` logs.
    pub(crate) fn record_rejection(&self, reason: CommitResult) {
        let error = reason.error();
        if !error.is_disk_error() {
            tracing::warn!(%error, "could not start a transaction");
        }
        self.record_failure(&error);
    }

    fn record_failure(&self, error: &Error) -> CommitResult {
        self.health.record_failure(error);
        CommitResult::of(error)
    }
}
