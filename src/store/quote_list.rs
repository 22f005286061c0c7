//! The quote list: newest first, by status and by words, a page at a time by keyset, so that the
//! thousandth page of a million quotes costs what the first costs of a thousand. Nothing here
//! counts or skips rows.

use std::time::Duration;

use rusqlite::Connection;
use tokio::time::timeout;

use super::quote_query::{CursorKind, QuoteQuery, QuotesWithSeq, by_time};
use super::search::{by_words, terms};
use super::search_index::is_pending;
use super::{Result, Store};
use crate::domain::quote::{Quote, Status};

/// One page of the quote list.
#[derive(Clone, Debug)]
pub struct QuotePage {
    /// Newest first.
    pub quotes: Vec<Quote>,
    /// The cursor of the next page; none on the last one.
    pub next_cursor: Option<String>,
    /// The number of quotes in each status, in the order of `Status::ALL`.
    pub counts: [i64; 4],
    /// The search may lack the newest quotes: they could not be indexed in time.
    pub incomplete: bool,
}

/// How long a search waits for the newest quotes to be indexed: it responds within a second.
const INDEX_TIMEOUT: Duration = Duration::from_millis(700);

impl Store {
    /// One page of the quote list and the counts by status, in one read transaction.
    ///
    /// # Errors
    /// `Conflict` for a cursor of another list.
    pub async fn quotes(&self, query: QuoteQuery) -> Result<QuotePage> {
        let read = |query: QuoteQuery| {
            self.read(move |conn| {
                let is_search = !query.search.is_empty();
                Ok((page(conn, &query)?, is_search && is_pending(conn)?))
            })
        };
        let (page, pending) = read(query.clone()).await?;
        if !pending {
            return Ok(page);
        }
        // If indexing fails (full disk, lock) or takes too long, the indexed quotes are still
        // listed.
        let indexed = timeout(INDEX_TIMEOUT, self.ensure_indexed()).await;
        let incomplete = !matches!(indexed, Ok(Ok(())));
        if let Ok(Err(error)) = indexed {
            tracing::warn!(%error, "a search may lack the newest quotes");
        }
        let (page, pending) = read(query).await?;
        Ok(QuotePage {
            incomplete: incomplete && pending,
            ..page
        })
    }
}

fn page(conn: &Connection, query: &QuoteQuery) -> Result<QuotePage> {
    let terms = terms(&query.search);
    let (found, kind) = if terms.is_empty() {
        by_time(conn, query)?
    } else {
        by_words(conn, query, &terms)?
    };
    let (quotes, next_cursor) = paginate(found, query.limit, kind);
    Ok(QuotePage {
        quotes,
        next_cursor,
        counts: counts(conn)?,
        incomplete: false,
    })
}

fn counts(conn: &Connection) -> Result<[i64; 4]> {
    let mut find = conn.prepare_cached("SELECT quotes FROM quote_counts WHERE status = ?1")?;
    let mut counts = [0; 4];
    for (count, status) in counts.iter_mut().zip(Status::ALL) {
        *count = find.query_row([status.as_str()], |row| row.get(0))?;
    }
    Ok(counts)
}

/// Cuts the rows to the page and makes the cursor of the next page.
fn paginate(
    mut rows: QuotesWithSeq,
    limit: usize,
    kind: CursorKind,
) -> (Vec<Quote>, Option<String>) {
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| has_more);
    let next_cursor = last.map(|(seq, _)| kind.after(*seq));
    (
        rows.into_iter().map(|(_, quote)| quote).collect(),
        next_cursor,
    )
}

#[cfg(test)]
mod tests {
    use crate::store::Store;
    use crate::store::quote_query::{BY_STATUS, BY_TIME};
    use crate::store::search::BY_WORDS;
    use rusqlite::Connection;

    fn plan(conn: &Connection, sql: &str) -> String {
        let mut explain = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let none = vec![rusqlite::types::Null; explain.parameter_count()];
        let steps = explain
            .query_map(rusqlite::params_from_iter(none), |row| {
                row.get::<_, String>(3)
            })
            .unwrap();
        steps.collect::<Result<Vec<_>, _>>().unwrap().join("; ")
    }

    #[tokio::test]
    async fn every_list_walks_an_index_and_sorts_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let plans =
            |conn: &Connection| Ok([BY_TIME, BY_STATUS, BY_WORDS].map(|sql| plan(conn, sql)));
        assert_eq!(
            store.read(plans).await.unwrap(),
            [
                "SEARCH quotes USING INTEGER PRIMARY KEY (rowid<?)",
                "SEARCH quotes USING INDEX quotes_by_status (status=? AND rowid<?)",
                // 192: by rowid, descending, in the full-text index itself.
                "SCAN quote_words VIRTUAL TABLE INDEX 192:M1<; SEARCH quotes USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        );
    }
}
