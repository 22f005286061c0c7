//! The quote list: newest first, by status and by words, a page at a time. It is a part of the
//! inbox (`list`).

use poem_openapi::Object;
use rusqlite::Connection;

use super::filter::RequestFilter;
use super::list::list;
use super::query::InboxQuery;
use super::status_counts::StatusCounts;
use crate::database::count_cache::Counter;
use crate::{Result, Store};
use domain::request::RequestKind;
use domain::request::quote::{Quote, Status};

#[derive(Clone, Debug, Default)]
pub struct QuoteQuery {
    pub status: Option<Status>,
    /// Only quotes that contain all these words; the last may be the prefix of one.
    pub search: String,
    /// Quotes per page.
    pub limit: usize,
    /// The cursor of the previous page.
    pub cursor: Option<String>,
}

/// One page of the quote list.
#[derive(Clone, Debug, Object)]
pub struct QuotePage {
    /// Newest first.
    pub quotes: Vec<Quote>,
    /// Give it as `cursor` for the next page; null at the end.
    pub next_cursor: Option<String>,
    /// Counts of all quotes, regardless of the filter.
    pub counts: StatusCounts,
    /// True if the search timed out before the newest quotes were indexed: they may be missing.
    /// Retry in a few seconds.
    #[oai(rename = "search_incomplete")]
    pub incomplete: bool,
}

impl Store {
    /// One page of the quote list and the counts by status, in one read transaction, without held
    /// quotes. Errors: `Conflict` for a cursor of another list.
    pub async fn quotes(&self, query: QuoteQuery) -> Result<QuotePage> {
        let filter = RequestFilter {
            kind: Some(RequestKind::Quote),
            statuses: query.status.into_iter().collect(),
            ..RequestFilter::default()
        };
        let query = InboxQuery {
            filter,
            search: query.search,
            sort: None,
            limit: query.limit,
            cursor: query.cursor,
        };
        let is_complete = self.index_for(&query.search).await?;
        self.read_counted(move |conn, counter| page(conn, &query, counter, !is_complete))
            .await
    }
}

fn page(
    conn: &Connection,
    query: &InboxQuery,
    counter: &Counter<'_>,
    incomplete: bool,
) -> Result<QuotePage> {
    let list = list(conn, query)?;
    Ok(QuotePage {
        quotes: list.page.requests.into_iter().map(Quote::from).collect(),
        next_cursor: list.page.next_cursor,
        counts: counter.by_status(conn, &query.filter)?,
        incomplete,
    })
}
