//! Snapshots: a consistent copy of the database while a server writes to it, by SQLite's online
//! backup. The copy runs inside one read transaction, so that a write does not restart it, and in
//! small steps, between which the caller can pause.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OptionalExtension, Row};

use crate::database::connection::{open_for_inspection, open_read};
use crate::{Error, Result, conflict, query};
use domain::clock::Time;

/// Pages copied per step: half a megabyte.
const STEP_PAGES: i32 = 128;
/// Steps that find the database locked before the copy gives up: ten seconds.
const MAX_BUSY_STEPS: u32 = 1000;
/// The pause after a step that found it locked.
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// Copies the database in `file` to `copy`, which must not exist. Calls `watch` with the copied and
/// the total bytes after each step; it can stop the copy. The caller syncs the copy. Errors:
/// `Conflict` if `watch` stopped it; otherwise the error of the database.
pub fn copy(
    file: &Path,
    copy: &Path,
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<()> {
    let source = open_read(file)?;
    // The first read starts the transaction whose state is copied.
    source.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema;")?;
    let page_size: u32 = source.pragma_query_value(None, "page_size", |row| row.get(0))?;
    #[expect(
        clippy::disallowed_methods,
        reason = "a new file beside the database, written by this copy alone"
    )]
    let mut target = Connection::open(copy)?;
    target.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
    let backup = Backup::new(&source, &mut target)?;
    let mut busy = 0;
    loop {
        match backup.step(STEP_PAGES)? {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            _ if busy < MAX_BUSY_STEPS => {
                busy += 1;
                sleep(BUSY_PAUSE);
            }
            _ => return Err(Error::Busy),
        }
        let progress = backup.progress();
        let bytes = |pages: i32| u64::from(pages.unsigned_abs()) * u64::from(page_size);
        let (total, left) = (bytes(progress.pagecount), bytes(progress.remaining));
        if watch(total.saturating_sub(left), total).is_break() {
            return conflict("stopped");
        }
    }
}

/// The size of the database in `file` with its WAL, in bytes: an upper limit of its copy.
pub fn size(file: &Path) -> u64 {
    let bytes = |path: &Path| path.metadata().map_or(0, |found| found.len());
    bytes(file) + bytes(&crate::database::connection::log_file(file))
}

/// The number of rows of each table and view in `file`, which no process has open. Tables internal
/// to search indexes are left out.
pub fn counts(file: &Path) -> Result<BTreeMap<String, u64>> {
    let conn = open_for_inspection(file, true)?;
    let mut counts = BTreeMap::new();
    for table in named(&conn, "type IN ('table', 'view')")? {
        let count = format!("SELECT count(*) FROM \"{table}\"");
        let count: i64 = conn.query_row(&count, [], |row| row.get(0))?;
        counts.insert(table, count.unsigned_abs());
    }
    Ok(counts)
}

/// The schema version of the database in `file`, which no process has open.
pub fn schema_version(file: &Path) -> Result<u32> {
    let conn = open_for_inspection(file, true)?;
    Ok(conn.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// The schema version of a database that may be in use.
pub fn current_schema_version(file: &Path) -> Result<u32> {
    Ok(open_read(file)?.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// The names of all tables that store rows.
pub(crate) fn tables(conn: &Connection) -> Result<Vec<String>> {
    named(conn, "type = 'table'")
}

fn named(conn: &Connection, condition: &str) -> Result<Vec<String>> {
    let sql = format!(
        "SELECT name FROM pragma_table_list
         WHERE schema = 'main' AND {condition} AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         ORDER BY name"
    );
    query::all(conn, &sql, [], |row| row.get(0))
}

/// The number of newest current requests that a comparison looks up.
const COMPARED_REQUESTS: u32 = 100;
/// The columns that must be equal; the others may have changed since.
const COMPARED: &str = "id, created_at, first_name, last_name, email, phone, company, service, \
    location, description";

/// The result of `compare`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Compared requests.
    pub compared: usize,
    /// The ids that are missing in the copy, or have other content there.
    pub missing: Vec<String>,
}

/// Looks up the newest requests of the current database in `copy`: those created before `before`.
pub fn compare(current: &Path, copy: &Path, before: Time) -> Result<Comparison> {
    let (current, copy) = (open_read(current)?, open_for_inspection(copy, true)?);
    let mut comparison = Comparison::default();
    let mut find = copy.prepare(&format!("SELECT {COMPARED} FROM requests WHERE seq = ?1"))?;
    let mut rows = current.prepare(&format!(
        "SELECT {COMPARED}, seq FROM requests WHERE created_at < ?1 AND demo = 0
         ORDER BY seq DESC LIMIT ?2"
    ))?;
    let mut rows = rows.query((before.to_string(), COMPARED_REQUESTS))?;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get("seq")?;
        let found = find.query_row([seq], values).optional()?;
        comparison.compared += 1;
        if found != Some(values(row)?) {
            comparison.missing.push(row.get("id")?);
        }
    }
    Ok(comparison)
}

fn values(row: &Row<'_>) -> rusqlite::Result<Vec<Option<String>>> {
    (0..COMPARED.split(',').count())
        .map(|column| row.get(column))
        .collect()
}
