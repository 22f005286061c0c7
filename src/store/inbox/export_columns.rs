//! The columns of exported requests.

use crate::request::columns::Column;

/// A column of an export: its name, and where it is in a row.
#[derive(Clone, Copy)]
pub struct ExportColumn(&'static str, Column);

impl ExportColumn {
    /// The name, as in the header of a table.
    pub const fn name(&self) -> &'static str {
        self.0
    }

    /// The position in a row.
    pub(crate) const fn index(&self) -> usize {
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
    /// Quotes: the specification's record, then further fields.
    QUOTE_COLUMNS: "id" = id, "created_at" = created_at, "first_name" = first_name,
        "last_name" = last_name, "email" = email, "phone" = phone, "company" = company,
        "service_type" = service, "duration" = duration, "start_date" = start_date,
        "location" = location, "description" = description, "status" = status,
        "emergency_contact" = emergency_contact, "updated_at" = updated_at,
        "attribution" = attribution, "extra_fields" = extra_fields, "reference" = reference,
        "assignee" = assignee_email, "answered_at" = answered_at,
        "outcome" = outcome,
        "outcome_reason" = outcome_reason, "outcome_words" = outcome_words,
        "outcome_value" = outcome_value, "outcome_per" = outcome_per, "source" = source;
    /// Contact messages.
    MESSAGE_COLUMNS: "id" = id, "created_at" = created_at, "first_name" = first_name,
        "last_name" = last_name, "email" = email, "phone" = phone, "company" = company,
        "service" = service, "details" = description, "status" = status,
        "updated_at" = updated_at, "attribution" = attribution, "extra_fields" = extra_fields,
        "reference" = reference, "assignee" = assignee_email, "answered_at" = answered_at,
        "outcome" = outcome,
        "outcome_reason" = outcome_reason, "outcome_words" = outcome_words,
        "outcome_value" = outcome_value, "outcome_per" = outcome_per;
    /// Requests of both kinds.
    INBOX_COLUMNS: "reference" = reference, "kind" = kind, "status" = status,
        "created_at" = created_at, "first_name" = first_name, "last_name" = last_name,
        "email" = email, "phone" = phone, "company" = company, "service" = service,
        "location" = location, "start_date" = start_date, "duration" = duration,
        "description" = description, "emergency_contact" = emergency_contact,
        "assignee" = assignee_email, "answered_at" = answered_at, "updated_at" = updated_at,
        "attribution" = attribution, "extra_fields" = extra_fields, "id" = id, "outcome" = outcome,
        "outcome_reason" = outcome_reason, "outcome_words" = outcome_words,
        "outcome_value" = outcome_value, "outcome_per" = outcome_per,
        "follow_up_at" = follow_up_at, "source" = source;
}
