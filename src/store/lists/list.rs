//! Pages of the inbox: quotes and messages in one list: newest first, the most urgent first,
//! or sorted.

use poem_openapi::Object;
use rusqlite::{Connection, params};

use super::counts::Views;
use super::filter::RequestFilter;
use super::order::Page;
use super::query::InboxQuery;
use super::selection::Selection;
use super::status_counts::Counts;
use crate::database::count_cache::Counter;
use crate::request::customers::has_earlier;
use crate::request::sent_offers::{SentOffer, newest_of};
use crate::search::found_in::{FoundIn, found_in};
use crate::search::nearest::nearest;
use crate::search::terms;
use crate::{Result, Store, query};
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
    /// Of a search without a hit: the same with words that exist in place of unknown ones.
    pub nearest: Option<String>,
}

/// The ids of a list.
#[derive(Clone, Debug, Object)]
#[oai(rename = "InboxIds")]
pub struct IdPage {
    pub ids: Vec<String>,
    /// Give it as `cursor` for the next ones; null at the end.
    pub next_cursor: Option<String>,
}

impl Store {
    /// One page of the inbox with its counts, in one read transaction. Errors: `Conflict` for a
    /// cursor of another list.
    pub async fn inbox(&self, query: InboxQuery) -> Result<InboxPage> {
        let is_complete = self.index_for(&query.search).await?;
        self.read_counted(move |conn, counter| page(conn, &query, counter, !is_complete))
            .await
    }

    /// The ids of one page, and the cursor of the next. Errors: `Conflict` for a cursor of another
    /// list.
    pub async fn inbox_ids(&self, query: InboxQuery) -> Result<IdPage> {
        self.index_for(&query.search).await?;
        self.read(move |conn| {
            let found = list(conn, &query)?.page;
            Ok(IdPage {
                ids: found
                    .requests
                    .into_iter()
                    .map(|request| request.id)
                    .collect(),
                next_cursor: found.next_cursor,
            })
        })
        .await
    }

    /// Runs `job` with what counts requests, once for all who read the same state of them.
    pub(crate) async fn read_counted<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection, &Counter<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let counted = self.counted.clone();
        // Before the transaction: what it reads is at least as new.
        let version = self.changes.version();
        self.read(move |conn| {
            let cache = &*counted;
            job(conn, &Counter { cache, version })
        })
        .await
    }
}

/// The requests of a page.
pub(crate) struct List {
    pub page: Page,
    /// The counts of a search.
    counts: Option<Counts>,
}

fn page(
    conn: &Connection,
    query: &InboxQuery,
    counter: &Counter<'_>,
    incomplete: bool,
) -> Result<InboxPage> {
    let List { page, counts } = list(conn, query)?;
    let counts = match counts {
        Some(counts) => counts,
        None => Counts {
            by_status: counter.by_status(conn, &query.filter)?,
            at_least: false,
        },
    };
    let terms = terms(&query.search);
    let viewer = query.filter.viewer.as_str();
    let requests = page.requests.iter();
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
        nearest: match counts.by_status.total() {
            0 => nearest(conn, &terms)?,
            _ => None,
        },
        counts,
        views: counter.views(conn, viewer)?,
        requests: page.requests,
        next_cursor: page.next_cursor,
        incomplete,
    })
}

/// The requests of a page, and what a search has counted.
pub(crate) fn list(conn: &Connection, query: &InboxQuery) -> Result<List> {
    let position = query.position()?;
    let filter = RequestFilter {
        now: position.as_ref().map_or(query.filter.now, |last| last.now),
        ..query.filter.clone()
    };
    let is_first = position.is_none() && query.is_newest_first();
    let (selection, counts) = Selection::find(conn, &filter, &query.search, is_first)?;
    let page = query.page(conn, &filter, selection, position.as_ref())?;
    Ok(List { page, counts })
}

/// Whether a user has written something about a request and not sent it.
fn is_drafted(conn: &Connection, owner: &str, seq: i64) -> Result<bool> {
    let sql = "SELECT 1 FROM request_drafts WHERE owner = ?1 AND seq = ?2
        AND trim(ifnull(fields ->> 'text', '') || ifnull(fields ->> 'note', '')) <> ''";
    query::exists(conn, sql, params![owner, seq])
}
