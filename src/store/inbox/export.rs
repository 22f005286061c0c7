//! Reads requests for an export file, one row at a time, so that memory use does not depend on how
//! many there are.

use std::io;

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::export_columns::ExportColumn;
use crate::lists::filter::RequestFilter;
use crate::lists::selection::Selection;
use crate::{Result, Store};

/// A value of an exported request.
#[derive(Clone, Copy, Debug)]
pub enum ExportValue<'a> {
    Null,
    /// A flag, stored as 0 or 1.
    Bool(bool),
    Text(&'a [u8]),
}

pub struct ExportRow<'a>(&'a Row<'a>);

impl ExportRow<'_> {
    pub fn values(
        &self,
        columns: &'static [ExportColumn],
    ) -> impl Iterator<Item = ExportValue<'_>> {
        columns
            .iter()
            .map(|column| match self.0.get_ref(column.index()) {
                Ok(ValueRef::Integer(flag)) => ExportValue::Bool(flag != 0),
                Ok(ValueRef::Text(text)) => ExportValue::Text(text),
                _ => ExportValue::Null,
            })
    }
}

impl Store {
    /// Calls `each` with `sink` for every request that passes the filter and has all words of
    /// `search`, oldest first, within one read transaction. Returns the sink, or the first error of
    /// `each` as the inner result.
    pub async fn export_requests<S: Send + 'static>(
        &self,
        filter: RequestFilter,
        search: String,
        mut sink: S,
        each: impl Fn(&mut S, &ExportRow<'_>) -> io::Result<()> + Send + 'static,
    ) -> Result<io::Result<S>> {
        self.index_for(&search).await?;
        self.read(move |conn| {
            let (selection, _) = Selection::find(conn, &filter, &search, false)?;
            let mut result = Ok(());
            selection.each(conn, |row| {
                result = each(&mut sink, &ExportRow(row));
                Ok(result.is_ok())
            })?;
            Ok(result.map(|()| sink))
        })
        .await
    }
}
