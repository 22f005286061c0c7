//! Conversions of columns to values, shared by the files of the store.

use std::fmt::Display;

use rusqlite::types::{FromSqlResult, Type, ValueRef};
use rusqlite::{Error, Row, RowIndex};

use domain::account::Person;
use domain::clock::Time;
use domain::form::ExtraFields;
use domain::request::attribution::Attribution;
use domain::text::strip_invisible;

/// Inserts a row from column names and values. Named parameters would be looked up one by one at
/// each insertion: 2 % of the server's CPU time for the twenty of a quote.
macro_rules! insert_row {
    ($conn:expr, $table:literal,
     { $first:ident: $value:expr, $($column:ident: $other:expr),+ $(,)? }) => {{
        const SQL: &str = concat!(
            "INSERT INTO ", $table, " (", stringify!($first), $(", ", stringify!($column),)+
            ") VALUES (?", $($crate::database::row::insert_row!(@parameter $column),)+ ")"
        );
        let mut insert = $conn.prepare_cached(SQL)?;
        insert.execute(rusqlite::params![$value, $($other),+])
    }};
    (@parameter $column:ident) => { ", ?" };
}
pub(crate) use insert_row;

pub(crate) fn corrupt(column: impl Display) -> Error {
    Error::FromSqlConversionFailure(
        0,
        Type::Text,
        format!("{column} has an invalid value").into(),
    )
}

/// A column by its name or its number.
pub(crate) trait NamedColumn: RowIndex + Display + Copy {}
impl<T: RowIndex + Display + Copy> NamedColumn for T {}

pub(crate) fn time(row: &Row<'_>, column: impl NamedColumn) -> rusqlite::Result<Time> {
    optional_time(row, column)?.ok_or_else(|| corrupt(column))
}

/// A time or NULL.
pub(crate) fn optional_time(
    row: &Row<'_>,
    column: impl NamedColumn,
) -> rusqlite::Result<Option<Time>> {
    let text = row.get_ref(column)?.as_str_or_null()?;
    text.map(|text| Time::parse(text).ok_or_else(|| corrupt(column)))
        .transpose()
}

/// The person whose id, address and name are in these columns; `None` if there is no id.
pub(crate) fn person<C: RowIndex>(
    row: &Row<'_>,
    [id, email, name]: [C; 3],
) -> rusqlite::Result<Option<Person>> {
    let id: Option<String> = row.get(id)?;
    let person = id.map(|id| {
        Ok(Person {
            id,
            email: row.get(email)?,
            name: row.get(name)?,
        })
    });
    person.transpose()
}

/// A text that names a value, as `parse` reads it.
pub(crate) fn named<T>(
    row: &Row<'_>,
    column: impl NamedColumn,
    parse: impl Fn(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    parse(row.get_ref(column)?.as_str()?).ok_or_else(|| corrupt(column))
}

/// A JSON value.
pub(crate) fn json<T: serde::de::DeserializeOwned>(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<T> {
    serde_json::from_str(&row.get::<_, String>(column)?).map_err(|_| corrupt(column))
}

/// The JSON text of a value.
pub(crate) fn text(value: &impl serde::Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| Error::ToSqlConversionFailure(error.into()))
}

/// A visitor's text without invisible characters. Rows from before the cleaning of input may
/// contain some.
pub(crate) fn visible_text(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<String> {
    Ok(strip_invisible(row.get_ref(column)?.as_str()?).into_owned())
}

/// The same for a text or NULL.
pub(crate) fn optional_visible_text(
    row: &Row<'_>,
    column: impl RowIndex,
) -> rusqlite::Result<Option<String>> {
    let text = row.get_ref(column)?.as_str_or_null()?;
    Ok(text.map(|text| strip_invisible(text).into_owned()))
}

/// The attribution of a visit. Invalid JSON counts as none, so that the row can still be read.
pub(crate) fn attribution(
    row: &Row<'_>,
    column: impl RowIndex,
) -> rusqlite::Result<Option<Attribution>> {
    Ok(parse_attribution(row.get_ref(column)?)?)
}

/// The same of a value.
pub(crate) fn parse_attribution(value: ValueRef<'_>) -> FromSqlResult<Option<Attribution>> {
    let text = value.as_str_or_null()?;
    Ok(text.and_then(|text| serde_json::from_str(&strip_invisible(text)).ok()))
}

/// The JSON text of the fields without a column, NULL if there are none.
pub(crate) fn extra_fields(fields: &ExtraFields) -> rusqlite::Result<Option<String>> {
    (!fields.is_empty()).then(|| text(fields)).transpose()
}
