//! Conversions of columns to values, shared by the files of the store.

use std::collections::BTreeMap;
use std::fmt::Display;

use poem_openapi::types::Any;
use rusqlite::types::{FromSql, FromSqlResult, Type, ValueRef};
use rusqlite::{Error, Row, RowIndex};
use serde_json::Value;

use domain::account::{Aal, AuthMethod, EmailChangeSide, FactorStatus, Metadata, Person};
use domain::clock::Time;
use domain::delivery::DeliveryState;
use domain::form::ExtraFields;
use domain::offer::draft::OfferDraft;
use domain::offer::rates::Rates;
use domain::offer::state::OfferState;
use domain::on_call::alarm::{AlarmKind, AlarmState, Channel};
use domain::request::attribution::Attribution;
use domain::request::outcome::Outcome;
use domain::storage::ScanState;
use domain::text::strip_invisible;
use domain::webhook::Shape;

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

/// A value as a column holds it.
pub(crate) trait Stored: Sized {
    fn of(value: ValueRef<'_>) -> FromSqlResult<Self>;
}

/// The value of a column.
pub(crate) fn column<T: Stored>(row: &Row<'_>, column: impl NamedColumn) -> rusqlite::Result<T> {
    T::of(row.get_ref(column)?).map_err(|_| corrupt(column))
}

/// A value of which some fields are columns: those of the same name, or of the name that is said.
/// What follows the semicolon is no column. Without a row, it is the function that reads one.
macro_rules! read_row {
    ($row:ident => $type:ident { $($field:ident $(: $column:literal)?),+ $(,)?
     $(; $($other:ident $(: $value:expr)?),+ $(,)?)? }) => {
        Ok::<_, rusqlite::Error>($type {
            $($field: {
                let name = $crate::database::row::read_row!(@name $field $($column)?);
                $crate::database::row::column($row, name)?
            },)+
            $($($other $(: $value)?,)+)?
        })
    };
    ($type:ident => $($fields:tt)+) => {
        |row: &rusqlite::Row<'_>| $crate::database::row::read_row!(row => $type { $($fields)+ })
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $column:literal) => { $column };
}
pub(crate) use read_row;

impl<T: Stored> Stored for Option<T> {
    fn of(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Null => Ok(None),
            value => T::of(value).map(Some),
        }
    }
}

/// Implements `Stored` for types: by a function of the column's value, or for what is stored as
/// the `text` of an enum or as `json`.
macro_rules! stored {
    (text: $($type:ty),+ $(,)?) => {
        $crate::database::row::stored!($($type),+ => |value| {
            Self::parse(value.as_str()?).ok_or(rusqlite::types::FromSqlError::InvalidType)
        });
    };
    (json: $($type:ty),+ $(,)?) => {
        $crate::database::row::stored!($($type),+ => |value| {
            serde_json::from_str(value.as_str()?).map_err(rusqlite::types::FromSqlError::other)
        });
    };
    ($($type:ty),+ => |$value:ident| $read:expr) => {$(
        impl $crate::database::row::Stored for $type {
            fn of($value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                $read
            }
        }
    )+};
}
pub(crate) use stored;

stored!(bool, f64, i64, String, u8, u16, u32, Vec<u8> => |value| FromSql::column_result(value));
stored!(u64 => |value| Ok(value.as_i64()?.cast_unsigned()));
stored!(Any<Metadata> => |value| Stored::of(value).map(Any));
stored!(text: Aal, AlarmKind, AlarmState, Channel, DeliveryState, EmailChangeSide, FactorStatus);
stored!(text: OfferState, Outcome, ScanState, Shape, Time);
stored!(json: BTreeMap<String, String>, Metadata, OfferDraft, Rates, Value, Vec<AuthMethod>);
stored!(json: Vec<String>);

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
