//! The pool of reading connections, and the two moments when there must be none: when the files of
//! the database are opened anew, and when the store closes.

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use r2d2::ManageConnection;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::Connection;
use scheduled_thread_pool::ScheduledThreadPool;

use super::connection::{LOG_KEPT, open_reading, prepare_reading, reading_flags};
use super::files::log_size;
use super::health::Health;
use super::{Error, Result};

/// How long a read waits for a free connection.
const WAIT: Duration = Duration::from_secs(5);
/// Connections open at once. SQLite reads from the page cache: more than a few only cost memory.
const MOST: u32 = 4;
/// How long an unused connection stays open.
const IDLE: Duration = Duration::from_secs(60);

/// A reading connection, and whether it is closed when it comes back.
struct Reader {
    conn: Connection,
    retired: bool,
}

struct Manager(SqliteConnectionManager);

impl ManageConnection for Manager {
    type Connection = Reader;
    type Error = rusqlite::Error;

    fn connect(&self) -> rusqlite::Result<Reader> {
        let retired = false;
        self.0.connect().map(|conn| Reader { conn, retired })
    }

    fn is_valid(&self, reader: &mut Reader) -> rusqlite::Result<()> {
        self.0.is_valid(&mut reader.conn)
    }

    fn has_broken(&self, reader: &mut Reader) -> bool {
        reader.retired
    }
}

/// The reading connections. Cheap to clone.
#[derive(Clone)]
pub(super) struct Readers(Arc<Inner>);

struct Inner {
    pool: r2d2::Pool<Manager>,
    file: PathBuf,
    health: Arc<Health>,
    /// Held by each read; says whether reads are still taken.
    open: RwLock<bool>,
    /// Somebody waits for the reads to end: a long one gives way.
    give_way: AtomicBool,
}

impl Readers {
    /// A pool that opens no connection before the first read and closes idle ones again.
    pub(super) fn new(file: &Path, health: Arc<Health>) -> Self {
        let manager = SqliteConnectionManager::file(file)
            .with_flags(reading_flags())
            .with_init(|conn| prepare_reading(conn));
        let pool = r2d2::Pool::builder()
            .max_size(MOST)
            .min_idle(Some(0))
            .connection_timeout(WAIT)
            .idle_timeout(Some(IDLE))
            .test_on_check_out(false)
            .thread_pool(Arc::new(
                ScheduledThreadPool::builder()
                    .num_threads(1)
                    .thread_name_pattern("readers")
                    .build(),
            ))
            .build_unchecked(Manager(manager));
        Self(Arc::new(Inner {
            pool,
            file: file.to_path_buf(),
            health,
            open: RwLock::new(true),
            give_way: AtomicBool::new(false),
        }))
    }

    /// Runs `job` inside one read transaction, so that all its queries see the same moment. Blocks.
    pub(super) fn with<T>(&self, job: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.while_open(|inner| {
            let mut reader = inner.pool.get().map_err(|_| Error::Busy)?;
            let tx = reader.conn.transaction().map_err(Error::from);
            let outcome = tx.and_then(|tx| job(&tx));
            // What this connection has cached may be what is wrong.
            reader.retired = outcome.as_ref().is_err_and(Error::is_disk_error);
            outcome
        })
    }

    /// Runs a long `job` on a connection of its own. It is told when it has to give way: to who
    /// waits for the reads to end, and to the log, which cannot be folded in meanwhile. Blocks.
    pub(super) fn apart<T>(
        &self,
        job: impl FnOnce(&Connection, Box<dyn Fn() -> bool + Send>) -> Result<T>,
    ) -> Result<T> {
        self.while_open(|inner| {
            let conn = open_reading(&inner.file)?;
            let shared = self.0.clone();
            let give_way =
                move || shared.give_way.load(Relaxed) || log_size(&shared.file) > LOG_KEPT;
            job(&conn, Box::new(give_way))
        })
    }

    fn while_open<T>(&self, read: impl FnOnce(&Inner) -> Result<T>) -> Result<T> {
        let open = self.0.open.read().unwrap_or_else(PoisonError::into_inner);
        if !*open {
            return Err(Error::Busy);
        }
        let outcome = read(&self.0);
        self.0.health.note(&outcome);
        outcome
    }

    /// Waits for the reads that run, closes their connections, and runs `job` before the next read.
    pub(super) fn paused<T>(&self, job: impl FnOnce() -> T) -> T {
        self.stopped(|_| job())
    }

    /// Waits for the reads that run and closes their connections; further reads are refused.
    pub(super) fn close(&self) {
        self.stopped(|open| *open = false);
    }

    fn stopped<T>(&self, job: impl FnOnce(&mut bool) -> T) -> T {
        self.0.give_way.store(true, Relaxed);
        let mut open = self.0.open.write().unwrap_or_else(PoisonError::into_inner);
        let idle: Vec<_> = iter::from_fn(|| self.0.pool.try_get()).collect();
        idle.into_iter()
            .for_each(|mut reader| reader.retired = true);
        let outcome = job(&mut open);
        self.0.give_way.store(false, Relaxed);
        outcome
    }
}
