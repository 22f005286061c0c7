//! The columns of a request, in one list: the expression of each, how it is read, and the indexed
//! texts.

use rusqlite::Row;
use rusqlite::types::FromSql;

use crate::database::row::{attribution, column, optional_visible_text, person, visible_text};
use domain::form::ExtraFields;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;
use domain::request::{FollowUp, HeldReason, Request, RequestKind, RequestOutcome, RequestSource};

macro_rules! define_columns {
    (fields { $($name:ident: $read:ident, $expression:literal;)* }
     parts { $($part:ident: $part_expression:literal;)* }) => {
        #[derive(Clone, Copy)]
        #[expect(non_camel_case_types, reason = "the variants are the names of the fields")]
        pub(crate) enum Column { $($name,)* $($part),* }

        /// The columns for `SELECT` and `RETURNING`.
        macro_rules! columns {
            () => { concat!("" $(, $expression, ", ")* $(, $part_expression, ", ")*, "NULL") };
        }

        /// Reads a request from a row of `columns!`.
        pub(crate) fn read_request(row: &Row<'_>) -> rusqlite::Result<Request> {
            Ok(Request {
                $($name: $read(row, Column::$name as usize)?,)*
                assignee: person(row, [
                    Column::assignee as usize,
                    Column::assignee_email as usize,
                    Column::assignee_name as usize,
                ])?,
                follow_up: follow_up(row)?,
                outcome: outcome(row)?,
            })
        }
    };
}

define_columns! {
    fields {
        seq: value, "seq";
        kind: kind, "kind";
        id: value, "id";
        reference: value, "reference";
        created_at: column, "created_at";
        updated_at: column, "updated_at";
        status: status, "status";
        source: source, "source";
        first_name: visible_text, "first_name";
        last_name: visible_text, "last_name";
        email: visible_text, "email";
        phone: visible_text, "phone";
        company: optional_visible_text, "company";
        service: visible_text, "service";
        location: optional_visible_text, "location";
        start_date: value, "start_date";
        duration: value, "duration";
        emergency_contact: value, "emergency_contact";
        description: optional_visible_text, "description";
        extra_fields: extra_fields, "extra_fields";
        attribution: attribution, "attribution";
        answered_at: column, "answered_at";
        emailed_at: column, "emailed_at";
        failed_reply: value, "failed_reply";
        unanswered: value, "unanswered";
        unread: value, "unread";
        held: held, "held";
        signals: held, "signals";
        merged_into: value, "merged_into";
    }
    parts {
        assignee: "assignee";
        assignee_email: "(SELECT users.email FROM users WHERE users.id = assignee)";
        assignee_name: "(SELECT users.display_name FROM users WHERE users.id = assignee)";
        follow_up_at: "follow_up_at";
        follow_up_by: "follow_up_by";
        follow_up_by_email: "(SELECT users.email FROM users WHERE users.id = follow_up_by)";
        follow_up_by_name: "(SELECT users.display_name FROM users WHERE users.id = follow_up_by)";
        follow_up_due: "follow_up_due";
        // A request is won from its signing on; another outcome counts while it is closed.
        outcome: "iif(status IN ('completed', 'cancelled') OR outcome = 'won', outcome, NULL)";
        outcome_reason: "iif(status IN ('completed', 'cancelled'), outcome_reason, NULL)";
        outcome_words: "iif(status IN ('completed', 'cancelled') OR outcome = 'won', \
             outcome_words, NULL)";
        outcome_per: "iif(status IN ('completed', 'cancelled') OR outcome = 'won', \
             outcome_per, NULL)";
        outcome_value: "iif((status IN ('completed', 'cancelled') OR outcome = 'won') \
             AND outcome_cents IS NOT NULL, \
             printf('%d.%02d', outcome_cents / 100, outcome_cents % 100), NULL)";
        won_at: "won_at";
    }
}
pub(crate) use columns;

/// The request at `?1`.
pub(crate) const BY_SEQ: &str = concat!("SELECT ", columns!(), " FROM requests WHERE seq = ?1");

/// The requests that were merged into the one at `?1`.
pub(crate) const DUPLICATES: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM requests WHERE merged_into = ?1"
);

fn value<T: FromSql>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    row.get(column)
}

fn follow_up(row: &Row<'_>) -> rusqlite::Result<Option<FollowUp>> {
    const BY: [usize; 3] = [
        Column::follow_up_by as usize,
        Column::follow_up_by_email as usize,
        Column::follow_up_by_name as usize,
    ];
    let at: Option<_> = column(row, Column::follow_up_at as usize)?;
    let Some((at, by)) = at.zip(person(row, BY)?) else {
        return Ok(None);
    };
    let due = row.get(Column::follow_up_due as usize)?;
    Ok(Some(FollowUp { at, by, due }))
}

fn outcome(row: &Row<'_>) -> rusqlite::Result<Option<RequestOutcome>> {
    let outcome: Option<String> = row.get(Column::outcome as usize)?;
    let outcome = outcome.as_deref().and_then(Outcome::parse).map(|outcome| {
        Ok(RequestOutcome {
            outcome,
            reason: row.get(Column::outcome_reason as usize)?,
            words: row.get(Column::outcome_words as usize)?,
            value: row.get(Column::outcome_value as usize)?,
            per: row.get(Column::outcome_per as usize)?,
            won_at: column(row, Column::won_at as usize)?,
        })
    });
    outcome.transpose()
}

fn kind(row: &Row<'_>, column: usize) -> rusqlite::Result<RequestKind> {
    let text = row.get_ref(column)?.as_str()?;
    Ok(RequestKind::parse(text).unwrap_or(RequestKind::Quote))
}

fn status(row: &Row<'_>, column: usize) -> rusqlite::Result<Status> {
    let text = row.get_ref(column)?.as_str()?;
    Ok(Status::parse(text).unwrap_or(Status::Pending))
}

fn source(row: &Row<'_>, column: usize) -> rusqlite::Result<RequestSource> {
    Ok(match row.get_ref(column)?.as_str()? {
        "phone" => RequestSource::Phone,
        _ => RequestSource::Web,
    })
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
