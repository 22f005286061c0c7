//! Search in the quote list, newest first: all terms are required, the last may be a prefix. How
//! texts are split into words is in `search_index`.

use rusqlite::{Connection, ToSql};

use super::Result;
use super::prefix::Prefix;
use super::quote_columns::{read_with_seq, select_list};
use super::quote_query::{BY_STATUS, BY_TIME, CursorKind, QuoteQuery, QuotesWithSeq};
use super::search_index::{split_words, status_word, words};
use crate::domain::quote::Status;

/// Terms of one search.
const MAX_TERMS: usize = 8;
/// Quotes that are scanned for a prefix. If so many do not fill a page, the prefix is rare, and the
/// index finds its rows in a few milliseconds.
const FULL_SCAN: u32 = 2000;
/// Quotes that show whether a prefix is common: at least one in eight contains it.
const SAMPLE: u32 = 24;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scan {
    /// Stops after `SAMPLE` quotes unless the prefix is common.
    Sample,
    /// Scans up to `FULL_SCAN` quotes.
    Full,
}

/// The terms of a search, split as the indexed texts are.
pub(super) fn terms(search: &str) -> Vec<String> {
    split_words(search)
        .take(MAX_TERMS)
        .map(str::to_owned)
        .collect()
}

/// Searches for whole words first. Only if they do not fill a page, the last term is taken as a
/// prefix.
pub(super) fn by_words(
    conn: &Connection,
    query: &QuoteQuery,
    terms: &[String],
) -> Result<(QuotesWithSeq, CursorKind)> {
    let (kind, before) = query.position(&[CursorKind::Words, CursorKind::Prefix])?;
    let Some((last, whole)) = terms.split_last() else {
        return Ok((Vec::new(), kind));
    };
    let exact = match kind {
        CursorKind::Prefix => None,
        _ => Some(search(
            conn,
            query,
            &expression(query, terms, None),
            before,
        )?),
    };
    let may_be_prefix = last.chars().nth(1).is_some();
    match exact {
        Some(found) if query.cursor.is_some() || found.len() > query.limit || !may_be_prefix => {
            Ok((found, CursorKind::Words))
        }
        exact => {
            let found = by_prefix(conn, query, (whole, last), before, exact)?;
            Ok((found, CursorKind::Prefix))
        }
    }
}

/// FTS5 collects the rows of every word with the prefix before it returns the first. So the newest
/// quotes are scanned instead if such words are common or many; if they are few, the index is asked
/// for them as whole words. `exact` is the result for the last term as a whole word, if known.
fn by_prefix(
    conn: &Connection,
    query: &QuoteQuery,
    (whole, last): (&[String], &str),
    before: i64,
    exact: Option<QuotesWithSeq>,
) -> Result<QuotesWithSeq> {
    let fts_prefix = || format!("\"{last}\"*");
    let condition = match Prefix::of(last) {
        None => fts_prefix(),
        Some(prefix) => {
            let scan = |extent| scan(conn, query, whole, &prefix, (before, extent));
            if let Some(page) = scan(Scan::Sample)? {
                return Ok(page);
            }
            match (prefix.words(conn)?, exact) {
                (Some(words), _) if words.is_empty() => return Ok(Vec::new()),
                (Some(words), Some(exact)) if prefix.is(&words) => return Ok(exact),
                (Some(words), _) => format!("(\"{}\")", words.join("\" OR \"")),
                (None, _) => match scan(Scan::Full)? {
                    Some(page) => return Ok(page),
                    None => fts_prefix(),
                },
            }
        }
    };
    let expression = expression(query, whole, Some(condition));
    search(conn, query, &expression, before)
}

/// Scans the newest quotes that have the status and the whole words. None if the scan stopped
/// before it knew the page.
fn scan(
    conn: &Connection,
    query: &QuoteQuery,
    whole: &[String],
    prefix: &Prefix,
    (before, extent): (i64, Scan),
) -> Result<Option<QuotesWithSeq>> {
    let status = query.status.map(Status::as_str);
    let expression = expression(query, whole, None);
    let (sql, parameters): (_, &[&dyn ToSql]) = match (whole, &status) {
        ([], None) => (BY_TIME, &[&before, &FULL_SCAN]),
        ([], Some(status)) => (BY_STATUS, &[&before, &FULL_SCAN, status]),
        _ => (BY_WORDS, &[&before, &FULL_SCAN, &expression]),
    };
    let mut rows = conn.prepare_cached(sql)?;
    let mut rows = rows.query(parameters)?;
    let (mut page, mut scanned) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        scanned += 1;
        if words(row)?.any(|word| prefix.matches(&word)) {
            page.push(read_with_seq(row)?);
        }
        if page.len() > query.limit {
            return Ok(Some(page));
        }
        let is_rare = page.len() < SAMPLE as usize / 8;
        if extent == Scan::Sample && scanned == SAMPLE && is_rare {
            return Ok(None);
        }
    }
    Ok((scanned < FULL_SCAN).then_some(page))
}

/// FTS5 reads its row lists in the order of the quote list, without sorting.
pub(super) const BY_WORDS: &str = concat!(
    "SELECT ",
    select_list!(),
    " FROM quote_words JOIN quotes ON quotes.seq = quote_words.rowid
     WHERE quote_words.rowid < ?1 AND quote_words MATCH ?3 ORDER BY quote_words.rowid DESC LIMIT ?2"
);

fn search(
    conn: &Connection,
    query: &QuoteQuery,
    expression: &str,
    before: i64,
) -> Result<QuotesWithSeq> {
    let mut find = conn.prepare_cached(BY_WORDS)?;
    let rows = find.query_map((before, query.limit_plus_one(), expression), read_with_seq)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The FTS5 query: the status, each whole word, and `condition`.
fn expression(query: &QuoteQuery, whole: &[String], condition: Option<String>) -> String {
    let status = query.status.map(|status| status_word(status).to_owned());
    let whole = whole.iter().map(|word| format!("\"{word}\""));
    let all: Vec<_> = status.into_iter().chain(whole).chain(condition).collect();
    all.join(" AND ")
}
