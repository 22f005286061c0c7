//! How a connection is opened, for writing and for reading. The pragmas are set here and nowhere else.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::Result;

/// How long SQLite waits for a lock of another process at a start, and in a reading connection.
pub(super) const BUSY: Duration = Duration::from_secs(5);
/// Pause before something is tried again for which SQLite does not wait by itself.
const AGAIN: Duration = Duration::from_millis(5);
/// Pages in the log before it is folded into the database: a page that changes often is then copied once for many commits. 16 MB.
const CHECKPOINT: u32 = 4000;
/// Bytes that the log keeps when it starts again from its beginning. More than a checkpoint usually
/// leaves, so that the file is not cut and extended each time.
pub(super) const LOG_KEPT: u64 = 32 << 20;
/// The cache of the connection that reads commits back, in KiB: a path through three trees.
const READ_BACK_CACHE: i64 = 128;

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
    // What is deleted is overwritten; it costs a post a thousandth more bytes of log.
    conn.pragma_update(None, "secure_delete", true)?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "wal_autocheckpoint", CHECKPOINT)?;
    conn.pragma_update(None, "journal_size_limit", LOG_KEPT as i64)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    conn.set_prepared_statement_cache_capacity(128);
    Ok(conn)
}

/// The write-ahead log of a database.
pub(super) fn log_file(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// Opens a database to look at it, without ever writing to its folder. `unchanging`: nobody has it open, so its bytes are all there is.
pub(super) fn to_inspect(file: &Path, unchanging: bool) -> rusqlite::Result<Connection> {
    let path = file.to_string_lossy();
    let path = path
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    let how = if unchanging { "immutable=1" } else { "mode=ro" };
    let conn = Connection::open_with_flags(format!("file:{path}?{how}"), reading_flags())?;
    prepare_reading(&conn)?;
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

/// Flags of a connection that only reads. The file must exist.
pub(super) fn reading_flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI
}

/// Settings of a connection that only reads. A page whose cells do not fit is an error, not a
/// wrong answer.
pub(super) fn prepare_reading(conn: &Connection) -> rusqlite::Result<()> {
    conn.busy_timeout(BUSY)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    conn.set_prepared_statement_cache_capacity(32);
    Ok(())
}

/// Opens a reading connection outside of the pool.
pub(super) fn open_reading(file: &Path) -> Result<Connection> {
    let conn = Connection::open_with_flags(file, reading_flags())?;
    prepare_reading(&conn)?;
    Ok(conn)
}

/// Opens the connection that reads commits back: with a small cache, and without waiting.
pub(super) fn open_read_back(file: &Path) -> Result<Connection> {
    let conn = open_reading(file)?;
    conn.pragma_update(None, "cache_size", -READ_BACK_CACHE)?;
    Ok(conn)
}
