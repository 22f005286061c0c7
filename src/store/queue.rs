//! The dispatcher's queue: quotes newest first, by status and by words, a page at a time by keyset, so that the thousandth page of a million quotes costs
//! what the first costs of a thousand. Nothing here counts or skips rows.

use std::fmt::Write;

use rusqlite::{Connection, ToSql, params_from_iter};

use super::quotes::{columns, quote_of};
use super::words::{behind, catch_up, searchable, status_word};
use super::{Error, Result, Store};
use crate::domain::quote::{Quote, Status};

/// Which quotes, and how many.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Only those in this status.
    pub status: Option<Status>,
    /// Only those that hold all these words; the last may be unfinished.
    pub words: String,
    /// Quotes on the page.
    pub limit: usize,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// One page of the queue.
#[derive(Clone, Debug)]
pub struct Page {
    /// Newest first.
    pub quotes: Vec<Quote>,
    /// Where the next page begins; none at the end.
    pub next_cursor: Option<String>,
    /// How many quotes stand in each status, in the order of `Status::ALL`.
    pub counts: [i64; 4],
}

impl Store {
    /// One page of the queue and the counts by status, as of one moment.
    ///
    /// # Errors
    /// `Conflict` for a cursor that is not ours.
    pub async fn quotes(&self, listing: Listing) -> Result<Page> {
        let look = |listing: Listing| {
            self.read(move |conn| {
                let searched = !listing.words.is_empty();
                Ok((page(conn, &listing)?, searched && behind(conn)? > 0))
            })
        };
        let (page, behind) = look(listing.clone()).await?;
        if !behind {
            return Ok(page);
        }
        // Where the words cannot be written, on a full disk, they must not hide all the others.
        if let Err(error) = self.write(|conn| Ok(catch_up(conn)?)).await {
            tracing::warn!(%error, "a search may lack the newest quotes");
        }
        Ok(look(listing).await?.0)
    }
}

fn page(conn: &Connection, listing: &Listing) -> Result<Page> {
    let terms = terms(&listing.words);
    let (quotes, next_cursor) = if terms.is_empty() {
        by_time(conn, listing)?
    } else {
        by_words(conn, listing, &terms)?
    };
    Ok(Page {
        quotes,
        next_cursor,
        counts: counts(conn)?,
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

/// Newest first by (created_at, id), straight from an index.
fn by_time(conn: &Connection, listing: &Listing) -> Result<(Vec<Quote>, Option<String>)> {
    let status = listing.status.map(Status::word);
    let after = listing
        .cursor
        .as_deref()
        .map(|cursor| cursor.split_once('_').ok_or_else(not_ours))
        .transpose()?;
    let limit = one_more(listing.limit);
    let mut values: Vec<&dyn ToSql> = Vec::new();
    values.extend(status.iter().map(|status| status as &dyn ToSql));
    values.extend(after.iter().flat_map(|(at, id)| [at as &dyn ToSql, id]));
    values.push(&limit);
    let mut find = conn.prepare_cached(&by_time_sql(status.is_some(), after.is_some()))?;
    let mut quotes = find
        .query_map(params_from_iter(values), quote_of)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let more = quotes.len() > listing.limit;
    quotes.truncate(listing.limit);
    let next = quotes
        .last()
        .filter(|_| more)
        .map(|last| format!("{}_{}", last.created_at, last.id));
    Ok((quotes, next))
}

fn by_time_sql(status: bool, after: bool) -> String {
    let mut sql = concat!("SELECT ", columns!(), " FROM quotes WHERE 1").to_owned();
    if status {
        sql.push_str(" AND status = ?");
    }
    if after {
        sql.push_str(" AND (created_at, id) < (?, ?)");
    }
    sql.push_str(" ORDER BY created_at DESC, id DESC LIMIT ?");
    sql
}

/// The row after the page tells whether there is a next one.
fn one_more(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1)
}

/// Newest first by order of arrival, which the full-text index can walk without sorting. Whole words are tried first: their list is walked lazily
/// however common they are. Only where they do not fill a page is the last word taken for the beginning of one.
fn by_words(
    conn: &Connection,
    listing: &Listing,
    terms: &[String],
) -> Result<(Vec<Quote>, Option<String>)> {
    let (mode, before) = match &listing.cursor {
        None => ('w', i64::MAX),
        Some(cursor) => {
            let mode = cursor
                .chars()
                .next()
                .filter(|mode| matches!(mode, 'w' | 'b'))
                .ok_or_else(not_ours)?;
            (mode, cursor[1..].parse().map_err(|_| not_ours())?)
        }
    };
    let page = search(
        conn,
        listing,
        &expression(listing, terms, mode == 'b'),
        before,
    )?;
    if mode == 'w'
        && listing.cursor.is_none()
        && page.len() <= listing.limit
        && terms.last().is_some_and(|last| last.chars().count() > 1)
    {
        return Ok(cut(
            search(conn, listing, &expression(listing, terms, true), before)?,
            listing.limit,
            'b',
        ));
    }
    Ok(cut(page, listing.limit, mode))
}

fn cut(mut page: Vec<(i64, Quote)>, limit: usize, mode: char) -> (Vec<Quote>, Option<String>) {
    let more = page.len() > limit;
    page.truncate(limit);
    let next = page
        .last()
        .filter(|_| more)
        .map(|(seq, _)| format!("{mode}{seq}"));
    (page.into_iter().map(|(_, quote)| quote).collect(), next)
}

const BY_WORDS: &str = concat!(
    "SELECT ",
    columns!(),
    ", quotes.seq FROM quote_words JOIN quotes ON quotes.seq = quote_words.rowid
     WHERE quote_words MATCH ?1 AND quote_words.rowid < ?2 ORDER BY quote_words.rowid DESC LIMIT ?3"
);

fn search(
    conn: &Connection,
    listing: &Listing,
    expression: &str,
    before: i64,
) -> Result<Vec<(i64, Quote)>> {
    let mut find = conn.prepare_cached(BY_WORDS)?;
    let rows = find.query_map((expression, before, one_more(listing.limit)), |row| {
        Ok((row.get(16)?, quote_of(row)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The words as FTS5 takes them: each quoted, all needed, the last one perhaps unfinished.
fn expression(listing: &Listing, terms: &[String], unfinished: bool) -> String {
    let mut text = listing
        .status
        .map_or_else(String::new, |status| format!("{} ", status_word(status)));
    for term in terms {
        let _ = write!(text, "\"{term}\" ");
    }
    if unfinished {
        text.truncate(text.trim_end().len());
        text.push('*');
    }
    text
}

/// At most eight words, cut as those in the index are.
fn terms(words: &str) -> Vec<String> {
    searchable(words).take(8).map(str::to_owned).collect()
}

fn not_ours() -> Error {
    Error::Conflict("this cursor does not belong to this list".into())
}

#[cfg(test)]
mod tests {
    use super::{BY_WORDS, by_time_sql};
    use crate::store::Store;
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
        let plans = |conn: &Connection| {
            Ok([(false, false), (false, true), (true, false), (true, true)]
                .map(|(status, after)| plan(conn, &by_time_sql(status, after)))
                .into_iter()
                .chain([plan(conn, BY_WORDS)])
                .collect::<Vec<_>>())
        };
        assert_eq!(
            store.read(plans).await.unwrap(),
            [
                "SCAN quotes USING INDEX quotes_by_time",
                "SEARCH quotes USING INDEX quotes_by_time ((created_at,id)<(?,?))",
                "SEARCH quotes USING INDEX quotes_by_status (status=?)",
                "SEARCH quotes USING INDEX quotes_by_status (status=? AND (created_at,id)<(?,?))",
                // 192: by rowid, descending, in the full-text index itself.
                "SCAN quote_words VIRTUAL TABLE INDEX 192:M1<; SEARCH quotes USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        );
    }
}
