//! The number of requests in each status and in each view. Counters kept by triggers
//! (`request_counts`) answer most filters; for the others the search index is counted up to a
//! limit.

use rusqlite::Connection;

use super::filter::{Assignee, RequestFilter, SeqRange};
use super::filter_expression::SearchWords;
use super::walk::{Order, Source, first, index_sql, source_of_words};
use crate::domain::request::quote::Status;
use crate::domain::request::{Request, RequestKind};
use crate::store::Result;

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

/// Requests that are counted in each status, if they are counted one by one.
const MAX_COUNTED: i64 = 100;

/// One row of `request_counts`.
pub(in crate::store) struct Total {
    kind: RequestKind,
    status: Status,
    held: bool,
    /// It needs no attention: answered without a failed reply, or waiting for a follow-up.
    answered: bool,
    emergency: bool,
    service: String,
    assignee: String,
    requests: i64,
}

impl Total {
    fn needs_attention(&self) -> bool {
        self.status.is_open() && !self.answered
    }

    /// Whether these requests pass the filter, regardless of their status.
    fn matches(&self, filter: &RequestFilter) -> bool {
        let is_assigned = |assignee: &Assignee| match assignee {
            Assignee::Nobody => self.assignee.is_empty(),
            Assignee::User(id) => self.assignee == *id,
        };
        self.held == filter.held
            && filter.kind.is_none_or(|kind| self.kind == kind)
            && filter.emergency.is_none_or(|asked| self.emergency == asked)
            && filter
                .open
                .is_none_or(|asked| self.status.is_open() == asked)
            && filter
                .attention
                .is_none_or(|asked| self.needs_attention() == asked)
            && filter
                .service
                .as_deref()
                .is_none_or(|asked| self.service == asked)
            && filter.assignee.as_ref().is_none_or(is_assigned)
    }
}

/// All counters.
pub(in crate::store) fn totals(conn: &Connection) -> Result<Vec<Total>> {
    let mut find = conn.prepare_cached(
        "SELECT kind, status, held, answered, emergency, service, assignee, requests
         FROM request_counts WHERE kind <> 'number' AND held < 2 AND requests > 0",
    )?;
    let rows = find.query_map([], |row| {
        Ok(Total {
            kind: RequestKind::parse(row.get_ref(0)?.as_str()?).unwrap_or(RequestKind::Quote),
            status: Status::parse(row.get_ref(1)?.as_str()?).unwrap_or(Status::Pending),
            held: row.get(2)?,
            answered: row.get(3)?,
            emergency: row.get(4)?,
            service: row.get(5)?,
            assignee: row.get(6)?,
            requests: row.get(7)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The totals of the views, as the user with this id sees them.
pub(in crate::store) fn views(totals: &[Total], viewer: &str) -> Views {
    let sum = |is_in: &dyn Fn(&Total) -> bool| {
        let rows = totals.iter().filter(|total| is_in(total));
        rows.map(|total| total.requests).sum()
    };
    Views {
        quotes: sum(&|total| !total.held && total.kind == RequestKind::Quote),
        attention: sum(&|total| !total.held && total.needs_attention()),
        mine: sum(&|total| !total.held && total.status.is_open() && total.assignee == viewer),
        messages: sum(&|total| !total.held && total.kind == RequestKind::Message),
        everything: sum(&|total| !total.held),
        held: sum(&|total| total.held && total.status != Status::Cancelled),
    }
}

/// Whether the counters have the number of requests that pass the filter.
pub(in crate::store) fn has_counters(filter: &RequestFilter) -> bool {
    filter.state.is_none()
        && filter.since.is_none()
        && filter.until.is_none()
        && filter.overdue.is_none()
        && filter.answered.is_none()
        && filter.written.is_none()
        && filter.unread.is_none()
        && filter.follow_up.is_none()
        && filter.outcome.is_none()
}

/// The number of requests that pass the filter, if the counters have it.
pub(in crate::store) fn total(conn: &Connection, filter: &RequestFilter) -> Result<Option<u64>> {
    if !has_counters(filter) {
        return Ok(None);
    }
    let counts = from_totals(filter, &totals(conn)?).by_status;
    let counts = counts.into_iter().zip(Status::ALL);
    let is_asked = |status| filter.statuses.is_empty() || filter.statuses.contains(&status);
    let counted = counts.filter(|(_, status)| is_asked(*status));
    Ok(Some(counted.map(|(count, _)| count.unsigned_abs()).sum()))
}

/// The counts by status of the requests that pass the filter but for its status, and that have the
/// words, if there are any. Without a condition, only the requests on the page are counted.
pub(in crate::store) fn counts(
    conn: &Connection,
    filter: &RequestFilter,
    words: Option<SearchWords<'_>>,
    totals: &[Total],
    page: &[Request],
) -> Result<Counts> {
    let has_counters = has_counters(filter);
    let words = match words {
        None if has_counters => return Ok(from_totals(filter, totals)),
        Some(words) if words.condition.is_none() => return Ok(of_page(page)),
        words => words.unwrap_or_default(),
    };
    if filter.overdue == Some(false) {
        return Ok(of_page(page));
    }
    if let Some(condition) = words.condition {
        let any_status = RequestFilter {
            statuses: Vec::new(),
            ..filter.clone()
        };
        let range = any_status.range();
        let source = source_of_words(conn, &any_status, words.whole, condition, range)?;
        if matches!(source, Source::Few(_)) {
            let order = Order::NewestFirst;
            let few = first(conn, &any_status, &source, range, order, usize::MAX)?;
            return Ok(Counts {
                at_least: false,
                ..of_page(&few)
            });
        }
    }
    let mut counts = Counts::default();
    for (count, status) in counts.by_status.iter_mut().zip(Status::ALL) {
        let filter = RequestFilter {
            statuses: vec![status],
            ..filter.clone()
        };
        *count = count_indexed(conn, &filter, words)?;
        counts.at_least |= *count == MAX_COUNTED;
    }
    Ok(counts)
}

/// The counts by status of a filter that has counters.
pub(in crate::store) fn from_totals(filter: &RequestFilter, totals: &[Total]) -> Counts {
    let of_status = |status| {
        let matches = |total: &&Total| total.status == status && total.matches(filter);
        let rows = totals.iter().filter(matches);
        rows.map(|total| total.requests).sum()
    };
    Counts {
        by_status: Status::ALL.map(of_status),
        at_least: false,
    }
}

fn of_page(page: &[Request]) -> Counts {
    let of_status = |status| {
        let requests = page.iter().filter(|request| request.status == status);
        i64::try_from(requests.count()).unwrap_or(i64::MAX)
    };
    Counts {
        by_status: Status::ALL.map(of_status),
        at_least: true,
    }
}

/// Counts up to `MAX_COUNTED` requests in the search index. Overdue ones are emergencies and others
/// with a different time limit.
fn count_indexed(conn: &Connection, filter: &RequestFilter, words: SearchWords<'_>) -> Result<i64> {
    let mut count = 0;
    let mut add = |filter: &RequestFilter, range: SeqRange| -> Result<()> {
        let expression = filter.expression(words.whole, words.condition);
        // FTS5 reads a row list backwards in whole pages, so the oldest requests are counted. A
        // bare `LIMIT ?4` would be prepared again at each execution.
        let rows = index_sql(Order::OldestFirst);
        let mut rows =
            conn.prepare_cached(&format!("SELECT count(*) FROM ({rows} LIMIT ?4 + 0)"))?;
        let limit = MAX_COUNTED - count;
        let counted = (range.first, range.end, expression, limit);
        count += rows.query_row(counted, |row| row.get::<_, i64>(0))?;
        Ok(())
    };
    if filter.overdue != Some(true) {
        add(filter, filter.range())?;
        return Ok(count);
    }
    for emergency in [true, false] {
        if filter.emergency != Some(!emergency) {
            let filter = RequestFilter {
                emergency: Some(emergency),
                written: Some(false),
                ..filter.clone()
            };
            add(&filter, filter.range().below(filter.overdue_end(emergency)))?;
        }
    }
    // Messages have their own due times, so their requests are read.
    let written = RequestFilter {
        written: Some(true),
        ..filter.clone()
    };
    let source = Source::of(&written, words.whole, words.condition);
    let (range, order) = (written.range(), Order::NewestFirst);
    let limit = usize::try_from(MAX_COUNTED - count).unwrap_or(0);
    let written = first(conn, &written, &source, range, order, limit)?;
    Ok(count + i64::try_from(written.len()).unwrap_or(0))
}
