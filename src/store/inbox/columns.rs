//! The columns of a request, in one list: where each is in `quotes` and in `contact_messages`, how
//! it is read, what the search index holds, and the fields of an export.

use rusqlite::Row;
use rusqlite::types::FromSql;

use super::row::{attribution, optional_visible_text, visible_text};
use crate::domain::form::ExtraFields;
use crate::domain::quote::Status;
use crate::domain::request::{HeldReason, Request, RequestKind};

macro_rules! define_columns {
    ($($name:ident: $read:ident, $quotes:literal, $messages:literal;)*) => {
        #[derive(Clone, Copy)]
        #[expect(non_camel_case_types, reason = "the variants are the names of the fields")]
        enum Column { $($name,)* seq, kind }

        /// The columns of a quote for `SELECT` and `RETURNING`.
        macro_rules! quote_columns {
            () => { concat!($($quotes, ", ",)* "seq, 'quote'") };
        }

        /// The columns of a contact message, in the same order.
        macro_rules! message_columns {
            () => { concat!($($messages, ", ",)* "seq, 'message'") };
        }

        /// Reads a request from a row of `quote_columns!` or `message_columns!`.
        pub(in crate::store) fn read_request(row: &Row<'_>) -> rusqlite::Result<Request> {
            Ok(Request {
                seq: read_seq(row)?,
                kind: read_kind(row)?,
                $($name: $read(row, Column::$name as usize)?),*
            })
        }
    };
}

// The specification's record, then what was added to it.
define_columns! {
    id: value, "id", "id";
    created_at: value, "created_at", "created_at";
    first_name: visible_text, "first_name", "first_name";
    last_name: visible_text, "last_name", "last_name";
    email: visible_text, "email", "email";
    phone: visible_text, "phone", "phone";
    company: optional_visible_text, "company", "company";
    service: visible_text, "service_type", "service";
    duration: value, "duration", "NULL";
    start_date: value, "start_date", "NULL";
    location: optional_visible_text, "location", "NULL";
    description: optional_visible_text, "description", "details";
    status: status, "status", "status";
    emergency_contact: value, "emergency_contact", "0";
    updated_at: value, "updated_at", "updated_at";
    attribution: attribution, "attribution", "attribution";
    extra_fields: extra_fields, "extra_fields", "extra_fields";
    reference: value, "reference", "reference";
    assignee: value, "assignee", "assignee";
    assignee_email: value,
        "(SELECT users.email FROM users WHERE users.id = assignee)",
        "(SELECT users.email FROM users WHERE users.id = assignee)";
    answered_at: value, "answered_at", "answered_at";
    emailed_at: value, "emailed_at", "emailed_at";
    failed_reply: value, "failed_reply", "failed_reply";
    held: held, "held", "held";
    signals: held, "signals", "signals";
}
pub(in crate::store) use {message_columns, quote_columns};

/// A column of an export: its name, and where it is in a row.
#[derive(Clone, Copy)]
pub struct ExportColumn(&'static str, Column);

impl ExportColumn {
    /// The name, as in the header of a table.
    pub const fn name(&self) -> &'static str {
        self.0
    }

    /// The position in a row.
    pub(in crate::store) const fn index(&self) -> usize {
        self.1 as usize
    }
}

macro_rules! export_columns {
    ($($(#[$doc:meta])* $list:ident: $($name:literal = $column:ident),*;)*) => {
        $($(#[$doc])*
        pub const $list: &[ExportColumn] = &[$(ExportColumn($name, Column::$column)),*];)*
    };
}

export_columns! {
    /// Quotes: the specification's record, then what was added to it.
    QUOTE_COLUMNS: "id" = id, "created_at" = created_at, "first_name" = first_name,
        "last_name" = last_name, "email" = email, "phone" = phone, "company" = company,
        "service_type" = service, "duration" = duration, "start_date" = start_date,
        "location" = location, "description" = description, "status" = status,
        "emergency_contact" = emergency_contact, "updated_at" = updated_at,
        "attribution" = attribution, "extra_fields" = extra_fields, "reference" = reference,
        "assignee" = assignee_email, "answered_at" = answered_at;
    /// Contact messages.
    MESSAGE_COLUMNS: "id" = id, "created_at" = created_at, "first_name" = first_name,
        "last_name" = last_name, "email" = email, "phone" = phone, "company" = company,
        "service" = service, "details" = description, "status" = status,
        "updated_at" = updated_at, "attribution" = attribution, "extra_fields" = extra_fields,
        "reference" = reference, "assignee" = assignee_email, "answered_at" = answered_at;
    /// Requests of both kinds.
    INBOX_COLUMNS: "reference" = reference, "kind" = kind, "status" = status,
        "created_at" = created_at, "first_name" = first_name, "last_name" = last_name,
        "email" = email, "phone" = phone, "company" = company, "service" = service,
        "location" = location, "start_date" = start_date, "duration" = duration,
        "description" = description, "emergency_contact" = emergency_contact,
        "assignee" = assignee_email, "answered_at" = answered_at, "updated_at" = updated_at,
        "attribution" = attribution, "extra_fields" = extra_fields, "id" = id;
}

/// Columns whose words the search index holds. The phone number is indexed as bare digits too.
const SEARCHED: [Column; 10] = [
    Column::reference,
    Column::first_name,
    Column::last_name,
    Column::email,
    Column::phone,
    Column::company,
    Column::service,
    Column::location,
    Column::description,
    Column::extra_fields,
];

/// Reads the `seq` of a request.
pub(in crate::store) fn read_seq(row: &Row<'_>) -> rusqlite::Result<i64> {
    row.get(Column::seq as usize)
}

/// Reads the id of a quote; none of a message.
pub(in crate::store) fn read_quote_id<'a>(row: &'a Row<'_>) -> rusqlite::Result<Option<&'a str>> {
    Ok(match read_kind(row)? {
        RequestKind::Quote => Some(row.get_ref(Column::id as usize)?.as_str()?),
        RequestKind::Message => None,
    })
}

fn read_kind(row: &Row<'_>) -> rusqlite::Result<RequestKind> {
    let kind = row.get_ref(Column::kind as usize)?.as_str()?;
    Ok(match kind {
        "message" => RequestKind::Message,
        _ => RequestKind::Quote,
    })
}

/// What lists are filtered by, and the search index holds as properties of a request.
pub(in crate::store) struct IndexedColumns<'a> {
    pub seq: i64,
    pub kind: RequestKind,
    pub service: &'a str,
    pub status: Status,
    pub emergency: bool,
    pub answered: bool,
    pub reply_failed: bool,
    pub held: bool,
    pub assignee: Option<&'a str>,
    pub location: &'a str,
    pub phone: &'a str,
    pub email: &'a str,
}

impl<'a> IndexedColumns<'a> {
    pub(in crate::store) fn read(row: &'a Row<'_>) -> rusqlite::Result<Self> {
        let text = |column: Column| -> rusqlite::Result<Option<&'a str>> {
            Ok(row.get_ref(column as usize)?.as_str_or_null()?)
        };
        Ok(Self {
            seq: read_seq(row)?,
            kind: read_kind(row)?,
            service: text(Column::service)?.unwrap_or_default(),
            status: status(row, Column::status as usize)?,
            emergency: row.get(Column::emergency_contact as usize)?,
            answered: text(Column::answered_at)?.is_some(),
            reply_failed: row
                .get::<_, Option<i64>>(Column::failed_reply as usize)?
                .is_some(),
            held: text(Column::held)?.is_some(),
            assignee: text(Column::assignee)?,
            location: text(Column::location)?.unwrap_or_default(),
            phone: text(Column::phone)?.unwrap_or_default(),
            email: text(Column::email)?.unwrap_or_default(),
        })
    }
}

/// Every searchable text of a request, the phone number as it was written among them.
pub(in crate::store) fn searched_texts<'a>(
    row: &'a Row<'_>,
) -> rusqlite::Result<[&'a str; SEARCHED.len()]> {
    let mut texts = [""; SEARCHED.len()];
    for (text, column) in std::iter::zip(&mut texts, SEARCHED) {
        let value = row.get_ref(column as usize)?;
        *text = value.as_str_or_null()?.unwrap_or_default();
    }
    Ok(texts)
}

fn value<T: FromSql>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    row.get(column)
}

fn status(row: &Row<'_>, column: usize) -> rusqlite::Result<Status> {
    let text = row.get_ref(column)?.as_str()?;
    Ok(Status::parse(text).unwrap_or(Status::Pending))
}

/// Invalid JSON counts as no fields, so that the row can still be read.
fn extra_fields(row: &Row<'_>, column: usize) -> rusqlite::Result<ExtraFields> {
    let text = optional_visible_text(row, column)?;
    Ok(text
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default())
}

/// Signals of spam. A held request stays held even if they cannot be read.
fn held(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Vec<HeldReason>>> {
    let text = row.get_ref(column)?.as_str_or_null()?;
    Ok(text.map(|text| serde_json::from_str(text).unwrap_or_default()))
}
