//! Verifies commits: the files are in place, and the newest rows are read back.

use std::time::Instant;

use super::{ALL_TABLES, WriteConnection};
use crate::database::new_rows;
use crate::database::new_rows::Rows;
use crate::database::write_job::CommitResult;
use crate::error::DAMAGED;
use crate::{Error, Result};

impl WriteConnection {
    /// Verifies the last commit if it is not verified yet: that the files are in place and the new
    /// rows can be read. Call it after its answers are sent. Damage stops all writes; after any
    /// failure the next commit is verified before its answer.
    pub(crate) fn check_commit(&mut self) -> CommitResult {
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

    /// Whether a commit and the files were verified within the interval.
    pub(super) fn is_checked(&self) -> bool {
        self.checked_at
            .is_some_and(|at| at.elapsed() < self.check_interval)
    }

    /// Reads back the newest requests of the commit, or else its newest email, which delivery is
    /// about to read anyway. A commit of neither is read back as well.
    fn is_found(&self, new_rows: Rows) -> Result<bool> {
        let tables = match new_rows.map(|row| row.is_some()) {
            [false, false] => ALL_TABLES,
            [has_requests, has_emails] => [has_requests, has_emails && !has_requests],
        };
        let read = new_rows::newest(&self.read_back, tables)?;
        let has = |rows: Rows| (0..2).all(|table| !tables[table] || read[table] >= rows[table]);
        if tables != ALL_TABLES && has(new_rows) {
            return Ok(true);
        }
        // Rolled-back jobs have recorded rows, too.
        Ok(has(new_rows::newest(&self.conn, tables)?))
    }
}
