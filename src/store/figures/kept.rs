//! What figures keep of rows that are deleted: counts by day, and nothing that distinguishes one
//! request from another.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rusqlite::Connection;

use super::counts::{self, Counts};
use super::time_zone::{mark_day, stored_zone};
use super::{offers, requests};
use crate::Result;
use domain::clock::time_zone::TimeZone;

/// The counts of rows before they are deleted.
pub(crate) struct Deletion {
    zone: TimeZone,
    seqs: Vec<i64>,
    numbers: Vec<String>,
    before: BTreeMap<Date, Counts>,
}

impl Deletion {
    /// Begins to delete the requests with these `seqs`, and offers to `email`. Call `end` in the
    /// same transaction, after the deletion.
    pub(crate) fn begin(conn: &Connection, seqs: &[i64], email: Option<&str>) -> Result<Self> {
        let mut deletion = Self {
            zone: stored_zone(conn)?,
            seqs: seqs.to_vec(),
            numbers: offers::numbers_of(conn, seqs, email)?,
            before: BTreeMap::new(),
        };
        deletion.before = deletion.count(conn)?;
        Ok(deletion)
    }

    /// Keeps the counts of what was deleted since.
    pub(crate) fn end(mut self, conn: &Connection) -> Result<()> {
        let mut after = self.count(conn)?;
        // An agreement that is kept may count on the day of another version from now on.
        for day in after.keys() {
            self.before.entry(*day).or_default();
        }
        for (day, before) in std::mem::take(&mut self.before) {
            let deleted = before.less(&after.remove(&day).unwrap_or_default());
            counts::insert(conn, "figures_kept", day, &deleted)?;
            mark_day(conn, &self.zone, day)?;
        }
        Ok(())
    }

    fn count(&self, conn: &Connection) -> Result<BTreeMap<Date, Counts>> {
        let mut days = BTreeMap::new();
        requests::count_each(conn, &self.zone, &self.seqs, &mut days)?;
        offers::count_each(conn, &self.zone, &self.numbers, &mut days)?;
        Ok(days)
    }
}

/// Adds what was kept of the rows of `day`.
pub(super) fn add_day(conn: &Connection, day: Date, counts: &mut Counts) -> Result<()> {
    let mut find = conn.prepare_cached(
        "SELECT dimension, measure, value, number FROM figures_kept WHERE day = ?1",
    )?;
    let mut rows = find.query([day.to_string()])?;
    while let Some(row) = rows.next()? {
        let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
        let (dimension, measure, value): (&str, &str, &str) = (text(0)?, text(1)?, text(2)?);
        counts.add(dimension, measure, value, row.get(3)?);
    }
    Ok(())
}
