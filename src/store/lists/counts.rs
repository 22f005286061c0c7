//! The number of requests in each status and in each view.

use poem_openapi::Object;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::filter::RequestFilter;
use super::selection::Selection;
use super::status_counts::StatusCounts;
use crate::Result;
use crate::database::count_cache::Counter;

/// The number of requests in each view, without filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Object)]
pub struct Views {
    /// Quotes that are not held.
    pub quotes: i64,
    /// Open requests without an answer, with a message or a reply that failed, or to be followed up
    /// now, not those to be followed up later; and, in the API, the emails of `unmatched`.
    pub attention: i64,
    /// Open requests that are assigned to the reader.
    pub mine: i64,
    /// Messages that are not held.
    pub messages: i64,
    /// All requests that are not held.
    pub everything: i64,
    /// Requests that are held as spam and not discarded.
    pub held: i64,
}

impl Counter<'_> {
    /// The totals of the views, as the user with this id sees them.
    pub(crate) fn views(&self, conn: &Connection, viewer: &str) -> Result<Views> {
        let totals = "SELECT count(*), count(*) FILTER (WHERE kind = 'quote'),
              count(*) FILTER (WHERE attention = 1),
              (SELECT count(*) FROM requests INDEXED BY requests_held
               WHERE held IS NOT NULL AND hidden = 1 AND status <> 'cancelled')
            FROM requests INDEXED BY requests_listed WHERE hidden = 0";
        let [everything, quotes, attention, held] = self.row(conn, totals, &[])?;
        let mine = "SELECT count(*) FROM requests INDEXED BY requests_listed
            WHERE hidden = 0 AND open = 1 AND assignee = ?1";
        let [mine] = self.row(conn, mine, &[Value::from(viewer.to_owned())])?;
        Ok(Views {
            quotes,
            attention,
            mine,
            messages: everything - quotes,
            everything,
            held,
        })
    }

    /// The requests in each status that pass the filter but for its status.
    pub(crate) fn by_status(
        &self,
        conn: &Connection,
        filter: &RequestFilter,
    ) -> Result<StatusCounts> {
        let Selection { from, all, .. } = Selection::of(&filter.of_any_status());
        let sql = format!(
            "SELECT count(*) FILTER (WHERE status = 'pending'),
               count(*) FILTER (WHERE status = 'in_progress'),
               count(*) FILTER (WHERE status = 'completed'),
               count(*) FILTER (WHERE status = 'cancelled') FROM {from} WHERE {}",
            all.sql()
        );
        let [pending, in_progress, completed, cancelled] = self.row(conn, &sql, &all.values)?;
        Ok(StatusCounts {
            pending,
            in_progress,
            completed,
            cancelled,
        })
    }
}
