//! The number of requests in each status and in each view. Counters kept by triggers
//! (`request_counts`) answer most filters; for the others, requests are counted.

use poem_openapi::Object;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::filter::RequestFilter;
use super::walk::{Source, Words, statement};
use crate::Result;
use domain::request::Request;
use domain::request::quote::Status;

/// The number of requests in each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Object)]
pub struct StatusCounts {
    pub pending: i64,
    pub in_progress: i64,
    pub completed: i64,
    pub cancelled: i64,
}

/// What was counted of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub by_status: StatusCounts,
    /// There may be more than these.
    pub at_least: bool,
}

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

/// Requests with the words of a search that are counted.
const MAX_COUNTED: i64 = 1000;

impl StatusCounts {
    fn add(&mut self, status: Status, requests: i64) {
        let count = match status {
            Status::Pending => &mut self.pending,
            Status::InProgress => &mut self.in_progress,
            Status::Completed => &mut self.completed,
            Status::Cancelled => &mut self.cancelled,
        };
        *count += requests;
    }

    const fn total(self) -> i64 {
        self.pending + self.in_progress + self.completed + self.cancelled
    }
}

impl Counts {
    /// The counts of the requests on a page, beyond which there may be more.
    pub(crate) fn of_page(page: &[Request]) -> Self {
        let mut by_status = StatusCounts::default();
        for request in page {
            by_status.add(request.status, 1);
        }
        Self {
            by_status,
            at_least: true,
        }
    }
}

/// The totals of the views, as the user with this id sees them.
pub(crate) fn views(conn: &Connection, viewer: &str) -> Result<Views> {
    let mut find = conn.prepare_cached(
        "SELECT coalesce(sum(requests) FILTER (WHERE hidden = 0 AND kind = 'quote'), 0),
           coalesce(sum(requests) FILTER (WHERE hidden = 0 AND attention = 1), 0),
           coalesce(sum(requests) FILTER (WHERE hidden = 0 AND open = 1 AND assignee = ?1), 0),
           coalesce(sum(requests) FILTER (WHERE hidden = 0 AND kind = 'message'), 0),
           coalesce(sum(requests) FILTER (WHERE hidden = 0), 0),
           coalesce(sum(requests) FILTER (WHERE hidden = 1 AND status <> 'cancelled'), 0)
         FROM request_counts",
    )?;
    Ok(find.query_row([viewer], |row| {
        Ok(Views {
            quotes: row.get(0)?,
            attention: row.get(1)?,
            mine: row.get(2)?,
            messages: row.get(3)?,
            everything: row.get(4)?,
            held: row.get(5)?,
        })
    })?)
}

/// The number of requests that pass the filter, if the counters have it.
pub(crate) fn total(conn: &Connection, filter: &RequestFilter) -> Result<Option<u64>> {
    if !filter.is_counted() {
        return Ok(None);
    }
    let counts = from_counters(conn, filter)?.by_status;
    Ok(Some(counts.total().unsigned_abs()))
}

/// The counts by status of the requests that pass the filter but for its status, and that have the
/// words, if there are any.
pub(crate) fn counts(
    conn: &Connection,
    filter: &RequestFilter,
    words: Option<&Words>,
) -> Result<Counts> {
    let filter = RequestFilter {
        statuses: Vec::new(),
        ..filter.clone()
    };
    if words.is_none() && filter.is_counted() {
        return from_counters(conn, &filter);
    }
    let (range, source) = (filter.range(), Source::of(conn, &filter, words)?);
    let (sql, values) = match words {
        None => statement(
            "status, count(*)",
            &filter,
            source,
            range,
            " GROUP BY status",
        ),
        Some(_) => {
            let (sql, values) = statement("status", &filter, source, range, "");
            let counted = format!("({sql} LIMIT {MAX_COUNTED})");
            let sql = format!("SELECT status, count(*) FROM {counted} GROUP BY status");
            (sql, values)
        }
    };
    let mut counts = count(conn, &sql, values)?;
    counts.at_least = words.is_some() && counts.by_status.total() == MAX_COUNTED;
    Ok(counts)
}

/// The counts by status of a filter that `is_counted`.
pub(crate) fn from_counters(conn: &Connection, filter: &RequestFilter) -> Result<Counts> {
    let all = filter.counted();
    let sql = format!(
        "SELECT status, sum(requests) FROM request_counts WHERE {} GROUP BY status",
        all.sql()
    );
    count(conn, &sql, all.values)
}

/// Adds the counts of a statement, each with its status.
fn count(conn: &Connection, sql: &str, values: Vec<Value>) -> Result<Counts> {
    let mut find = conn.prepare_cached(sql)?;
    let mut rows = find.query(params_from_iter(values))?;
    let mut counts = Counts::default();
    while let Some(row) = rows.next()? {
        let status: String = row.get(0)?;
        if let Some(status) = Status::parse(&status) {
            counts.by_status.add(status, row.get(1)?);
        }
    }
    Ok(counts)
}
