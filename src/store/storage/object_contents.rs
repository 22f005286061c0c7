//! The contents of objects: which are in use, which were released, and the results of the virus
//! scan.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};

use crate::{Result, query};
use domain::clock::Time;
use domain::storage::ScanState;

/// Whether an object has this content, or a removed object that may be restored.
pub fn uses_content(conn: &Connection, sha256: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM objects WHERE sha256 = ?1
        UNION ALL SELECT 1 FROM removed_files WHERE sha256 = ?1";
    query::exists(conn, sql, [sha256])
}

/// Whether the virus scan found this content infected.
pub fn is_infected(conn: &Connection, sha256: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM objects WHERE sha256 = ?1 AND scan = 'infected'";
    query::exists(conn, sql, [sha256])
}

/// A content that is due for its virus scan, those with the fewest tries first.
pub fn next_to_scan(conn: &Connection, now: Time) -> Result<Option<String>> {
    let sql = "SELECT sha256 FROM objects LEFT JOIN scan_tries USING (sha256)
        WHERE scan = 'scanning' AND (next_at IS NULL OR next_at <= ?1)
        ORDER BY tries LIMIT 1";
    query::optional(conn, sql, [now.millis()], |row| row.get(0))
}

/// The number of virus scans of a content without a verdict.
pub fn scan_tries(conn: &Connection, sha256: &str) -> Result<u32> {
    let sql = "SELECT tries FROM scan_tries WHERE sha256 = ?1";
    let tries = query::optional(conn, sql, [sha256], |row| row.get(0))?;
    Ok(tries.unwrap_or(0))
}

/// Counts a virus scan without a verdict; the next one is due at `next`.
pub fn count_scan_try(conn: &Connection, sha256: &str, next: Time) -> Result<()> {
    let sql = "INSERT INTO scan_tries (sha256, tries, next_at) VALUES (?1, 1, ?2)
        ON CONFLICT DO UPDATE SET tries = tries + 1, next_at = ?2";
    query::run(conn, sql, params![sha256, next.millis()])
}

/// Resets the count of virus scans without a verdict.
pub fn forget_scan_tries(conn: &Connection, sha256: &str) -> Result<()> {
    query::run(conn, "DELETE FROM scan_tries WHERE sha256 = ?1", [sha256])
}

/// Stores the state of the virus scan of a content.
pub fn set_scan(conn: &Connection, sha256: &str, scan: ScanState) -> Result<()> {
    let sql = "UPDATE objects SET scan = ?2 WHERE sha256 = ?1";
    query::run(conn, sql, [sha256, scan.as_str()])
}

/// Changes the state of the virus scan of every object from one to another.
pub fn change_scan(conn: &Connection, from: ScanState, to: ScanState) -> Result<()> {
    let sql = "UPDATE objects SET scan = ?2 WHERE scan = ?1";
    query::run(conn, sql, [from.as_str(), to.as_str()])
}

/// Contents released by objects and not yet forgotten.
pub fn released(conn: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT sha256 FROM released_contents LIMIT 1000";
    query::all(conn, sql, [], |row| row.get(0))
}

/// Contents released by objects that none has any more.
pub fn unused(conn: &Connection) -> Result<Vec<String>> {
    let mut find = conn.prepare_cached("SELECT sha256 FROM released_contents")?;
    let rows = find.query_map([], |row| row.get::<_, String>(0))?;
    let mut unused = Vec::new();
    for sha256 in rows {
        let sha256 = sha256?;
        if !uses_content(conn, &sha256)? {
            unused.push(sha256);
        }
    }
    Ok(unused)
}

pub fn forget_released(conn: &Connection, contents: &[String]) -> Result<()> {
    let mut delete = conn.prepare_cached("DELETE FROM released_contents WHERE sha256 = ?1")?;
    for sha256 in contents {
        delete.execute([sha256])?;
        if !uses_content(conn, sha256)? {
            forget_scan_tries(conn, sha256)?;
        }
    }
    Ok(())
}

/// Every content in use.
pub fn contents(conn: &Connection) -> Result<BTreeSet<String>> {
    let sql = "SELECT sha256 FROM objects UNION SELECT sha256 FROM removed_files";
    query::all(conn, sql, [], |row| row.get(0))
}
