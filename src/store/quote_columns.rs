//! The columns of a quote, in one list: what `SELECT` names, how each value is read, what `INSERT`
//! binds, what the search index holds, and the fields of an export. A new field is added here and
//! to the values of `quotes::insert`, which does not compile without it.

use std::iter;

use rusqlite::Row;
use rusqlite::types::FromSql;

use super::row::{attribution, optional_visible_text, visible_text};
use crate::domain::quote::{Quote, Status};

macro_rules! define_columns {
    ($($name:ident: $read:ident,)*) => {
        /// Column names in the order of an exported record.
        pub const COLUMNS: [&str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];

        #[derive(Clone, Copy)]
        #[expect(non_camel_case_types, reason = "the variants are the names of the columns")]
        enum Column { $($name),* }

        /// The columns for `SELECT` and `RETURNING`: `COLUMNS`, then `seq`.
        macro_rules! select_list {
            () => { concat!($("quotes.", stringify!($name), ", ",)* "quotes.seq") };
        }

        /// Inserts one quote; each parameter has the name of its column.
        pub(super) const INSERT: &str = concat!(
            "INSERT INTO quotes (seq, demo", $(", ", stringify!($name),)*
            ") VALUES (:seq, :demo", $(", :", stringify!($name),)* ")"
        );

        /// Reads a quote from a row of `select_list!`.
        pub(super) fn read_quote(row: &Row<'_>) -> rusqlite::Result<Quote> {
            Ok(Quote { $($name: $read(row, Column::$name as usize)?),* })
        }
    };
}

// The specification's record, then when it last changed and where the visit came from (JSON).
define_columns! {
    id: value,
    created_at: value,
    first_name: visible_text,
    last_name: visible_text,
    email: visible_text,
    phone: visible_text,
    company: optional_visible_text,
    service_type: value,
    duration: value,
    start_date: value,
    location: visible_text,
    description: optional_visible_text,
    status: status,
    emergency_contact: value,
    updated_at: value,
    attribution: attribution,
}
pub(super) use select_list;

/// Columns whose words the search index holds. The phone number is indexed as bare digits too.
const SEARCHED: [Column; 8] = [
    Column::first_name,
    Column::last_name,
    Column::email,
    Column::phone,
    Column::company,
    Column::service_type,
    Column::location,
    Column::description,
];

/// Reads the position of a quote in the list from a row of `select_list!`.
pub(super) fn read_seq(row: &Row<'_>) -> rusqlite::Result<i64> {
    row.get(COLUMNS.len())
}

/// Reads a quote and its position from a row of `select_list!`.
pub(super) fn read_with_seq(row: &Row<'_>) -> rusqlite::Result<(i64, Quote)> {
    Ok((read_seq(row)?, read_quote(row)?))
}

/// The texts of a row of `select_list!` that can be searched.
pub(super) struct SearchedTexts<'a> {
    pub status: Status,
    pub phone: &'a str,
    /// Every searchable text, the phone number as it was written among them.
    pub all: [&'a str; SEARCHED.len()],
}

impl<'a> SearchedTexts<'a> {
    pub(super) fn read(row: &'a Row<'_>) -> rusqlite::Result<Self> {
        let text = |column: Column| -> rusqlite::Result<_> {
            Ok(row.get_ref(column as usize)?.as_str_or_null()?)
        };
        let mut all = [""; SEARCHED.len()];
        for (value, column) in iter::zip(&mut all, SEARCHED) {
            *value = text(column)?.unwrap_or_default();
        }
        Ok(Self {
            status: status(row, Column::status as usize)?,
            phone: text(Column::phone)?.unwrap_or_default(),
            all,
        })
    }
}

fn value<T: FromSql>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    row.get(column)
}

fn status(row: &Row<'_>, column: usize) -> rusqlite::Result<Status> {
    let text = row.get_ref(column)?.as_str()?;
    Ok(Status::parse(text).unwrap_or(Status::Pending))
}
