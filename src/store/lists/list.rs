//! Pages of the inbox: quotes and messages in one list, newest first or the most urgent first. The
//! table is read in the order of `seq` and filters are words of the search index, so that a page
//! of a million requests costs as much as one of a thousand.

use std::time::Duration;

use rusqlite::Connection;
use tokio::time::timeout;

use super::counts;
use super::counts::{Counts, Views};
use super::filter_expression::SearchWords;
use super::query::{CursorKind, InboxQuery, Page, paginate};
use super::walk::{Order, Source, first};
use crate::domain::request::Request;
use crate::store::inbox::drafts::is_drafted;
use crate::store::lists::urgency::by_urgency;
use crate::store::offers::{SentOffer, newest_of};
use crate::store::search::found_in::{FoundIn, found_in};
use crate::store::search::index::{has_earlier, is_pending};
use crate::store::search::{by_words, prefix_condition, terms};
use crate::store::{Result, Store};

#[derive(Clone, Debug)]
pub struct InboxPage {
    /// In the order of the list.
    pub requests: Vec<Request>,
    /// Of each of the requests, whether its customer has sent an earlier one.
    pub asked_before: Vec<bool>,
    /// Of each of the requests, whether the reader has a draft about it.
    pub drafted: Vec<bool>,
    /// Where a search has found those of the requests of which the list does not show it.
    pub found_in: Vec<FoundIn>,
    /// Of each of the requests, the offer that was sent last.
    pub offers: Vec<Option<SentOffer>>,
    /// The cursor of the next page; `None` on the last one.
    pub next_cursor: Option<String>,
    /// The number of requests in each status that pass all filters but the status.
    pub counts: Counts,
    /// The number of requests in each view.
    pub views: Views,
    /// The page may lack the newest requests: they could not be indexed in time.
    pub incomplete: bool,
}

/// A page of the inbox, by the ids of its requests.
#[derive(Clone, Debug)]
pub struct IdPage {
    /// In the order of the list.
    pub ids: Vec<String>,
    pub next_cursor: Option<String>,
}

/// How long a page waits for the newest requests to be indexed: it responds within a second.
const INDEX_TIMEOUT: Duration = Duration::from_millis(700);

impl Store {
    /// One page of the inbox with its counts, in one read transaction. Errors: `Conflict` for a
    /// cursor of another list.
    pub async fn inbox(&self, query: InboxQuery) -> Result<InboxPage> {
        let needs_index = !query.search.is_empty()
            || query.filter.has_properties()
            || !counts::has_counters(&query.filter);
        let work = move |conn: &Connection| page(conn, &query);
        self.read_indexed(needs_index, work, |page| page.incomplete = true)
            .await
    }

    /// The ids of one page, and the cursor of the next. Errors: `Conflict` for a cursor of another
    /// list.
    pub async fn inbox_ids(&self, query: InboxQuery) -> Result<IdPage> {
        let work = move |conn: &Connection| {
            let found = list(conn, &query)?;
            let ids = found.requests.into_iter().map(|request| request.id);
            Ok(IdPage {
                ids: ids.collect(),
                next_cursor: found.next_cursor,
            })
        };
        self.read_indexed(true, work, |_| ()).await
    }

    /// Runs `job`, which reads the search index if `needs_index`. If requests are waiting to be
    /// indexed, they are indexed and the job runs again; the result is marked by `incomplete` if
    /// that took too long.
    pub(in crate::store) async fn read_indexed<T: Send + 'static>(
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
pub(in crate::store) struct List {
    pub requests: Vec<Request>,
    pub next_cursor: Option<String>,
    /// The words of the search except the last.
    whole: Vec<String>,
    /// The FTS5 condition of the last word; `None` if the rows were scanned for it.
    condition: Option<String>,
    is_search: bool,
}

fn page(conn: &Connection, query: &InboxQuery) -> Result<InboxPage> {
    let list = list(conn, query)?;
    let words = list.is_search.then(|| SearchWords {
        whole: &list.whole,
        condition: list.condition.as_deref(),
    });
    let totals = counts::totals(conn)?;
    let is_empty = list.requests.is_empty() && query.cursor.is_none();
    let counts = match is_empty && query.filter.statuses.is_empty() {
        true => Counts::default(),
        false => counts::counts(conn, &query.filter, words, &totals, &list.requests)?,
    };
    let offers = list
        .requests
        .iter()
        .map(|request| newest_of(conn, request.seq));
    let asked_before = list
        .requests
        .iter()
        .map(|request| has_earlier(conn, request));
    let terms = terms(&query.search);
    let found = list
        .requests
        .iter()
        .filter_map(|request| found_in(conn, request, &terms).transpose());
    let viewer = query.filter.viewer.as_str();
    let drafted = list
        .requests
        .iter()
        .map(|request| is_drafted(conn, viewer, request.seq));
    Ok(InboxPage {
        drafted: drafted.collect::<Result<_>>()?,
        found_in: found.collect::<Result<_>>()?,
        offers: offers.collect::<Result<_>>()?,
        asked_before: asked_before.collect::<rusqlite::Result<_>>()?,
        counts,
        views: counts::views(&totals, &query.filter.viewer),
        requests: list.requests,
        next_cursor: list.next_cursor,
        incomplete: false,
    })
}

/// The requests of a page, without counts.
pub(in crate::store) fn list(conn: &Connection, query: &InboxQuery) -> Result<List> {
    let mut terms = terms(&query.search);
    let by_due_time = query.filter.attention == Some(true);
    let (page, condition) = match (by_due_time, terms.is_empty()) {
        (true, _) => {
            let last = terms.split_last();
            let condition = last.map(|(last, _)| prefix_condition(conn, last));
            let condition = condition.transpose()?;
            let words = SearchWords {
                whole: last.map_or(&[], |(_, whole)| whole),
                condition: condition.as_deref(),
            };
            (by_urgency(conn, query, words)?, condition)
        }
        (false, true) => (newest(conn, query)?, None),
        (false, false) => {
            let found = by_words(conn, query, &terms)?;
            let page = paginate(found.requests, query.limit, |last| {
                found.kind.after(last.seq)
            });
            (page, found.condition)
        }
    };
    let is_search = terms.pop().is_some();
    Ok(List {
        requests: page.requests,
        next_cursor: page.next_cursor,
        whole: terms,
        condition,
        is_search,
    })
}

fn newest(conn: &Connection, query: &InboxQuery) -> Result<Page> {
    let position = query.position(&[CursorKind::Time])?;
    let before = position.map_or(i64::MAX, |(_, seq)| seq);
    let source = Source::of(&query.filter, &[], None);
    let (range, order) = (query.filter.range().below(before), Order::NewestFirst);
    let limit = query.limit + 1;
    let rows = first(conn, &query.filter, &source, range, order, limit)?;
    Ok(paginate(rows, query.limit, |last| {
        CursorKind::Time.after(last.seq)
    }))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use crate::store::Store;
    use crate::store::lists::walk::{Order, index_sql, table_sql};

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
        let table = "SEARCH requests USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)";
        for order in [Order::NewestFirst, Order::OldestFirst] {
            let sql = table_sql(order);
            let found = store.read(move |conn| Ok(plan(conn, &sql))).await.unwrap();
            assert_eq!(found, table);
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
