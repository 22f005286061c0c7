//! The query of a page of the quote list, and its cursors. A cursor is a tag for its kind and the
//! `seq` of the last quote on the page.

use rusqlite::Connection;

use super::quote_columns::{read_with_seq, select_list};
use super::{Error, Result};
use crate::domain::quote::{Quote, Status};

/// Which quotes, and how many.
#[derive(Clone, Debug, Default)]
pub struct QuoteQuery {
    /// Only quotes in this status.
    pub status: Option<Status>,
    /// Only quotes that contain all these words; the last may be the prefix of one.
    pub search: String,
    /// Quotes per page.
    pub limit: usize,
    /// The cursor of the previous page.
    pub cursor: Option<String>,
}

/// Quotes with their positions (`seq`), newest first.
pub(super) type QuotesWithSeq = Vec<(i64, Quote)>;

/// How the quotes of a list are found. The next page is found in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CursorKind {
    /// By time, without a search.
    Time,
    /// By whole words.
    Words,
    /// By whole words, and the last one as a prefix.
    Prefix,
}

impl CursorKind {
    const fn tag(self) -> char {
        match self {
            Self::Time => 't',
            Self::Words => 'w',
            Self::Prefix => 'b',
        }
    }

    /// The cursor after the quote at `seq`.
    pub(super) fn after(self, seq: i64) -> String {
        format!("{}{seq}", self.tag())
    }
}

impl QuoteQuery {
    /// The kind of the cursor, one of `kinds`, and the `seq` below which the page starts. A first
    /// page has the first of `kinds`.
    ///
    /// # Errors
    /// `Conflict` for a cursor of another list.
    pub(super) fn position(&self, kinds: &[CursorKind]) -> Result<(CursorKind, i64)> {
        let Some(cursor) = &self.cursor else {
            return Ok((*kinds.first().ok_or(Error::Failed)?, i64::MAX));
        };
        let parse = |kind: &CursorKind| {
            let seq = cursor.strip_prefix(kind.tag())?.parse().ok()?;
            Some((*kind, seq))
        };
        kinds
            .iter()
            .find_map(parse)
            .ok_or_else(|| Error::Conflict("this cursor does not belong to this list".into()))
    }

    /// How many rows to read: the one after the page shows that there is a next page.
    pub(super) fn limit_plus_one(&self) -> i64 {
        i64::try_from(self.limit)
            .unwrap_or(i64::MAX)
            .saturating_add(1)
    }
}

/// All quotes: `?1` is the `seq` to start below, `?2` the number of rows.
pub(super) const BY_TIME: &str = concat!(
    "SELECT ",
    select_list!(),
    " FROM quotes WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2"
);
/// The same with the status `?3`.
pub(super) const BY_STATUS: &str = concat!(
    "SELECT ",
    select_list!(),
    " FROM quotes WHERE seq < ?1 AND status = ?3 ORDER BY seq DESC LIMIT ?2"
);

/// Newest first, from the table or from the index by status.
pub(super) fn by_time(
    conn: &Connection,
    query: &QuoteQuery,
) -> Result<(QuotesWithSeq, CursorKind)> {
    let (kind, before) = query.position(&[CursorKind::Time])?;
    let limit = query.limit_plus_one();
    let quotes = match query.status {
        None => conn
            .prepare_cached(BY_TIME)?
            .query_map((before, limit), read_with_seq)?
            .collect::<rusqlite::Result<_>>()?,
        Some(status) => conn
            .prepare_cached(BY_STATUS)?
            .query_map((before, limit, status.as_str()), read_with_seq)?
            .collect::<rusqlite::Result<_>>()?,
    };
    Ok((quotes, kind))
}
