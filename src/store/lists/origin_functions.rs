//! Functions of a connection for filters by the origin of a visit, which only the program knows.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};

use crate::database::row::parse_attribution;
use domain::figures::source::Origin;

/// Adds `origin_source`, `origin_campaign` and `origin_entry_page` of `(source, attribution)`.
pub(crate) fn add(conn: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    conn.create_scalar_function("origin_source", 2, flags, |it| {
        Ok(origin(it)?.source.as_str())
    })?;
    conn.create_scalar_function("origin_campaign", 2, flags, |it| Ok(origin(it)?.campaign))?;
    conn.create_scalar_function("origin_entry_page", 2, flags, |it| {
        Ok(origin(it)?.entry_page)
    })
}

fn origin(arguments: &Context<'_>) -> rusqlite::Result<Origin> {
    let is_by_phone = arguments.get_raw(0).as_str()? == "phone";
    let from = parse_attribution(arguments.get_raw(1))?;
    Ok(Origin::of(is_by_phone, from.as_ref()))
}
