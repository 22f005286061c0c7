//! The write connection: transactions, the check that the database file is still the one that was
//! opened, and checkpoints of the WAL.

mod checkpoint;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;

use super::connection::{Checkpoints, execute};
use super::disk::database_files::{Identity, identity};
use super::disk::request_reserve::NEEDED;
use super::health::Health;
use super::readers::Readers;
use super::write_job::CommitResult;
use crate::{Error, Result};

/// How long one attempt waits for the lock of another process.
const LOCK_ATTEMPT: Duration = Duration::from_millis(250);
const LOST: &str = "its file was deleted, moved or replaced";

pub(crate) struct WriteConnection {
    conn: Connection,
    file: PathBuf,
    /// The file that was opened. This process would go on writing to it, whatever is at its path.
    opened: Option<Identity>,
    readers: Readers,
    health: Arc<Health>,
    checkpoints: Checkpoints,
    is_lost: bool,
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
    ) -> Result<Self> {
        conn.busy_timeout(LOCK_ATTEMPT)?;
        Ok(Self {
            conn,
            file: file.to_path_buf(),
            opened: identity(file),
            readers,
            health,
            checkpoints,
            is_lost: false,
            needs_checkpoint: checkpoints == Checkpoints::Store,
        })
    }

    pub(crate) fn conn(&self) -> &Connection {
        &self.conn
    }

    /// Begins a transaction; waits up to `LOCK_ATTEMPT` for another process that holds the lock.
    pub(crate) fn begin(&mut self) -> Result<(), CommitResult> {
        self.health.reserve.make_room(NEEDED);
        self.check_file();
        if let Some(why) = self.health.unusable() {
            return Err(CommitResult::Unusable(why));
        }
        // A transaction that an earlier fault left open would make every later one fail.
        self.roll_back();
        execute(&self.conn, "BEGIN IMMEDIATE").map_err(|error| CommitResult::of(&error.into()))
    }

    /// Checks that the database file is the one that was opened. What is written to another one is
    /// gone when this process ends.
    fn check_file(&mut self) {
        let is_lost = self.opened.is_none() || identity(&self.file) != self.opened;
        if is_lost == self.is_lost {
            return;
        }
        self.is_lost = is_lost;
        self.health.set_file_lost(is_lost.then_some(LOST));
        let file = self.file.display();
        if !is_lost {
            return tracing::warn!(%file, "the database file is back");
        }
        tracing::error!(
            %file,
            "the database file was deleted, moved or replaced under the running server; nothing \
             more is stored. Put it back, or stop the server and restore a copy"
        );
        // A moved file gets the whole content of the WAL.
        let _ = self.conn.execute_batch("PRAGMA wal_checkpoint(PASSIVE)");
    }

    /// Rolls back the open transaction, if any.
    pub(crate) fn roll_back(&self) {
        if !self.conn.is_autocommit() {
            let _ = self.conn.execute_batch("ROLLBACK");
        }
    }

    /// Commits. Otherwise rolls back everything: what could not be synced must not be committed
    /// with the next transaction.
    pub(crate) fn commit(&mut self) -> CommitResult {
        if let Err(error) = execute(&self.conn, "COMMIT") {
            tracing::debug!(%error, "a commit failed");
            self.roll_back();
            return self.record_failure(&error.into());
        }
        self.needs_checkpoint = self.checkpoints == Checkpoints::Store;
        CommitResult::Committed
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
