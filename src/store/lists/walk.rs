//! Reads the requests that pass a filter in the order of a list, from the table or the search
//! index, without skipping or sorting rows.

use std::ops::ControlFlow;

use rusqlite::{Connection, Row, ToSql};

use super::filter::{RequestFilter, SeqRange};
use super::filter_expression::words_expression;
use crate::domain::request::Request;
use crate::store::Result;
use crate::store::inbox::columns::{BY_SEQ, IndexedColumns, columns, read_request};

/// The source of the requests of a list.
#[derive(Clone, Debug)]
pub(in crate::store) enum Source {
    /// In the order of the table.
    Table,
    /// In the search index, by this FTS5 query.
    Index(String),
    /// Among these `seq`, newest first.
    Few(Vec<i64>),
}

/// Maximum number of requests that are read one by one and checked against a filter.
const MAX_FEW: usize = 64;

impl Source {
    /// The fastest source of the requests with these whole words.
    pub(in crate::store) fn of(
        filter: &RequestFilter,
        whole: &[String],
        condition: Option<&str>,
    ) -> Self {
        if whole.is_empty() && condition.is_none() && !filter.has_properties() {
            return Self::Table;
        }
        Self::Index(filter.expression(whole, condition))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Order {
    NewestFirst,
    OldestFirst,
}

impl Order {
    const fn sql(self) -> &'static str {
        match self {
            Self::NewestFirst => "DESC",
            Self::OldestFirst => "ASC",
        }
    }
}

/// The action for a row of `columns!`.
pub(in crate::store) type Visit<'a> = dyn FnMut(&Row<'_>) -> Result<ControlFlow<()>> + 'a;

/// Calls `visit` with each request in `range` that passes the filter, until it breaks.
pub(in crate::store) fn walk(
    conn: &Connection,
    filter: &RequestFilter,
    source: &Source,
    range: SeqRange,
    order: Order,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let mut visit_match = |row: &Row<'_>| match filter.matches(&IndexedColumns::read(row)?) {
        true => visit(row),
        false => Ok(ControlFlow::Continue(())),
    };
    match source {
        Source::Table => {
            let sql = table_sql(order);
            visit_rows(conn, &sql, &[&range.first, &range.end], &mut visit_match)
        }
        Source::Index(expression) => {
            let sql = index_sql(order);
            let mut rows = conn.prepare_cached(&sql)?;
            let mut rows = rows.query((range.first, range.end, expression))?;
            while let Some(row) = rows.next()? {
                if visit_seq(conn, row.get(0)?, &mut visit_match)?.is_break() {
                    break;
                }
            }
            Ok(())
        }
        Source::Few(seqs) => {
            let mut seqs = seqs.clone();
            if order == Order::OldestFirst {
                seqs.reverse();
            }
            for seq in seqs {
                if visit_seq(conn, seq, &mut visit_match)?.is_break() {
                    break;
                }
            }
            Ok(())
        }
    }
}

fn visit_seq(conn: &Connection, seq: i64, visit: &mut Visit<'_>) -> Result<ControlFlow<()>> {
    let mut find = conn.prepare_cached(BY_SEQ)?;
    let mut found = find.query([seq])?;
    match found.next()? {
        Some(row) => visit(row),
        None => Ok(ControlFlow::Continue(())),
    }
}

/// The fastest source of the requests with these words. The row lists of properties are long, and
/// FTS5 reads them from their beginning: a few requests with a rare word are read one by one.
/// Otherwise a rare word among a million requests takes 4.5 times as long as among a thousand.
pub(in crate::store) fn source_of_words(
    conn: &Connection,
    filter: &RequestFilter,
    whole: &[String],
    condition: &str,
    range: SeqRange,
) -> Result<Source> {
    let words = words_expression(whole, Some(condition)).join(" AND ");
    let mut rows = conn.prepare_cached(&index_sql(Order::NewestFirst))?;
    let mut rows = rows.query((range.first, range.end, words))?;
    let mut few = Vec::new();
    while let Some(row) = rows.next()? {
        if few.len() == MAX_FEW {
            return Ok(Source::of(filter, whole, Some(condition)));
        }
        few.push(row.get(0)?);
    }
    Ok(Source::Few(few))
}

/// The first `limit` requests in `range` that pass the filter.
pub(in crate::store) fn first(
    conn: &Connection,
    filter: &RequestFilter,
    source: &Source,
    range: SeqRange,
    order: Order,
    limit: usize,
) -> Result<Vec<Request>> {
    let mut found = Vec::new();
    if limit > 0 {
        walk(conn, filter, source, range, order, &mut |row| {
            found.push(read_request(row)?);
            Ok(match found.len() < limit {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })
        })?;
    }
    Ok(found)
}

fn visit_rows(
    conn: &Connection,
    sql: &str,
    parameters: &[&dyn ToSql],
    visit: &mut Visit<'_>,
) -> Result<()> {
    let mut rows = conn.prepare_cached(sql)?;
    let mut rows = rows.query(parameters)?;
    while let Some(row) = rows.next()? {
        if visit(row)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// The requests from `?1` to below `?2` in the search index that match `?3`. FTS5 reads its row
/// lists in both orders without sorting.
pub(in crate::store) fn index_sql(order: Order) -> String {
    format!(
        "SELECT rowid FROM request_words WHERE rowid >= ?1 AND rowid < ?2 \
         AND request_words MATCH ?3 ORDER BY rowid {}",
        order.sql()
    )
}

/// The requests from `?1` to below `?2`.
pub(in crate::store) fn table_sql(order: Order) -> String {
    format!(
        "SELECT {} FROM requests WHERE seq >= ?1 AND seq < ?2 ORDER BY seq {}",
        columns!(),
        order.sql()
    )
}
