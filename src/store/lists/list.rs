//! Pages of the inbox: quotes and messages in one list: newest first, the most urgent first,
//! or sorted.

use std::time::Duration;

use rusqlite::Connection;
use tokio::time::timeout;

use super::counts;
use super::counts::{Counts, Views};
use super::query::{CursorKind, InboxQuery, Page, paginate};
use super::sort::sorted;
use super::walk::{Order, Words, first};
use crate::inbox::customers::has_earlier;
use crate::inbox::drafts::is_drafted;
use crate::lists::urgency::by_urgency;
use crate::offers::{SentOffer, newest_of};
use crate::search::found_in::{FoundIn, found_in};
use crate::search::index::is_pending;
use crate::search::{any_word, by_words, terms};
use crate::{Result, Store};
use domain::request::Request;

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
    /// The search may lack the newest requests: they could not be indexed in time.
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
        let needs_index = !query.search.is_empty();
        let work = move |conn: &Connection| page(conn, &query);
        self.read_indexed(needs_index, work, |page| page.incomplete = true)
            .await
    }

    /// The ids of one page, and the cursor of the next. Errors: `Conflict` for a cursor of another
    /// list.
    pub async fn inbox_ids(&self, query: InboxQuery) -> Result<IdPage> {
        let needs_index = !query.search.is_empty();
        let work = move |conn: &Connection| {
            let found = list(conn, &query)?;
            let ids = found.requests.into_iter().map(|request| request.id);
            Ok(IdPage {
                ids: ids.collect(),
                next_cursor: found.next_cursor,
            })
        };
        self.read_indexed(needs_index, work, |_| ()).await
    }

    /// Runs `job`, which reads the search index if `needs_index`. If requests are waiting to be
    /// indexed, they are indexed and the job runs again; the result is marked by `incomplete` if
    /// that took too long.
    pub(crate) async fn read_indexed<T: Send + 'static>(
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
pub(crate) struct List {
    pub requests: Vec<Request>,
    pub next_cursor: Option<String>,
    is_search: bool,
    /// The words of a search; `None` if rows were scanned for them.
    words: Option<Words>,
}

fn page(conn: &Connection, query: &InboxQuery) -> Result<InboxPage> {
    let list = list(conn, query)?;
    let counts = match (list.is_search, &list.words) {
        (true, None) => Counts::of_page(&list.requests),
        (_, words) => counts::counts(conn, &query.filter, words.as_ref())?,
    };
    let terms = terms(&query.search);
    let viewer = query.filter.viewer.as_str();
    let requests = list.requests.iter();
    let offers = requests.clone().map(|request| newest_of(conn, request.seq));
    let asked_before = requests.clone().map(|request| has_earlier(conn, request));
    let found = requests
        .clone()
        .filter_map(|request| found_in(conn, request, &terms).transpose());
    let drafted = requests.map(|request| is_drafted(conn, viewer, request.seq));
    Ok(InboxPage {
        drafted: drafted.collect::<Result<_>>()?,
        found_in: found.collect::<Result<_>>()?,
        offers: offers.collect::<Result<_>>()?,
        asked_before: asked_before.collect::<Result<_>>()?,
        counts,
        views: counts::views(conn, &query.filter.viewer)?,
        requests: list.requests,
        next_cursor: list.next_cursor,
        incomplete: false,
    })
}

/// The requests of a page, without counts.
pub(crate) fn list(conn: &Connection, query: &InboxQuery) -> Result<List> {
    let terms = terms(&query.search);
    let is_urgent = query.filter.attention == Some(true);
    let (page, words) = match (query.sort, is_urgent, terms.is_empty()) {
        (Some(sort), ..) => {
            let words = any_word(conn, &terms)?;
            (sorted(conn, query, words.as_ref(), sort)?, words)
        }
        (None, true, _) => {
            let words = any_word(conn, &terms)?;
            (by_urgency(conn, query, words.as_ref())?, words)
        }
        (None, false, true) => (newest(conn, query)?, None),
        (None, false, false) => {
            let found = by_words(conn, query, &terms)?;
            let page = paginate(found.requests, query.limit, |last| {
                found.kind.after(last.seq)
            });
            (page, found.words)
        }
    };
    Ok(List {
        requests: page.requests,
        next_cursor: page.next_cursor,
        is_search: !terms.is_empty(),
        words,
    })
}

fn newest(conn: &Connection, query: &InboxQuery) -> Result<Page> {
    let position = query.position(&[CursorKind::Time])?;
    let before = position.map_or(i64::MAX, |(_, seq)| seq);
    let (range, order) = (query.filter.range().below(before), Order::NewestFirst);
    let rows = first(conn, &query.filter, None, range, order, query.limit + 1)?;
    Ok(paginate(rows, query.limit, |last| {
        CursorKind::Time.after(last.seq)
    }))
}

#[cfg(test)]
mod tests {
    use rusqlite::{Connection, params_from_iter};

    use crate::Store;
    use crate::lists::counts::counts;
    use crate::lists::filter::{
        Assignee, FollowUps, Hidden, OriginFilter, Outcomes, RequestFilter,
    };
    use crate::lists::walk::{Order, Source, list};
    use domain::clock::Time;
    use domain::request::RequestKind;
    use domain::request::due_time::AnswerTimes;
    use domain::request::outcome::Outcome;
    use domain::request::quote::Status;

    fn plan(conn: &Connection, filter: &RequestFilter, order: Order) -> String {
        let (sql, values) = list(filter, Source::Table, filter.range(), order);
        let mut explain = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = explain
            .query_map(params_from_iter(values), |row| row.get::<_, String>(3))
            .unwrap();
        let steps: Vec<String> = steps.collect::<Result<_, _>>().unwrap();
        let people = |step: &String| !step.contains("users") && !step.contains("SCALAR");
        let steps: Vec<String> = steps.into_iter().filter(people).collect();
        steps.join("; ")
    }

    /// A filter for each index, whether its list is sorted, and the index.
    fn filters() -> Vec<(&'static str, RequestFilter)> {
        let all = || RequestFilter {
            times: AnswerTimes::new(24, 30),
            now: Time::parse("2026-11-21").unwrap(),
            ..RequestFilter::default()
        };
        macro_rules! filter {
            ($($field:ident: $value:expr),*) => { RequestFilter { $($field: $value,)* ..all() } };
        }
        let user = || Assignee::User("user".into());
        vec![
            ("INTEGER PRIMARY KEY", filter!()),
            (
                "requests_by_status",
                filter!(kind: Some(RequestKind::Quote)),
            ),
            (
                "requests_by_status",
                filter!(statuses: vec![Status::Pending, Status::Completed]),
            ),
            ("requests_by_status", filter!(open: Some(true))),
            (
                "requests_by_status",
                filter!(outcome: Some(Outcomes::Unknown)),
            ),
            ("requests_by_state", filter!(state: Some("TX"))),
            (
                "requests_by_service",
                filter!(service: Some("event".into())),
            ),
            (
                "requests_by_campaign",
                filter!(origin: OriginFilter {
                    campaign: Some("brand".into()),
                    ..OriginFilter::default()
                }),
            ),
            ("requests_by_assignee", filter!(assignee: Some(user()))),
            (
                "requests_by_outcome",
                filter!(outcome: Some(Outcomes::Known(Outcome::Won))),
            ),
            ("requests_by_reason", filter!(reason: Some("price".into()))),
            (
                "requests_by_answerer",
                filter!(answered_by: Some("user".into())),
            ),
            ("requests_unsettled", filter!(attention: Some(true))),
            (
                "requests_attention",
                filter!(attention: Some(true), answered: Some(true)),
            ),
            ("requests_unread", filter!(unread: Some(true))),
            ("requests_held", filter!(hidden: Hidden::Spam)),
            ("requests_held", filter!(hidden: Hidden::Duplicate)),
            ("requests_due", filter!(follow_up: Some(FollowUps::Due))),
            (
                "requests_waiting",
                filter!(follow_up: Some(FollowUps::Waiting)),
            ),
            ("requests_unanswered", filter!(written: Some(true))),
            ("requests_unsettled", filter!(overdue: Some(true))),
        ]
    }

    #[tokio::test]
    async fn every_list_is_read_in_the_order_of_its_index() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        for (index, filter) in filters() {
            for order in [Order::NewestFirst, Order::OldestFirst] {
                let explained = filter.clone();
                let read = move |conn: &Connection| {
                    counts(conn, &explained, None)?;
                    Ok(plan(conn, &explained, order))
                };
                let found = store.read(read).await.unwrap();
                assert!(found.contains(index), "{index}: {found}");
                // Few requests at a time wait for a reminder or for a further answer.
                let is_short = ["requests_waiting", "requests_unanswered"];
                let is_short = is_short.iter().any(|short| found.contains(short));
                let sorts = found.contains("TEMP B-TREE") && !is_short;
                assert!(!sorts, "{found}");
            }
        }
    }
}
