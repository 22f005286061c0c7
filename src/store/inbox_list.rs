//! Pages of the inbox: quotes and messages in one list, newest first or by due time. The tables are
//! walked by `seq` and filters are words of the search index, so that a page of a million requests
//! costs what one of a thousand does.

use std::time::Duration;

use rusqlite::Connection;
use tokio::time::timeout;

use super::inbox_counts::{self, Counts, Views};
use super::inbox_query::{CursorKind, InboxQuery, paginate};
use super::inbox_walk::{Order, Source, first};
use super::request_filter::SeqRange;
use super::search::{by_words, prefix_condition, terms};
use super::search_index::is_pending;
use super::{Result, Store};
use crate::domain::request::Request;

/// One page of the inbox.
#[derive(Clone, Debug)]
pub struct InboxPage {
    /// In the order of the list.
    pub requests: Vec<Request>,
    /// The cursor of the next page; none on the last one.
    pub next_cursor: Option<String>,
    /// The number of requests in each status that pass all filters but the status.
    pub counts: Counts,
    /// The number of requests in each view.
    pub views: Views,
    /// The page may lack the newest requests: they could not be indexed in time.
    pub incomplete: bool,
}

/// How long a page waits for the newest requests to be indexed: it responds within a second.
const INDEX_TIMEOUT: Duration = Duration::from_millis(700);

impl Store {
    /// One page of the inbox with its counts, in one read transaction.
    ///
    /// # Errors
    /// `Conflict` for a cursor of another list.
    pub async fn inbox(&self, query: InboxQuery) -> Result<InboxPage> {
        let needs_index = !query.search.is_empty()
            || query.filter.has_properties()
            || !inbox_counts::has_counters(&query.filter);
        let work = move |conn: &Connection| page(conn, &query);
        self.read_indexed(needs_index, work, |page| page.incomplete = true)
            .await
    }

    /// Runs `job`, which reads the search index if `needs_index`. If requests are waiting to be
    /// indexed, they are indexed and the job runs again; the result is marked by `incomplete` if
    /// that took too long.
    pub(super) async fn read_indexed<T: Send + 'static>(
        &self,
        needs_index: bool,
        job: impl Fn(&Connection) -> Result<T> + Clone + Send + 'static,
        mark_incomplete: impl FnOnce(&mut T),
    ) -> Result<T> {
        let read = || {
            let job = job.clone();
            self.read(move |conn| Ok((job(conn)?, needs_index && is_pending(conn)?)))
        };
        let (result, pending) = read().await?;
        if !pending {
            return Ok(result);
        }
        // If indexing fails (full disk, lock) or takes too long, the indexed requests are still
        // listed.
        let indexed = timeout(INDEX_TIMEOUT, self.ensure_indexed()).await;
        let is_indexed = matches!(indexed, Ok(Ok(())));
        if let Ok(Err(error)) = indexed {
            tracing::warn!(%error, "a search may lack the newest requests");
        }
        let (mut result, pending) = read().await?;
        if pending && !is_indexed {
            mark_incomplete(&mut result);
        }
        Ok(result)
    }
}

/// The requests of a page and how they were found.
pub(super) struct List {
    pub requests: Vec<Request>,
    pub next_cursor: Option<String>,
    /// The words of the search but the last.
    whole: Vec<String>,
    /// The FTS5 condition of the last word; none if it was looked for in the rows.
    condition: Option<String>,
    is_search: bool,
}

fn page(conn: &Connection, query: &InboxQuery) -> Result<InboxPage> {
    let list = list(conn, query)?;
    let words = (list.whole.as_slice(), list.condition.as_deref());
    let words = list.is_search.then_some(words);
    let totals = inbox_counts::totals(conn)?;
    Ok(InboxPage {
        counts: inbox_counts::counts(conn, &query.filter, words, &totals, &list.requests)?,
        views: inbox_counts::views(&totals),
        requests: list.requests,
        next_cursor: list.next_cursor,
        incomplete: false,
    })
}

/// The requests of a page, without counts.
pub(super) fn list(conn: &Connection, query: &InboxQuery) -> Result<List> {
    let mut terms = terms(&query.search);
    let by_due_time = query.filter.attention == Some(true);
    let (found, condition) = match (by_due_time, terms.is_empty()) {
        (true, _) => by_due(conn, query, &terms)?,
        (false, true) => (newest(conn, query)?, None),
        (false, false) => {
            let found = by_words(conn, query, &terms)?;
            let page = paginate(found.requests, query.limit, |_| found.kind);
            (page, found.condition)
        }
    };
    let (requests, next_cursor) = found;
    let is_search = terms.pop().is_some();
    Ok(List {
        requests,
        next_cursor,
        whole: terms,
        condition,
        is_search,
    })
}

/// A page and the cursor of the next one.
type Page = (Vec<Request>, Option<String>);

fn newest(conn: &Connection, query: &InboxQuery) -> Result<Page> {
    let position = query.position(&[CursorKind::Time])?;
    let before = position.map_or(i64::MAX, |(_, seq)| seq);
    let source = Source::of(&query.filter, &[], None);
    let order = (query.filter.range().below(before), Order::NewestFirst);
    let rows = first(conn, &query.filter, &source, order, query.limit + 1)?;
    Ok(paginate(rows, query.limit, |_| CursorKind::Time))
}

/// By due time: emergencies and other requests are each due in the order of their receipt, so the
/// two lists are merged.
fn by_due(
    conn: &Connection,
    query: &InboxQuery,
    terms: &[String],
) -> Result<(Page, Option<String>)> {
    let position = query.position(&[CursorKind::DueEmergency, CursorKind::DueNormal])?;
    let (whole, condition) = match terms.split_last() {
        Some((last, whole)) => (whole, Some(prefix_condition(conn, last)?)),
        None => (&[][..], None),
    };
    let mut rows = Vec::new();
    for emergency in [true, false] {
        let mut filter = query.filter.clone();
        if filter.emergency == Some(!emergency) {
            continue;
        }
        filter.emergency = Some(emergency);
        let source = Source::of(&filter, whole, condition.as_deref());
        let range = after(query, position, emergency);
        let order = (range, Order::OldestFirst);
        rows.extend(first(conn, &filter, &source, order, query.limit + 1)?);
    }
    rows.sort_by_key(|request| (due_seq(query, request), !request.emergency_contact));
    let kind = |request: &Request| match request.emergency_contact {
        true => CursorKind::DueEmergency,
        false => CursorKind::DueNormal,
    };
    Ok((paginate(rows, query.limit, kind), condition))
}

/// The due time of a request in the unit of `seq`.
fn due_seq(query: &InboxQuery, request: &Request) -> i64 {
    request.seq + seqs_until_due(query, request.emergency_contact)
}

fn seqs_until_due(query: &InboxQuery, emergency: bool) -> i64 {
    query.filter.times.millis(emergency) * crate::domain::ids::SEQS_PER_MILLI
}

/// Where the emergencies, or the others, continue after the last request of the previous page.
/// Among requests that are due at the same time, emergencies come first.
fn after(query: &InboxQuery, position: Option<(CursorKind, i64)>, emergency: bool) -> SeqRange {
    let range = query.filter.range();
    let Some((kind, seq)) = position else {
        return range;
    };
    let last_was_emergency = kind == CursorKind::DueEmergency;
    if last_was_emergency == emergency {
        return range.above(seq);
    }
    let due = seq + seqs_until_due(query, last_was_emergency);
    let same_due = due - seqs_until_due(query, emergency);
    range.above(if last_was_emergency {
        same_due - 1
    } else {
        same_due
    })
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use crate::domain::request::RequestKind;
    use crate::store::Store;
    use crate::store::inbox_walk::{Order, index_sql, tables_sql};
    use crate::store::request_filter::RequestFilter;

    fn plan(conn: &Connection, sql: &str) -> String {
        let mut explain = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let none = vec![rusqlite::types::Null; explain.parameter_count()];
        let steps = explain
            .query_map(rusqlite::params_from_iter(none), |row| {
                row.get::<_, String>(3)
            })
            .unwrap();
        let steps: Vec<String> = steps.collect::<Result<_, _>>().unwrap();
        let emails = |step: &String| !step.contains("users") && !step.contains("SCALAR");
        let steps: Vec<String> = steps.into_iter().filter(emails).collect();
        steps.join("; ")
    }

    #[tokio::test]
    async fn every_list_walks_an_index_and_sorts_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let filter = |kind| RequestFilter {
            kind,
            ..RequestFilter::default()
        };
        let quotes = "SEARCH quotes USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)";
        let messages = "SEARCH contact_messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)";
        let both = format!("MERGE (UNION ALL); LEFT; {quotes}; RIGHT; {messages}");
        for order in [Order::NewestFirst, Order::OldestFirst] {
            for (filter, expected) in [
                (filter(None), both.as_str()),
                (filter(Some(RequestKind::Quote)), quotes),
                (filter(Some(RequestKind::Message)), messages),
            ] {
                let sql = tables_sql(&filter, order);
                let found = store.read(move |conn| Ok(plan(conn, &sql))).await.unwrap();
                assert_eq!(found, expected);
            }
            let index = store
                .read(move |conn| Ok(plan(conn, &index_sql(order))))
                .await
                .unwrap();
            assert!(
                index.starts_with("SCAN request_words VIRTUAL TABLE INDEX"),
                "{index}"
            );
            assert!(!index.contains("TEMP B-TREE"), "{index}");
        }
    }
}
