//! How a connection is opened, for writing and for reading. The pragmas are set here and nowhere else.

use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use scheduled_thread_pool::ScheduledThreadPool;

use super::{Error, Result};

/// How long a writer waits for another process that holds the database.
const BUSY: Duration = Duration::from_secs(5);
/// Pause before something is tried again for which SQLite does not wait by itself.
const AGAIN: Duration = Duration::from_millis(5);
/// Pages in the log before it is folded into the database: a page that changes often is then copied once for many commits. 16 MB.
const CHECKPOINT: u32 = 4000;
/// How long a reader waits for a free connection.
const READER_WAIT: Duration = Duration::from_secs(5);
/// Readers open at once. SQLite reads from the page cache: more than a few only cost memory.
const READERS: u32 = 4;

/// Opens the writing connection: WAL, every commit synced, foreign keys on.
pub(super) fn open(file: &Path) -> Result<Connection> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that opens the database"
    )]
    let conn = Connection::open(file)?;
    conn.busy_timeout(BUSY)?;
    write_ahead(&conn)?;
    conn.pragma_update(None, "synchronous", "FULL")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "wal_autocheckpoint", CHECKPOINT)?;
    conn.set_prepared_statement_cache_capacity(128);
    Ok(conn)
}

/// Makes the file one with a write-ahead log. Where two processes make it so at once, SQLite refuses one of them without waiting for the other.
fn write_ahead(conn: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        let made = conn.pragma_update(None, "journal_mode", "WAL");
        match made.as_ref().map_err(rusqlite::Error::sqlite_error_code) {
            Err(Some(ErrorCode::DatabaseBusy)) if begun.elapsed() < BUSY => sleep(AGAIN),
            _ => return made,
        }
    }
}

/// The reading connections.
#[derive(Clone)]
pub(super) struct Readers(r2d2::Pool<SqliteConnectionManager>);

/// A pool that opens no connection before the first read and closes idle ones again.
pub(super) fn readers(file: &Path) -> Readers {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let manager = SqliteConnectionManager::file(file)
        .with_flags(flags)
        .with_init(|conn| {
            conn.busy_timeout(BUSY)?;
            conn.set_prepared_statement_cache_capacity(32);
            Ok(())
        });
    let pool = r2d2::Pool::builder()
        .max_size(READERS)
        .min_idle(Some(0))
        .connection_timeout(READER_WAIT)
        .idle_timeout(Some(Duration::from_secs(60)))
        .test_on_check_out(false)
        .thread_pool(Arc::new(
            ScheduledThreadPool::builder()
                .num_threads(1)
                .thread_name_pattern("readers")
                .build(),
        ))
        .build_unchecked(manager);
    Readers(pool)
}

impl Readers {
    /// Runs `job` inside one read transaction, so that all its queries see the same moment. Blocks.
    pub(super) fn with<T>(&self, job: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let mut conn = self.0.get().map_err(|_| Error::Busy)?;
        let tx = conn.transaction()?;
        job(&tx)
    }
}
