//! Opens connections for writing and for reading. All pragmas are set here.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::Result;
use crate::search::words;

/// How long SQLite waits for the lock of another process at a start and in a read connection.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Pause before a retry where SQLite does not wait itself.
const RETRY_PAUSE: Duration = Duration::from_millis(5);
/// Pages in the WAL before it is checkpointed (16 MB): a page that changes often is then copied
/// once for many commits.
const AUTOCHECKPOINT_PAGES: u32 = 4000;
/// Size to which the WAL is truncated after a checkpoint, in bytes. Larger than its usual size, so
/// that the file is not truncated and extended each time.
pub(crate) const WAL_SIZE_LIMIT: u64 = 32 << 20;

/// Instructions of SQLite's virtual machine between two calls of a progress handler.
const PROGRESS_STEPS: i32 = 200;

/// Which process checkpoints the WAL into the database file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checkpoints {
    Store,
    /// A process that replicates the WAL; a checkpoint by the store would remove commits that are
    /// not replicated yet.
    Replicator,
}

/// Opens a write connection: WAL, every commit synced, foreign keys on.
pub(crate) fn open(file: &Path, checkpoints: Checkpoints) -> Result<Connection> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that opens the database"
    )]
    let conn = Connection::open(file)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    enable_wal(&conn)?;
    conn.pragma_update(None, "synchronous", "FULL")?;
    // Overwrites deleted content; adds a thousandth to the WAL bytes of a post.
    conn.pragma_update(None, "secure_delete", true)?;
    conn.pragma_update(None, "foreign_keys", true)?;
    let pages = match checkpoints {
        Checkpoints::Store => AUTOCHECKPOINT_PAGES,
        Checkpoints::Replicator => {
            conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            0
        }
    };
    conn.pragma_update(None, "wal_autocheckpoint", pages)?;
    conn.pragma_update(None, "journal_size_limit", WAL_SIZE_LIMIT as i64)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    words::add_function(&conn)?;
    conn.set_prepared_statement_cache_capacity(128);
    Ok(conn)
}

/// Calls `call` on `conn` at every `interval` while a statement runs. If it returns true, the
/// statement is interrupted.
pub(crate) fn call_every(
    conn: &Connection,
    interval: Duration,
    mut call: impl FnMut() -> bool + Send + 'static,
) -> rusqlite::Result<()> {
    let mut called_at = Instant::now();
    let handler = move || {
        if called_at.elapsed() < interval {
            return false;
        }
        let interrupts = call();
        called_at = Instant::now();
        interrupts
    };
    conn.progress_handler(PROGRESS_STEPS, Some(handler))
}

/// The path of the write-ahead log of a database.
pub(crate) fn log_file(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// Opens a database for inspection, without writing to its folder. `immutable`: no process has it
/// open, so the file alone is complete.
pub(crate) fn open_for_inspection(file: &Path, immutable: bool) -> rusqlite::Result<Connection> {
    let path = file.to_string_lossy();
    let path = path
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    let mode = if immutable { "immutable=1" } else { "mode=ro" };
    let conn = Connection::open_with_flags(format!("file:{path}?{mode}"), read_flags())?;
    prepare_read(&conn)?;
    Ok(conn)
}

/// Switches the file to WAL mode. If two processes do this at once, SQLite fails in one of them
/// without waiting for the other.
fn enable_wal(conn: &Connection) -> rusqlite::Result<()> {
    let started = Instant::now();
    loop {
        let result = conn.pragma_update(None, "journal_mode", "WAL");
        match result.as_ref().map_err(rusqlite::Error::sqlite_error_code) {
            Err(Some(ErrorCode::DatabaseBusy)) if started.elapsed() < BUSY_TIMEOUT => {
                sleep(RETRY_PAUSE)
            }
            _ => return result,
        }
    }
}

/// Flags of a read connection. The file must exist.
pub(crate) fn read_flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI
}

/// Settings of a read connection. A page whose cells do not fit is an error instead of a wrong
/// result. Its cache in KiB has the index of the lists of five busy years (`requests_listed`).
pub(crate) fn prepare_read(conn: &Connection) -> rusqlite::Result<()> {
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    conn.pragma_update(None, "cache_size", -20_000)?;
    conn.set_prepared_statement_cache_capacity(32);
    Ok(())
}

/// Opens a read connection outside of the pool.
pub(crate) fn open_read(file: &Path) -> Result<Connection> {
    let conn = Connection::open_with_flags(file, read_flags())?;
    prepare_read(&conn)?;
    Ok(conn)
}

/// Executes a statement without parameters and rows.
pub(crate) fn execute(conn: &Connection, sql: &str) -> rusqlite::Result<()> {
    conn.prepare_cached(sql)?.execute([]).map(drop)
}
