//! The newest rows that a transaction has inserted into the tables whose rows are acknowledged to a
//! client. An update hook records them, so that a commit need not query them.

use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;
use rusqlite::hooks::Action;

use crate::{Result, query};

/// The newest row of each acknowledged table.
const NEWEST_ROWS: &str = "SELECT CASE WHEN ?1 THEN (SELECT max(seq) FROM requests) END,
    CASE WHEN ?2 THEN (SELECT max(id) FROM outbox) END";

/// The newest rows of requests and emails; `None` for a table without new rows.
pub(crate) type Rows = [Option<i64>; 2];

/// Collects the rows of a transaction. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct NewRows(Arc<Mutex<Rows>>);

impl NewRows {
    /// Records a changed row of the open transaction.
    pub(crate) fn record(&self, action: Action, table: &str, row: i64) {
        let table = match table {
            "requests" => 0,
            "outbox" => 1,
            _ => return,
        };
        if action == Action::SQLITE_INSERT {
            let mut rows = self.0.lock();
            rows[table] = rows[table].max(Some(row));
        }
    }

    /// The rows recorded since the last call, including rows that were rolled back.
    pub(crate) fn take(&self) -> Rows {
        std::mem::take(&mut self.0.lock())
    }
}

/// The newest rows in `tables`, in the order of `Rows`; `None` for the others.
pub(crate) fn newest(conn: &Connection, tables: [bool; 2]) -> Result<Rows> {
    query::one(conn, NEWEST_ROWS, tables, |row| {
        Ok([row.get(0)?, row.get(1)?])
    })
}
