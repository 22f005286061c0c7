//! Estimates the growth of the data from the requests and files of the last thirty days, to
//! forecast when the disk is full.

use rusqlite::Connection;

use crate::Result;
use domain::clock::{DAY_MS, Time};
use domain::ids;
use domain::ids::SEQS_PER_MILLI;

/// The number of days before the newest request that are counted.
const DAYS: i64 = 30;
/// With fewer requests or days, one busy morning would count as a trend.
const MIN_REQUESTS: i64 = 100;
const MIN_DAYS: i64 = 7;

/// The bytes that requests and their files add per day; `None` if there are too few to estimate.
pub(crate) fn daily_bytes(conn: &Connection) -> Result<Option<u64>> {
    let count = "SELECT count(*), coalesce(min(seq), 0), coalesce(max(seq), 0) FROM requests";
    let (all, oldest, newest): (i64, i64, i64) = conn.query_row(count, [], |row| row.try_into())?;
    let (oldest, newest) = (oldest / SEQS_PER_MILLI, newest / SEQS_PER_MILLI);
    let days = ((newest - oldest) / DAY_MS).min(DAYS);
    if all < MIN_REQUESTS || days < MIN_DAYS {
        return Ok(None);
    }
    let since = Time::from_millis(newest - days * DAY_MS);
    let recent = "SELECT count(*) FROM requests WHERE seq >= ?1";
    let recent: i64 = conn.query_row(recent, [ids::first_seq(since)], |row| row.get(0))?;
    let size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    let size: i64 = conn.query_row(size, [], |row| row.get(0))?;
    let files = "SELECT coalesce(sum(size), 0) FROM objects WHERE created_at >= ?1";
    let files: i64 = conn.query_row(files, [since.to_string()], |row| row.get(0))?;
    // The whole database is assumed to grow with the requests.
    let bytes = size.saturating_mul(recent) / all + files;
    Ok(u64::try_from(bytes / days).ok())
}
