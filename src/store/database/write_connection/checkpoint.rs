//! Checkpoints the WAL into the database file, while idle and at shutdown.

use std::time::Duration;

use rusqlite::Connection;

use super::{LOCK_ATTEMPT, WriteConnection};
use crate::Result;
use crate::database::connection::{Checkpoints, WAL_SIZE_LIMIT};
use crate::database::disk::database_files::log_size;
use crate::database::disk::request_reserve::NEEDED;

/// How long the last checkpoint waits for readers of other processes.
const CLOSE_CHECKPOINT_TIMEOUT: Duration = Duration::from_secs(2);

impl WriteConnection {
    /// Maintenance while the queue is empty: checks the file and, unless a replicator does,
    /// checkpoints the WAL, so that the database file alone is complete.
    pub(crate) fn maintain(&mut self) {
        self.check_file();
        if self.needs_checkpoint && !self.is_lost {
            // No more than the log takes in the database file: whatever fills the disk takes what
            // is given up, before a request needs it.
            self.health
                .reserve
                .make_room(log_size(&self.file).min(NEEDED));
            match self.checkpoint() {
                Ok(is_complete) => self.needs_checkpoint = !is_complete,
                Err(error) => tracing::warn!(%error, "could not checkpoint the log"),
            }
        }
        self.health.reserve.refill();
    }

    /// A WAL that grew while a reader blocked checkpoints is truncated as well.
    fn checkpoint(&self) -> Result<bool> {
        if log_size(&self.file) <= WAL_SIZE_LIMIT {
            return checkpoint(&self.conn, "PASSIVE");
        }
        self.conn.busy_timeout(Duration::ZERO)?;
        let is_complete = checkpoint(&self.conn, "TRUNCATE");
        self.conn.busy_timeout(LOCK_ATTEMPT)?;
        is_complete
    }

    /// Checkpoints the WAL a last time, unless a replicator does, and closes the database, so that
    /// its file alone is complete.
    pub(crate) fn close(self) {
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

/// Copies the WAL into the database file and syncs it; returns whether that file is now complete.
fn checkpoint(conn: &Connection, mode: &str) -> Result<bool> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    let result = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let (busy, frames, copied): (i64, i64, i64) = conn.query_row(&sql, [], result)?;
    Ok(busy == 0 && frames == copied)
}
