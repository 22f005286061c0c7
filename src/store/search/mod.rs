//! Search in the list of requests, newest first: all terms are required, the last may be a prefix.
//! `words` splits texts into words.

mod catch_up;
pub(super) mod found_in;
pub(super) mod index;
pub(super) mod merge;
pub(super) mod prefix;
pub(super) mod words;

use std::ops::ControlFlow;

use rusqlite::Connection;

use super::Result;
use super::inbox::columns::read_request;
use super::lists::filter::SeqRange;
use super::lists::query::{CursorKind, InboxQuery};
use super::lists::walk::{Order, Words, first, walk};
use domain::phone;
use domain::request::Request;
use prefix::Prefix;
use words::{WordReader, split_words};

/// Maximum number of terms in one search.
const MAX_TERMS: usize = 8;
/// Requests scanned for a prefix. If they do not fill a page, the prefix is rare, and the index
/// finds its rows in a few milliseconds.
const FULL_SCAN: u32 = 2000;
/// Requests that show whether a prefix is common: at least one in eight contains it.
const SAMPLE: u32 = 24;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scan {
    /// Stops after `SAMPLE` requests unless the prefix is common.
    Sample,
    /// Scans up to `FULL_SCAN` requests.
    Full,
}

/// The requests of a page and one more, how they were found, and by which words (`None` if the rows
/// were scanned for the last one).
pub(super) struct Found {
    pub requests: Vec<Request>,
    pub kind: CursorKind,
    pub words: Option<Words>,
}

/// The terms of a search, split as the indexed texts are; a phone number is one term.
pub(super) fn terms(search: &str) -> Vec<String> {
    if let Some(number) = phone::searched_number(search) {
        return vec![number];
    }
    split_words(search)
        .take(MAX_TERMS)
        .map(str::to_owned)
        .collect()
}

/// The words of a search whose last term may be a prefix, without reading rows; `None` without
/// terms.
pub(super) fn any_word(conn: &Connection, terms: &[String]) -> Result<Option<Words>> {
    let Some((last, whole)) = terms.split_last() else {
        return Ok(None);
    };
    let expression = expression(whole, Some(&prefix_condition(conn, last)?));
    Words::new(conn, expression).map(Some)
}

/// The FTS5 query of all words: each of `whole`, and `condition`.
fn expression(whole: &[String], condition: Option<&str>) -> String {
    let whole = whole.iter().map(|word| format!("\"{word}\""));
    let all: Vec<_> = whole.chain(condition.map(str::to_owned)).collect();
    all.join(" AND ")
}

/// Searches for whole words first. Only if they do not fill a page, the last term is taken as a
/// prefix.
pub(super) fn by_words(conn: &Connection, query: &InboxQuery, terms: &[String]) -> Result<Found> {
    let position = query.position(&[CursorKind::Words, CursorKind::Prefix])?;
    let (kind, before) = position.unwrap_or((CursorKind::Words, i64::MAX));
    let range = query.filter.range().below(before);
    let Some((last, whole)) = terms.split_last() else {
        return Ok(Found {
            requests: Vec::new(),
            kind,
            words: None,
        });
    };
    let exact = match kind {
        CursorKind::Prefix => None,
        _ => Some(search(conn, query, whole, &format!("\"{last}\""), range)?),
    };
    let may_be_prefix = last.chars().nth(1).is_some();
    match exact {
        Some((requests, words))
            if query.cursor.is_some() || requests.len() > query.limit || !may_be_prefix =>
        {
            Ok(Found {
                requests,
                kind: CursorKind::Words,
                words: Some(words),
            })
        }
        exact => by_prefix(conn, query, whole, last, range, exact),
    }
}

/// The condition for a term that may be a prefix, without reading rows.
fn prefix_condition(conn: &Connection, term: &str) -> Result<String> {
    let words = match Prefix::of(term).filter(|_| term.chars().nth(1).is_some()) {
        None => return Ok(format!("\"{term}\"")),
        Some(prefix) => prefix.words(conn)?,
    };
    Ok(match words {
        Some(words) if words.is_empty() => format!("\"{term}\""),
        Some(words) => any_of(&words),
        None => format!("\"{term}\"*"),
    })
}

fn any_of(words: &[String]) -> String {
    format!("(\"{}\")", words.join("\" OR \""))
}

/// FTS5 collects the rows of every word with the prefix before it returns the first. So if such
/// words are common or many, the newest requests are scanned; if they are few, the index is queried
/// for them as whole words. `exact` is the result for the last term as a whole word, if known.
fn by_prefix(
    conn: &Connection,
    query: &InboxQuery,
    whole: &[String],
    last: &str,
    range: SeqRange,
    exact: Option<(Vec<Request>, Words)>,
) -> Result<Found> {
    let found = |requests, words| {
        Ok(Found {
            requests,
            kind: CursorKind::Prefix,
            words,
        })
    };
    let fts_prefix = || format!("\"{last}\"*");
    let condition = match Prefix::of(last) {
        None => fts_prefix(),
        Some(prefix) => {
            let scan = |extent| scan(conn, query, whole, &prefix, range, extent);
            if let Some(page) = scan(Scan::Sample)? {
                return found(page, None);
            }
            match (prefix.words(conn)?, exact) {
                (Some(words), _) if words.is_empty() => format!("\"{last}\""),
                (Some(words), Some((requests, exact))) if prefix.is(&words) => {
                    return found(requests, Some(exact));
                }
                (Some(words), _) => any_of(&words),
                (None, _) => match scan(Scan::Full)? {
                    Some(page) => return found(page, None),
                    None => fts_prefix(),
                },
            }
        }
    };
    let (requests, words) = search(conn, query, whole, &condition, range)?;
    found(requests, Some(words).filter(|_| !condition.ends_with('*')))
}

/// Scans the newest requests that pass the filter and have the whole words. `None` if the scan
/// stopped before the page was complete.
fn scan(
    conn: &Connection,
    query: &InboxQuery,
    whole: &[String],
    prefix: &Prefix,
    range: SeqRange,
    extent: Scan,
) -> Result<Option<Vec<Request>>> {
    let words = match whole {
        [] => None,
        _ => Some(Words::new(conn, expression(whole, None))?),
    };
    let (mut page, mut scanned, mut is_rare) = (Vec::new(), 0, false);
    let order = Order::NewestFirst;
    let mut reader = WordReader::new(conn)?;
    walk(
        conn,
        &query.filter,
        words.as_ref(),
        range,
        order,
        &mut |row| {
            scanned += 1;
            let words = reader.read(row)?;
            if words.split(' ').any(|word| prefix.matches(word)) {
                page.push(read_request(row)?);
            }
            is_rare =
                extent == Scan::Sample && scanned == SAMPLE && page.len() < SAMPLE as usize / 8;
            let is_full = page.len() > query.limit || scanned == FULL_SCAN;
            Ok(match is_rare || is_full {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        },
    )?;
    let is_known = page.len() > query.limit || (scanned < FULL_SCAN && !is_rare);
    Ok(is_known.then_some(page))
}

/// The requests of a page and one more with all of the words.
fn search(
    conn: &Connection,
    query: &InboxQuery,
    whole: &[String],
    condition: &str,
    range: SeqRange,
) -> Result<(Vec<Request>, Words)> {
    let words = Words::new(conn, expression(whole, Some(condition)))?;
    let (filter, limit) = (&query.filter, query.limit + 1);
    let found = first(conn, filter, Some(&words), range, Order::NewestFirst, limit)?;
    Ok((found, words))
}
