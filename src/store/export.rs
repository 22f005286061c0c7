//! Every quote, one after the other, for an operator's file: streamed, so that a million rows take no more memory than one.

use std::io;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::{Result, Store};
use crate::domain::clock::Time;
use crate::domain::ids::first_seq;
use crate::domain::quote::Status;

/// Which quotes.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Those in one of these; empty: in any.
    pub statuses: Vec<Status>,
    /// Those that came in at this moment or later.
    pub since: Option<Time>,
    /// Those that came in before this moment.
    pub until: Option<Time>,
}

/// The columns of an exported quote, in order: the specification's record, then when it last changed and where the visit came from (JSON).
pub const COLUMNS: [&str; 16] = [
    "id",
    "created_at",
    "first_name",
    "last_name",
    "email",
    "phone",
    "company",
    "service_type",
    "duration",
    "start_date",
    "location",
    "description",
    "status",
    "emergency_contact",
    "updated_at",
    "attribution",
];

/// One quote's values in the order of `COLUMNS`.
pub struct Exported<'a>(&'a rusqlite::Row<'a>);

impl Exported<'_> {
    /// The value of a column of `COLUMNS`.
    pub fn value(&self, column: usize) -> ValueRef<'_> {
        self.0.get_ref(column).unwrap_or(ValueRef::Null)
    }
}

impl Store {
    /// Hands every selected quote to `each` with `sink`, oldest first, as of one moment, and gives the sink back. Stops where `each` fails; its error is
    /// the inner result.
    ///
    /// # Errors
    /// What the database says.
    pub async fn export_quotes<S: Send + 'static>(
        &self,
        selection: Selection,
        mut sink: S,
        each: impl Fn(&mut S, &Exported<'_>) -> io::Result<()> + Send + 'static,
    ) -> Result<io::Result<S>> {
        self.read(move |conn| {
            let statuses = words(&selection.statuses);
            let (since, until) = bounds(&selection);
            let mut rows = conn.prepare(
                "SELECT id, created_at, first_name, last_name, email, phone, company, service_type, duration, start_date, location, description, status,
                        emergency_contact, updated_at, attribution
                 FROM quotes WHERE seq >= ?1 AND seq < ?2 AND (?3 = '' OR instr(?3, status) > 0) ORDER BY seq",
            )?;
            let mut rows = rows.query(params![since, until, statuses])?;
            while let Some(row) = rows.next()? {
                if let Err(error) = each(&mut sink, &Exported(row)) {
                    return Ok(Err(error));
                }
            }
            Ok(Ok(sink))
        })
        .await
    }

    /// How many quotes `export_quotes` would hand over.
    ///
    /// # Errors
    /// What the database says.
    pub async fn count_quotes(&self, selection: Selection) -> Result<u64> {
        self.read(move |conn| count(conn, &selection)).await
    }
}

fn count(conn: &Connection, selection: &Selection) -> Result<u64> {
    let (since, until) = bounds(selection);
    let count: i64 = conn.query_row(
        "SELECT count(*) FROM quotes WHERE seq >= ?1 AND seq < ?2 AND (?3 = '' OR instr(?3, status) > 0)",
        params![since, until, words(&selection.statuses)],
        |row| row.get(0),
    )?;
    Ok(count.unsigned_abs())
}

/// The statuses as one text; no status is part of another's word.
fn words(statuses: &[Status]) -> String {
    let words: Vec<_> = statuses.iter().map(|status| status.word()).collect();
    words.join(" ")
}

/// Quotes lie by time.
fn bounds(selection: &Selection) -> (i64, i64) {
    let place = |time: Option<Time>, open: i64| time.map_or(open, first_seq);
    (
        place(selection.since, i64::MIN),
        place(selection.until, i64::MAX),
    )
}
