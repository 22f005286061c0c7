//! The pool of read connections. It is emptied when the log is truncated, and when the store
//! closes.

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::RwLock;
use r2d2::ManageConnection;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::Connection;
use scheduled_thread_pool::ScheduledThreadPool;

use super::connection;
use super::connection::{Checkpoints, WAL_SIZE_LIMIT, open_read, prepare_read, read_flags};
use super::disk::database_files::log_size;
use super::health::Health;
use crate::{Error, Result};

/// How long a read waits for a free connection.
const POOL_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum number of open connections. SQLite reads from the page cache, so more would only cost
/// memory.
const MAX_CONNECTIONS: u32 = 4;
/// How long an unused connection stays open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// A read connection, and whether it is closed when it returns to the pool.
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

/// The pool of read connections. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Readers(Arc<Inner>);

struct Inner {
    pool: r2d2::Pool<Manager>,
    file: PathBuf,
    checkpoints: Checkpoints,
    health: Arc<Health>,
    /// Read-locked by each read; false after `close`.
    open: RwLock<bool>,
    /// The pool is waiting for all reads to end; long reads must stop.
    stop_requested: AtomicBool,
}

impl Readers {
    /// A pool that opens its first connection at the first read and closes idle ones.
    pub(crate) fn new(file: &Path, checkpoints: Checkpoints, health: Arc<Health>) -> Self {
        let manager = SqliteConnectionManager::file(file)
            .with_flags(read_flags())
            .with_init(|conn| prepare_read(conn));
        let pool = r2d2::Pool::builder()
            .max_size(MAX_CONNECTIONS)
            .min_idle(Some(0))
            .connection_timeout(POOL_TIMEOUT)
            .idle_timeout(Some(IDLE_TIMEOUT))
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
            checkpoints,
            health,
            open: RwLock::new(true),
            stop_requested: AtomicBool::new(false),
        }))
    }

    /// Runs `job` inside one read transaction, so that all its queries see the same snapshot.
    /// Blocks.
    pub(crate) fn with<T>(&self, job: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.while_open(|inner| {
            let mut reader = inner.pool.get().map_err(|_| Error::Busy)?;
            let tx = reader.conn.transaction().map_err(Error::from);
            let result = tx.and_then(|tx| job(&tx));
            // The pages cached by this connection may be damaged.
            reader.retired = result.as_ref().is_err_and(Error::is_disk_error);
            result
        })
    }

    /// Runs a long `job` on a separate connection. Its second argument returns true when the job
    /// has to stop: when the pool waits for all reads to end, or when the WAL, which cannot be
    /// checkpointed during the job, exceeds `WAL_SIZE_LIMIT` and is checkpointed by the store.
    /// Blocks.
    pub(crate) fn with_own_connection<T>(
        &self,
        job: impl FnOnce(&Connection, Box<dyn Fn() -> bool + Send>) -> Result<T>,
    ) -> Result<T> {
        self.while_open(|inner| {
            let conn = open_read(&inner.file)?;
            let shared = self.0.clone();
            let must_stop = move || {
                let is_ours = shared.checkpoints == Checkpoints::Store;
                shared.stop_requested.load(Relaxed)
                    || (is_ours && log_size(&shared.file) > WAL_SIZE_LIMIT)
            };
            job(&conn, Box::new(must_stop))
        })
    }

    /// Checkpoints the WAL on a separate connection and truncates it, unless another process reads
    /// an older state. Does nothing if a replicator checkpoints. Blocks.
    pub(crate) fn truncate_log(&self) -> Result<()> {
        if self.0.checkpoints == Checkpoints::Replicator {
            return Ok(());
        }
        self.paused(|| {
            let conn = connection::open(&self.0.file, self.0.checkpoints)?;
            conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            Ok(())
        })
    }

    fn while_open<T>(&self, read: impl FnOnce(&Inner) -> Result<T>) -> Result<T> {
        let open = self.0.open.read();
        if !*open {
            return Err(Error::Busy);
        }
        let result = read(&self.0);
        self.0.health.record(&result);
        result
    }

    /// Waits for running reads, closes all connections, and runs `job` before the next read.
    pub(crate) fn paused<T>(&self, job: impl FnOnce() -> T) -> T {
        self.drained(|_| job())
    }

    /// Waits for running reads and closes all connections; further reads fail with `Busy`.
    pub(crate) fn close(&self) {
        self.drained(|open| *open = false);
    }

    fn drained<T>(&self, job: impl FnOnce(&mut bool) -> T) -> T {
        self.0.stop_requested.store(true, Relaxed);
        let mut open = self.0.open.write();
        let idle: Vec<_> = iter::from_fn(|| self.0.pool.try_get()).collect();
        idle.into_iter()
            .for_each(|mut reader| reader.retired = true);
        let result = job(&mut open);
        self.0.stop_requested.store(false, Relaxed);
        result
    }
}
