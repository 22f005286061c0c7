//! The dispatcher's queue: quotes newest first, by status and by words, a page at a time by keyset, so that the thousandth page of a million quotes costs
//! what the first costs of a thousand. Nothing here counts or skips rows. The search is in `search`.

use std::time::Duration;

use rusqlite::{Connection, Row};
use tokio::time::timeout;

use super::quotes::{columns, quote_of};
use super::search::{by_words, terms};
use super::search_index::behind;
use super::{Error, Result, Store};
use crate::domain::quote::{Quote, Status};

/// Which quotes, and how many.
#[derive(Clone, Debug, Default)]
pub struct QuoteQuery {
    /// Only those in this status.
    pub status: Option<Status>,
    /// Only those that hold all these words; the last may be unfinished.
    pub search: String,
    /// Quotes on the page.
    pub limit: usize,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// The quotes of a page with their places in the queue, perhaps one more, and the way in which they were found: a cursor keeps to it.
pub(super) type Found = (Vec<(i64, Quote)>, char);

/// One page of the queue.
#[derive(Clone, Debug)]
pub struct QuotePage {
    /// Newest first.
    pub quotes: Vec<Quote>,
    /// Where the next page begins; none at the end.
    pub next_cursor: Option<String>,
    /// How many quotes stand in each status, in the order of `Status::ALL`.
    pub counts: [i64; 4],
    /// The newest quotes may be missing from this search: they could not be indexed in time.
    pub incomplete: bool,
}

/// How long a search waits for the newest quotes to be indexed: the answer comes within a second.
const INDEXING: Duration = Duration::from_millis(700);

impl Store {
    /// One page of the queue and the counts by status, as of one moment.
    ///
    /// # Errors
    /// `Conflict` for a cursor that is not ours.
    pub async fn quotes(&self, listing: QuoteQuery) -> Result<QuotePage> {
        let look = |listing: QuoteQuery| {
            self.read(move |conn| {
                let searched = !listing.search.is_empty();
                Ok((page(conn, &listing)?, searched && behind(conn)?))
            })
        };
        let (page, behind) = look(listing.clone()).await?;
        if !behind {
            return Ok(page);
        }
        // Where the words cannot be written (a full disk, a lock, very many of them), that must not hide all the others.
        let indexed = timeout(INDEXING, self.ensure_indexed()).await;
        let incomplete = !matches!(indexed, Ok(Ok(())));
        if let Ok(Err(error)) = indexed {
            tracing::warn!(%error, "a search may lack the newest quotes");
        }
        let (page, behind) = look(listing).await?;
        Ok(QuotePage {
            incomplete: incomplete && behind,
            ..page
        })
    }
}

fn page(conn: &Connection, listing: &QuoteQuery) -> Result<QuotePage> {
    let terms = terms(&listing.search);
    let (found, way) = if terms.is_empty() {
        by_time(conn, listing)?
    } else {
        by_words(conn, listing, &terms)?
    };
    let (quotes, next_cursor) = cut(found, listing.limit, way);
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
        *count = find.query_row([status.word()], |row| row.get(0))?;
    }
    Ok(counts)
}

/// Newest first, straight from the table or from the index by status.
fn by_time(conn: &Connection, listing: &QuoteQuery) -> Result<Found> {
    let (way, before) = position(listing, "t")?;
    let limit = limit_plus_one(listing.limit);
    let mut find = conn.prepare_cached(match listing.status {
        None => BY_TIME,
        Some(_) => BY_STATUS,
    })?;
    let rows = match listing.status {
        None => find.query_map((before, limit), with_seq),
        Some(status) => find.query_map((before, limit, status.word()), with_seq),
    };
    Ok((rows?.collect::<rusqlite::Result<_>>()?, way))
}

pub(super) const BY_TIME: &str = concat!(
    "SELECT ",
    columns!(),
    ", seq FROM quotes WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2"
);
pub(super) const BY_STATUS: &str = concat!(
    "SELECT ",
    columns!(),
    ", seq FROM quotes WHERE seq < ?1 AND status = ?3 ORDER BY seq DESC LIMIT ?2"
);

/// A quote and its place in the queue, which stands after its columns.
pub(super) fn with_seq(found: &Row<'_>) -> rusqlite::Result<(i64, Quote)> {
    Ok((found.get(16)?, quote_of(found)?))
}

/// The row after the page tells whether there is a next one.
pub(super) fn limit_plus_one(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1)
}

/// Where the page begins and how it is found: in one of these ways, of which each has a letter. A first page is found in the first of them.
pub(super) fn position(listing: &QuoteQuery, ways: &str) -> Result<(char, i64)> {
    let Some(cursor) = &listing.cursor else {
        return Ok((ways.chars().next().ok_or(Error::Failed)?, i64::MAX));
    };
    let way = cursor.chars().next().filter(|way| ways.contains(*way));
    let way = way.ok_or_else(not_ours)?;
    Ok((way, cursor[1..].parse().map_err(|_| not_ours())?))
}

fn cut(mut page: Vec<(i64, Quote)>, limit: usize, way: char) -> (Vec<Quote>, Option<String>) {
    let more = page.len() > limit;
    page.truncate(limit);
    let next = page
        .last()
        .filter(|_| more)
        .map(|(seq, _)| format!("{way}{seq}"));
    (page.into_iter().map(|(_, quote)| quote).collect(), next)
}

fn not_ours() -> Error {
    Error::Conflict("this cursor does not belong to this list".into())
}

#[cfg(test)]
mod tests {
    use super::{BY_STATUS, BY_TIME};
    use crate::store::Store;
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
