//! Functions of a connection for filters by the origin of a visit, which only the program knows.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};

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

/// Attribution that is no JSON counts as none.
fn origin(arguments: &Context<'_>) -> rusqlite::Result<Origin> {
    let is_by_phone = arguments.get_raw(0).as_str()? == "phone";
    let from = arguments.get_raw(1).as_str_or_null()?;
    let from = from.and_then(|text| serde_json::from_str(text).ok());
    Ok(Origin::of(is_by_phone, from.as_ref()))
}
