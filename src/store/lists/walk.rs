//! Reads the requests that pass a filter in the order of a list: in SQL, by an index of the table
//! or by the full-text index, without sorting many rows.

use std::ops::ControlFlow;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::conditions::Conditions;
use super::filter::{RequestFilter, SeqRange};
use super::parts::Part;
use crate::inbox::columns::{columns, read_request};
use crate::{Result, query};
use domain::request::Request;

/// The words of a search.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    /// The FTS5 query.
    expression: String,
    is_rare: bool,
}

/// Requests with rare words, which are read before a filter is applied.
const FEW_MATCHES: i64 = 64;
/// Requests that pass a rare filter, which are read before common words are looked for.
const FEW_REQUESTS: i64 = 500;

impl Words {
    pub(crate) fn new(conn: &Connection, expression: String) -> Result<Self> {
        // A bare `LIMIT ?2` would be prepared again at each execution.
        let sql = "SELECT count(*) FROM (
            SELECT 1 FROM request_words WHERE request_words MATCH ?1 LIMIT ?2 + 0)";
        let limited = (&expression, FEW_MATCHES);
        let found: i64 = query::one(conn, sql, limited, |row| row.get(0))?;
        Ok(Self {
            expression,
            is_rare: found < FEW_MATCHES,
        })
    }
}

/// What is read first.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// The requests that pass the filter.
    Table,
    /// The requests that pass the filter, of which those with this FTS5 query are taken.
    TableWithWords(&'a str),
    /// The requests with this FTS5 query, of which those that pass the filter are taken.
    Words(&'a str),
}

impl<'a> Source<'a> {
    /// The one by which the fewest requests are read.
    pub(crate) fn of(
        conn: &Connection,
        filter: &RequestFilter,
        words: Option<&'a Words>,
    ) -> Result<Self> {
        let Some(Words {
            expression,
            is_rare,
        }) = words
        else {
            return Ok(Self::Table);
        };
        Ok(match *is_rare || !has_few(conn, filter)? {
            true => Self::Words(expression),
            false => Self::TableWithWords(expression),
        })
    }
}

/// Whether few requests pass the filter.
fn has_few(conn: &Connection, filter: &RequestFilter) -> Result<bool> {
    if filter.parts().iter().any(|part| part.index.is_none()) {
        return Ok(false);
    }
    let (sql, values) = statement("seq", filter, Source::Table, filter.range());
    let sql = format!("SELECT count(*) FROM ({sql} LIMIT {FEW_REQUESTS})");
    let found: i64 = query::one(conn, &sql, params_from_iter(values), |row| row.get(0))?;
    Ok(found < FEW_REQUESTS)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
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
pub(crate) type Visit<'a> = dyn FnMut(&Row<'_>) -> Result<ControlFlow<()>> + 'a;

/// Calls `visit` with each request in `range` that passes the filter and has the words, until it
/// breaks.
pub(crate) fn walk(
    conn: &Connection,
    filter: &RequestFilter,
    words: Option<&Words>,
    range: SeqRange,
    order: Order,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let source = Source::of(conn, filter, words)?;
    let (sql, values) = list(filter, source, range, order);
    let mut rows = conn.prepare_cached(&sql)?;
    let mut rows = rows.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        if visit(row)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// The first `limit` requests in `range` that pass the filter and have the words.
pub(crate) fn first(
    conn: &Connection,
    filter: &RequestFilter,
    words: Option<&Words>,
    range: SeqRange,
    order: Order,
    limit: usize,
) -> Result<Vec<Request>> {
    let mut found = Vec::new();
    if limit > 0 {
        walk(conn, filter, words, range, order, &mut |row| {
            found.push(read_request(row)?);
            Ok(match found.len() < limit {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })
        })?;
    }
    Ok(found)
}

/// The statement of a list, and its values.
pub(crate) fn list(
    filter: &RequestFilter,
    source: Source<'_>,
    range: SeqRange,
    order: Order,
) -> (String, Vec<Value>) {
    let (sql, values) = statement(columns!(), filter, source, range);
    // FTS5 reads its row lists in both orders, and says so of its own column only.
    let column = match source {
        Source::Words(_) => "request_words.rowid",
        _ => "seq",
    };
    (format!("{sql} ORDER BY {column} {}", order.sql()), values)
}

/// A statement that selects from each part of the requests that pass the filter. SQLite merges the
/// parts in their order without sorting.
pub(crate) fn statement(
    select: &str,
    filter: &RequestFilter,
    source: Source<'_>,
    range: SeqRange,
) -> (String, Vec<Value>) {
    if let Source::Words(expression) = source {
        let mut all = filter.conditions(&[]);
        all.bind("request_words MATCH ?", expression.to_owned());
        bind_range(&mut all, "request_words.rowid", range);
        let sql = format!(
            "SELECT {select} FROM request_words CROSS JOIN requests ON seq = request_words.rowid
             WHERE {}",
            all.sql()
        );
        return (sql, all.values);
    }
    let parts = filter.parts();
    let mut all = filter.conditions(&parts);
    bind_range(&mut all, "seq", range);
    if let Source::TableWithWords(expression) = source {
        let has_words = "EXISTS (SELECT 1 FROM request_words
            WHERE request_words.rowid = seq AND request_words MATCH ?)";
        all.bind(has_words, expression.to_owned());
    }
    of_parts(&parts, all, |_| (select.to_owned(), ""))
}

/// The statement that counts the requests in `range` that pass the filter, by status.
pub(crate) fn count_by_status(filter: &RequestFilter, range: SeqRange) -> (String, Vec<Value>) {
    let parts = filter.counted_parts();
    let mut all = filter.conditions(&parts);
    bind_range(&mut all, "seq", range);
    // To group the rows of one status would take half of the time.
    of_parts(&parts, all, |part| match part.status {
        Some(status) => (format!("'{}', count(*)", status.as_str()), ""),
        None => ("status, count(*)".to_owned(), " GROUP BY status"),
    })
}

/// Of each part what `select` says, and how it is grouped.
fn of_parts(
    parts: &[Part],
    all: Conditions,
    select: impl Fn(&Part) -> (String, &'static str),
) -> (String, Vec<Value>) {
    let conditions = all.sql();
    let of_part = |part: &Part| {
        let (columns, group) = select(part);
        let index = part
            .index
            .map_or("NOT INDEXED".to_owned(), |it| format!("INDEXED BY {it}"));
        format!(
            "SELECT {columns} FROM requests {index} WHERE {} AND {conditions}{group}",
            part.condition
        )
    };
    if parts.is_empty() {
        // No status passes.
        let none = Part {
            condition: "FALSE".to_owned(),
            ..Part::default()
        };
        return (of_part(&none), all.values);
    }
    let selects: Vec<String> = parts.iter().map(of_part).collect();
    (selects.join(" UNION ALL "), all.values)
}

fn bind_range(all: &mut Conditions, column: &str, range: SeqRange) {
    all.bind(&format!("{column} >= ?"), range.first);
    all.bind(&format!("{column} < ?"), range.end);
}
