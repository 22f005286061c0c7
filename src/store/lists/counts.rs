//! The number of requests in each status and in each view. Counters that triggers keep answer most
//! filters; for the others, requests are counted in an index.

use poem_openapi::Object;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::conditions::{Conditions, Counters};
use super::filter::{RequestFilter, SeqRange};
use super::walk::{Source, Words, count_by_status, statement};
use crate::{Result, query};
use domain::clock::DAY_MS;
use domain::ids::SEQS_PER_MILLI;
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
    pub(super) fn add(&mut self, status: Status, requests: i64) {
        let count = match status {
            Status::Pending => &mut self.pending,
            Status::InProgress => &mut self.in_progress,
            Status::Completed => &mut self.completed,
            Status::Cancelled => &mut self.cancelled,
        };
        *count += requests;
    }

    const fn plus(self, other: Self) -> Self {
        Self {
            pending: self.pending + other.pending,
            in_progress: self.in_progress + other.in_progress,
            completed: self.completed + other.completed,
            cancelled: self.cancelled + other.cancelled,
        }
    }

    const fn minus(self, other: Self) -> Self {
        Self {
            pending: self.pending - other.pending,
            in_progress: self.in_progress - other.in_progress,
            completed: self.completed - other.completed,
            cancelled: self.cancelled - other.cancelled,
        }
    }

    pub(crate) const fn total(self) -> i64 {
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
    let sql = "SELECT coalesce(sum(requests) FILTER (WHERE hidden = 0 AND kind = 'quote'), 0),
           coalesce(sum(requests) FILTER (WHERE hidden = 0 AND attention = 1), 0),
           (SELECT count(*) FROM requests INDEXED BY requests_by_assignee
            WHERE hidden = 0 AND assignee = ?1 AND kind IN ('quote', 'message')
              AND status IN ('pending', 'in_progress')),
           coalesce(sum(requests) FILTER (WHERE hidden = 0 AND kind = 'message'), 0),
           coalesce(sum(requests) FILTER (WHERE hidden = 0), 0),
           coalesce(sum(requests) FILTER (WHERE hidden = 1 AND status <> 'cancelled'), 0)
         FROM request_counts";
    query::one(conn, sql, [viewer], |row| {
        Ok(Views {
            quotes: row.get(0)?,
            attention: row.get(1)?,
            mine: row.get(2)?,
            messages: row.get(3)?,
            everything: row.get(4)?,
            held: row.get(5)?,
        })
    })
}

/// The number of requests that pass the filter, if counters have it.
pub(crate) fn total(conn: &Connection, filter: &RequestFilter) -> Result<Option<u64>> {
    if filter.counters().is_none() {
        return Ok(None);
    }
    let counts = in_range(conn, filter, filter.range())?;
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
    let by_status = match (words, filter.overdue) {
        (Some(words), _) => return of_words(conn, &filter, words),
        (None, None) => in_range(conn, &filter, filter.range())?,
        (None, Some(is_overdue)) => by_overdue(conn, &filter, is_overdue)?,
    };
    Ok(Counts {
        by_status,
        at_least: false,
    })
}

fn of_words(conn: &Connection, filter: &RequestFilter, words: &Words) -> Result<Counts> {
    let source = Source::of(conn, filter, Some(words))?;
    let (sql, values) = statement("status", filter, source, filter.range());
    let limited = format!("({sql} LIMIT {MAX_COUNTED})");
    let sql = format!("SELECT status, count(*) FROM {limited} GROUP BY status");
    let by_status = count(conn, &sql, values)?;
    Ok(Counts {
        by_status,
        at_least: by_status.total() == MAX_COUNTED,
    })
}

/// Those without a first answer are a range; those with an unanswered further message are few.
fn by_overdue(conn: &Connection, filter: &RequestFilter, is_overdue: bool) -> Result<StatusCounts> {
    let all = RequestFilter {
        overdue: None,
        ..filter.clone()
    };
    let range = all.range();
    let mut overdue = StatusCounts::default();
    if filter.answered != Some(true) && filter.open != Some(false) {
        for emergency in [true, false] {
            if filter.emergency == Some(!emergency) {
                continue;
            }
            let waiting = RequestFilter {
                open: Some(true),
                answered: Some(false),
                emergency: Some(emergency),
                ..all.clone()
            };
            let range = range.below(filter.overdue_end(emergency));
            overdue = overdue.plus(in_range(conn, &waiting, range)?);
        }
    }
    if filter.answered != Some(false) {
        let written = RequestFilter {
            overdue: Some(true),
            answered: Some(true),
            ..filter.clone()
        };
        overdue = overdue.plus(in_index(conn, &written, range)?);
    }
    Ok(match is_overdue {
        true => overdue,
        false => in_range(conn, &all, range)?.minus(overdue),
    })
}

/// By counters as far as they go.
fn in_range(conn: &Connection, filter: &RequestFilter, range: SeqRange) -> Result<StatusCounts> {
    match filter.counters() {
        Some(Counters::ByPeriod) => by_period(conn, filter, range),
        Some(Counters::ByProperty) if range == SeqRange::ALL => {
            from_counters(conn, "property_counts", filter.counted(&[]))
        }
        Some(Counters::ByProperty) | None => in_index(conn, filter, range),
    }
}

/// A period of `request_counts` in the unit of `seq`: thirty days.
const PERIOD: i64 = 30 * DAY_MS * SEQS_PER_MILLI;

/// Whole periods by counters, the rest of the range by an index.
fn by_period(conn: &Connection, filter: &RequestFilter, range: SeqRange) -> Result<StatusCounts> {
    let first = match range.first {
        ..=0 => 0,
        first => (first - 1) / PERIOD + 1,
    };
    let end = match range.end {
        i64::MAX => i64::MAX / PERIOD + 1,
        end => end.div_euclid(PERIOD),
    };
    if first >= end {
        return in_index(conn, filter, range);
    }
    let mut all = filter.counted(&[]);
    all.bind("period >= ?", first);
    all.bind("period < ?", end);
    let whole = from_counters(conn, "request_counts", all)?;
    let before = in_index(conn, filter, range.below(first.saturating_mul(PERIOD)))?;
    let after = range.above(end.saturating_mul(PERIOD).saturating_sub(1));
    Ok(whole.plus(before).plus(in_index(conn, filter, after)?))
}

/// The sums of the counters in `table` of which these conditions hold.
fn from_counters(conn: &Connection, table: &str, all: Conditions) -> Result<StatusCounts> {
    let sql = format!(
        "SELECT status, sum(requests) FROM {table} WHERE {} GROUP BY status",
        all.sql()
    );
    count(conn, &sql, all.values)
}

fn in_index(conn: &Connection, filter: &RequestFilter, range: SeqRange) -> Result<StatusCounts> {
    if range.first.max(0) >= range.end {
        return Ok(StatusCounts::default());
    }
    let (sql, values) = count_by_status(filter, range);
    count(conn, &sql, values)
}

/// Adds the counts of a statement, each with its status.
fn count(conn: &Connection, sql: &str, values: Vec<Value>) -> Result<StatusCounts> {
    let mut find = conn.prepare_cached(sql)?;
    let mut rows = find.query(params_from_iter(values))?;
    let mut counts = StatusCounts::default();
    while let Some(row) = rows.next()? {
        let status: String = row.get(0)?;
        if let Some(status) = Status::parse(&status) {
            counts.add(status, row.get(1)?);
        }
    }
    Ok(counts)
}
