//! The number of requests in each status and in each view. Counters kept by triggers
//! (`request_counts`) answer most filters; for the others, requests are counted.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::filter::RequestFilter;
use super::walk::{Source, Words, statement};
use crate::Result;
use domain::request::Request;
use domain::request::quote::Status;

/// The number of requests in each status, in the order of `Status::ALL`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The numbers.
    pub by_status: [i64; 4],
    /// There may be more than these.
    pub at_least: bool,
}

/// The number of requests in each view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Views {
    pub quotes: i64,
    /// Open requests without an answer, or with a failed reply.
    pub attention: i64,
    /// Open requests that are assigned to the reader.
    pub mine: i64,
    /// Contact messages.
    pub messages: i64,
    /// All requests that are not held.
    pub everything: i64,
    /// Held as spam and not discarded.
    pub held: i64,
}

/// Requests with the words of a search that are counted.
const MAX_COUNTED: i64 = 1000;

impl Counts {
    /// The counts of the requests on a page, beyond which there may be more.
    pub(crate) fn of_page(page: &[Request]) -> Self {
        let of_status = |status| page.iter().filter(move |request| request.status == status);
        Self {
            by_status: Status::ALL.map(|status| of_status(status).count() as i64),
            at_least: true,
        }
    }

    fn add(&mut self, status: &str, requests: i64) {
        let at = Status::ALL
            .iter()
            .position(|known| known.as_str() == status);
        if let Some(count) = at.and_then(|at| self.by_status.get_mut(at)) {
            *count += requests;
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
    Ok(Some(counts.into_iter().map(i64::unsigned_abs).sum()))
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
    counts.at_least = words.is_some() && counts.by_status.iter().sum::<i64>() == MAX_COUNTED;
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
        counts.add(&status, row.get(1)?);
    }
    Ok(counts)
}
