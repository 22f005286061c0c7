//! All counts of one day.

use jiff::civil::Date;
use rusqlite::Connection;

use super::counts::Counts;
use super::{kept, offers, requests};
use crate::Result;
use domain::clock::time_zone::TimeZone;

/// The counts of `day`, made of the rows of this day and of what was kept of deleted ones.
pub(super) fn counts_of(conn: &Connection, zone: &TimeZone, day: Date) -> Result<Counts> {
    let mut counts = Counts::default();
    requests::count_day(conn, zone, day, &mut counts)?;
    offers::count_day(conn, zone, day, &mut counts)?;
    kept::add_day(conn, day, &mut counts)?;
    Ok(counts)
}
