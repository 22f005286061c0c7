//! What figures keep of rows that are deleted: counts by day, and nothing that distinguishes one
//! request from another.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::time_zone::stored_zone;
use super::{Add, offers, requests};
use crate::{Result, query};
use domain::figures::period::Days;
use domain::figures::sums::Count;

/// Numbers by day, dimension, measure and value.
type Counts = BTreeMap<[String; 4], i64>;

/// The counts of rows before they are deleted.
pub(crate) struct Deletion {
    seqs: Vec<i64>,
    numbers: Vec<String>,
    before: Counts,
}

impl Deletion {
    /// Begins to delete the requests with these `seqs`, and offers to `email`. Call `end` in the
    /// same transaction, after the deletion.
    pub(crate) fn begin(conn: &Connection, seqs: &[i64], email: Option<&str>) -> Result<Self> {
        let mut deletion = Self {
            seqs: seqs.to_vec(),
            numbers: offers::numbers_of(conn, seqs, email)?,
            before: Counts::new(),
        };
        deletion.before = deletion.count(conn)?;
        Ok(deletion)
    }

    /// Keeps the counts of what was deleted since. An agreement that is kept may count on the day
    /// of another version from now on.
    pub(crate) fn end(mut self, conn: &Connection) -> Result<()> {
        for (key, number) in self.count(conn)? {
            *self.before.entry(key).or_default() -= number;
        }
        let sql = "INSERT INTO figures_kept (day, dimension, measure, value, number)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO UPDATE SET number = number + excluded.number";
        for ([day, dimension, measure, value], number) in self.before {
            if number != 0 {
                query::execute(conn, sql, params![day, dimension, measure, value, number])?;
            }
        }
        Ok(())
    }

    fn count(&self, conn: &Connection) -> Result<Counts> {
        let zone = stored_zone(conn)?;
        let mut counts = Counts::new();
        let mut add = |count: Count<'_>, number| {
            *counts.entry(count.map(str::to_owned)).or_default() += number;
        };
        requests::count_each(conn, &zone, &self.seqs, &mut add)?;
        offers::count_each(conn, &zone, &self.numbers, &mut add)?;
        Ok(counts)
    }
}

/// Adds what was kept of the rows of these days.
pub(super) fn add_days(conn: &Connection, days: Days, add: Add<'_>) -> Result<()> {
    let sql = "SELECT day, dimension, measure, value, number FROM figures_kept
        WHERE day BETWEEN ?1 AND ?2";
    let days = [days.from.to_string(), days.to.to_string()];
    query::each(conn, sql, days, |row| {
        let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
        add([text(0)?, text(1)?, text(2)?, text(3)?], row.get(4)?);
        Ok(())
    })
}
