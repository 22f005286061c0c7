//! Reads quotes for an export file, one row at a time, so that memory use does not depend on how
//! many there are.

use std::io;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::quote_columns::{COLUMNS, select_list};
use super::{Result, Store};
use crate::domain::clock::Time;
use crate::domain::ids::first_seq;
use crate::domain::quote::Status;

/// Which quotes to export.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only quotes in one of these statuses; empty: in any.
    pub statuses: Vec<Status>,
    /// Only quotes created at this time or later.
    pub since: Option<Time>,
    /// Only quotes created before this time.
    pub until: Option<Time>,
}

/// A value of an exported quote.
#[derive(Clone, Copy, Debug)]
pub enum ExportValue<'a> {
    /// No value.
    Null,
    /// A flag, stored as 0 or 1.
    Bool(bool),
    /// A text as it is stored.
    Text(&'a [u8]),
}

/// One row of an export.
pub struct ExportRow<'a>(&'a rusqlite::Row<'a>);

impl ExportRow<'_> {
    /// The values in the order of `COLUMNS`.
    pub fn values(&self) -> impl Iterator<Item = ExportValue<'_>> {
        (0..COLUMNS.len()).map(|column| match self.0.get_ref(column) {
            Ok(ValueRef::Integer(flag)) => ExportValue::Bool(flag != 0),
            Ok(ValueRef::Text(text)) => ExportValue::Text(text),
            _ => ExportValue::Null,
        })
    }
}

impl Store {
    /// Calls `each` with `sink` for every selected quote, oldest first, within one read
    /// transaction. Returns the sink, or the first error of `each` as the inner result.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn export_quotes<S: Send + 'static>(
        &self,
        selection: Selection,
        mut sink: S,
        each: impl Fn(&mut S, &ExportRow<'_>) -> io::Result<()> + Send + 'static,
    ) -> Result<io::Result<S>> {
        self.read(move |conn| {
            let statuses = join_statuses(&selection.statuses);
            let (since, until) = seq_range(&selection);
            let mut rows = conn.prepare(concat!(
                "SELECT ",
                select_list!(),
                " FROM quotes
                 WHERE seq >= ?1 AND seq < ?2 AND (?3 = '' OR instr(?3, status) > 0)
                 ORDER BY seq"
            ))?;
            let mut rows = rows.query(params![since, until, statuses])?;
            while let Some(row) = rows.next()? {
                if let Err(error) = each(&mut sink, &ExportRow(row)) {
                    return Ok(Err(error));
                }
            }
            Ok(Ok(sink))
        })
        .await
    }

    /// The number of quotes that `export_quotes` visits.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn count_quotes(&self, selection: Selection) -> Result<u64> {
        self.read(move |conn| count(conn, &selection)).await
    }
}

fn count(conn: &Connection, selection: &Selection) -> Result<u64> {
    let (since, until) = seq_range(selection);
    let count: i64 = conn.query_row(
        "SELECT count(*) FROM quotes
         WHERE seq >= ?1 AND seq < ?2 AND (?3 = '' OR instr(?3, status) > 0)",
        params![since, until, join_statuses(&selection.statuses)],
        |row| row.get(0),
    )?;
    Ok(count.unsigned_abs())
}

/// The statuses as one text for `instr`; no status name is part of another.
fn join_statuses(statuses: &[Status]) -> String {
    let names: Vec<_> = statuses.iter().map(|status| status.as_str()).collect();
    names.join(" ")
}

/// The half-open range of `seq` that the selected times cover.
fn seq_range(selection: &Selection) -> (i64, i64) {
    let bound = |time: Option<Time>, open: i64| time.map_or(open, first_seq);
    (
        bound(selection.since, i64::MIN),
        bound(selection.until, i64::MAX),
    )
}
