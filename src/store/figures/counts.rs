//! Counts of one day.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rusqlite::{Connection, params};

use crate::Result;

/// Counts by dimension, measure and value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts(BTreeMap<(String, String, String), i64>);

impl Counts {
    pub(super) fn add(&mut self, dimension: &str, measure: &str, value: &str, number: i64) {
        let key = (dimension.to_owned(), measure.to_owned(), value.to_owned());
        *self.0.entry(key).or_default() += number;
    }

    /// Adds one for a whole day.
    pub(super) fn count(&mut self, measure: &str) {
        self.add("all", measure, "", 1);
    }

    /// These counts less `other`.
    pub(super) fn less(mut self, other: &Self) -> Self {
        for ((dimension, measure, value), number) in &other.0 {
            self.add(dimension, measure, value, -number);
        }
        self
    }

    /// Each count that is not zero: dimension, measure, value, number.
    pub(super) fn each(&self) -> impl Iterator<Item = (&str, &str, &str, i64)> {
        let counts = self.0.iter().filter(|(_, number)| **number != 0);
        counts.map(|((dimension, measure, value), number)| {
            (
                dimension.as_str(),
                measure.as_str(),
                value.as_str(),
                *number,
            )
        })
    }
}

/// Adds counts to the table `figures_days` or `figures_kept`.
pub(super) fn insert(conn: &Connection, table: &str, day: Date, counts: &Counts) -> Result<()> {
    let mut insert = conn.prepare_cached(&format!(
        "INSERT INTO {table} (day, dimension, measure, value, number) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET number = number + excluded.number"
    ))?;
    let day = day.to_string();
    for (dimension, measure, value, number) in counts.each() {
        insert.execute(params![day, dimension, measure, value, number])?;
    }
    Ok(())
}
