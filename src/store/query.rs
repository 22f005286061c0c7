//! Queries with a statement that the connection keeps prepared.

use rusqlite::{Connection, OptionalExtension, Params, Row};

use crate::{Error, Result};

/// All rows of a query, each as `read` gives it.
pub(crate) fn all<T, C: FromIterator<T>>(
    conn: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<C> {
    let mut find = conn.prepare_cached(sql)?;
    let rows = find.query_map(values, read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Calls `visit` with each row of a query.
pub(crate) fn each(
    conn: &Connection,
    sql: &str,
    values: impl Params,
    mut visit: impl FnMut(&Row<'_>) -> Result<()>,
) -> Result<()> {
    let mut find = conn.prepare_cached(sql)?;
    let mut rows = find.query(values)?;
    while let Some(row) = rows.next()? {
        visit(row)?;
    }
    Ok(())
}

/// The first row of a query. Errors: `Missing` if there is none.
pub(crate) fn one<T>(
    conn: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<T> {
    Ok(conn.prepare_cached(sql)?.query_row(values, read)?)
}

/// The first row of a query; `None` if there is none.
pub(crate) fn optional<T>(
    conn: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>> {
    let mut find = conn.prepare_cached(sql)?;
    Ok(find.query_row(values, read).optional()?)
}

/// Whether a query has a row.
pub(crate) fn exists(conn: &Connection, sql: &str, values: impl Params) -> Result<bool> {
    Ok(conn.prepare_cached(sql)?.exists(values)?)
}

/// Changes rows. Errors: `Missing` if there are none.
pub(crate) fn change(conn: &Connection, sql: &str, values: impl Params) -> Result<()> {
    match execute(conn, sql, values)? {
        0 => Err(Error::Missing),
        _ => Ok(()),
    }
}

/// Runs a statement.
pub(crate) fn run(conn: &Connection, sql: &str, values: impl Params) -> Result<()> {
    execute(conn, sql, values).map(drop)
}

/// Runs a statement; returns how many rows it has changed.
pub(crate) fn execute(conn: &Connection, sql: &str, values: impl Params) -> Result<usize> {
    Ok(conn.prepare_cached(sql)?.execute(values)?)
}
