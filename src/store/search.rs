//! The queue by words, newest first: all of them needed, the last perhaps unfinished. How texts are cut into words is in `words`, the lists without words
//! are in `queue`.

use rusqlite::{Connection, ToSql};

use super::Result;
use super::prefix::Prefix;
use super::quote_list::{
    BY_STATUS, BY_TIME, Found, QuoteQuery, limit_plus_one, position, with_seq,
};
use super::quotes::columns;
use super::search_index::{searchable, status_word, words};
use crate::domain::quote::{Quote, Status};

/// Quotes that are looked at one by one for an unfinished word. Where so many do not fill a page, the word is rare, and the index finds its rows in a
/// few milliseconds.
const FAR: u32 = 2000;
/// Quotes that tell whether a word is common: an eighth of them has it.
const GLANCE: u32 = 24;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scan {
    /// Goes on only where the word is common.
    Glance,
    /// Goes as far as `FAR`.
    Far,
}

/// At most eight words, cut as those in the index are.
pub(super) fn terms(words: &str) -> Vec<String> {
    searchable(words).take(8).map(str::to_owned).collect()
}

/// Whole words are tried first. Only where they do not fill a page is the last word taken for the beginning of one.
pub(super) fn by_words(conn: &Connection, listing: &QuoteQuery, terms: &[String]) -> Result<Found> {
    let (way, before) = position(listing, "wb")?;
    let Some((last, whole)) = terms.split_last() else {
        return Ok((Vec::new(), way));
    };
    if way == 'b' {
        return Ok((
            by_beginning(conn, listing, (whole, last), before, None)?,
            'b',
        ));
    }
    let found = search(conn, listing, &expression(listing, terms, None), before)?;
    let unfinished = last.chars().nth(1).is_some();
    if listing.cursor.is_some() || found.len() > listing.limit || !unfinished {
        return Ok((found, 'w'));
    }
    Ok((
        by_beginning(conn, listing, (whole, last), before, Some(found))?,
        'b',
    ))
}

/// The index would gather the rows of every word that begins so before it gives the first. So the newest quotes are looked at instead where such words are
/// common or many; where they are few they are named, and their lists are walked as those of whole words are. `exact` is what the last word has found as a whole
/// one, if that is known.
fn by_beginning(
    conn: &Connection,
    listing: &QuoteQuery,
    (whole, last): (&[String], &str),
    before: i64,
    exact: Option<Vec<(i64, Quote)>>,
) -> Result<Vec<(i64, Quote)>> {
    let unfinished = || format!("\"{last}\"*");
    let sought = match Prefix::of(last) {
        None => unfinished(),
        Some(beginning) => {
            let walk = |pace| walk(conn, listing, whole, &beginning, (before, pace));
            if let Some(page) = walk(Scan::Glance)? {
                return Ok(page);
            }
            match (beginning.words(conn)?, exact) {
                (Some(words), _) if words.is_empty() => return Ok(Vec::new()),
                (Some(words), Some(exact)) if beginning.is(&words) => return Ok(exact),
                (Some(words), _) => format!("(\"{}\")", words.join("\" OR \"")),
                (None, _) => match walk(Scan::Far)? {
                    Some(page) => return Ok(page),
                    None => unfinished(),
                },
            }
        }
    };
    search(
        conn,
        listing,
        &expression(listing, whole, Some(sought)),
        before,
    )
}

/// Looks at the newest quotes that have the status and the whole words; none where they are too many to say what the page holds.
fn walk(
    conn: &Connection,
    listing: &QuoteQuery,
    whole: &[String],
    beginning: &Prefix,
    (before, pace): (i64, Scan),
) -> Result<Option<Vec<(i64, Quote)>>> {
    let status = listing.status.map(Status::word);
    let expression = expression(listing, whole, None);
    let (sql, parameters): (_, &[&dyn ToSql]) = match (whole, &status) {
        ([], None) => (BY_TIME, &[&before, &FAR]),
        ([], Some(status)) => (BY_STATUS, &[&before, &FAR, status]),
        _ => (BY_WORDS, &[&before, &FAR, &expression]),
    };
    let mut quotes = conn.prepare_cached(sql)?;
    let mut quotes = quotes.query(parameters)?;
    let (mut page, mut seen) = (Vec::new(), 0);
    while let Some(quote) = quotes.next()? {
        seen += 1;
        if words(quote)?.any(|word| beginning.begins(&word)) {
            page.push(with_seq(quote)?);
        }
        if page.len() > listing.limit {
            return Ok(Some(page));
        }
        if pace == Scan::Glance && seen == GLANCE && page.len() < GLANCE as usize / 8 {
            return Ok(None);
        }
    }
    Ok((seen < FAR).then_some(page))
}

/// FTS5 walks its lists in the order of the queue without sorting.
pub(super) const BY_WORDS: &str = concat!(
    "SELECT ",
    columns!(),
    ", quotes.seq FROM quote_words JOIN quotes ON quotes.seq = quote_words.rowid
     WHERE quote_words.rowid < ?1 AND quote_words MATCH ?3 ORDER BY quote_words.rowid DESC LIMIT ?2"
);

fn search(
    conn: &Connection,
    listing: &QuoteQuery,
    expression: &str,
    before: i64,
) -> Result<Vec<(i64, Quote)>> {
    let mut find = conn.prepare_cached(BY_WORDS)?;
    let rows = find.query_map(
        (before, limit_plus_one(listing.limit), expression),
        with_seq,
    )?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// What FTS5 is asked for: the status, each of the whole words, and what is `sought` beside them.
fn expression(listing: &QuoteQuery, whole: &[String], sought: Option<String>) -> String {
    let status = listing.status.map(|status| status_word(status).to_owned());
    let whole = whole.iter().map(|word| format!("\"{word}\""));
    let all: Vec<_> = status.into_iter().chain(whole).chain(sought).collect();
    all.join(" AND ")
}
