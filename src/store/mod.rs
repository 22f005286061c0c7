//! All SQL. `Store` owns the writer thread and the read connections; the files below add methods to
//! it, one file per noun. Nothing here depends on HTTP.

pub mod access;
pub(crate) mod accounts;
pub(crate) mod audit;
mod call_clicks;
pub(crate) mod clock_repair;
mod connection;
mod contacts;
pub(crate) mod decoys;
mod export;
pub(crate) mod factors;
mod files;
pub(crate) mod flows;
mod group_commit;
mod health;
pub(crate) mod identities;
pub mod inspection;
mod integrity;
pub mod key_files;
mod media_files;
pub(crate) mod one_time_tokens;
pub(crate) mod outbox;
mod outbox_admin;
mod outbox_repair;
mod outbox_signal;
pub(crate) mod passwords;
mod prefix;
mod quote_columns;
mod quote_list;
mod quote_query;
mod quotes;
pub(crate) mod rate_buckets;
mod readers;
pub(crate) mod roles;
mod row;
mod schema;
mod search;
mod search_index;
pub(crate) mod sessions;
mod submission_index;
mod submissions;
pub(crate) mod used_nonces;
pub(crate) mod user_addresses;
mod write_connection;
mod write_job;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use rusqlite::Connection;

use health::Health;
use outbox_signal::OutboxSignal;
use readers::Readers;
use submission_index::SubmissionIndex;
use write_connection::WriteConnection;
use writer::Writer;

pub use accounts::{NewUser, UserPage, UserStart};
pub use audit::AuditRow;
pub use export::{ExportRow, ExportValue, Selection};
pub use identities::NewIdentity;
pub use outbox::{ClaimLimits, ClaimedEmail, MAX_WAIT_MS};
pub use outbox_admin::{LATE_AFTER, OutboxCounts, OutboxRow};
pub use quote_columns::COLUMNS as EXPORT_COLUMNS;
pub use quote_list::QuotePage;
pub use quote_query::QuoteQuery;
pub use quotes::{MoveResult, Mover};
pub use submissions::{Submission, Submitted};

/// Why a method of the store failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such row.
    #[error("not found")]
    Missing,
    /// It conflicts with stored data; the text says with what.
    #[error("{0}")]
    Conflict(String),
    /// The queue is full, or another process holds the lock: retry shortly.
    #[error("the database is busy")]
    Busy,
    /// The disk, or the maximum size of the database, is full.
    #[error("the disk is full")]
    Full,
    /// The transaction of this job was rolled back, or the job panicked; nothing of it is stored.
    #[error("the work failed")]
    Failed,
    /// The database is damaged or its files are gone; the text says which. Details are in the log.
    #[error("the database cannot be used: {0}")]
    Unusable(&'static str),
    /// Any other error of SQLite.
    #[error("database: {0}")]
    Database(rusqlite::Error),
}

/// The result of a method of the store.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Whether the disk is the cause: full, failing, read-only, or the files on it are damaged or
    /// gone. SQLite does not report a full disk as `Full` in every case.
    pub fn is_disk_error(&self) -> bool {
        use rusqlite::ErrorCode::{CannotOpen, ReadOnly, SystemIoFailure};
        match self {
            Self::Full | Self::Unusable(_) => true,
            Self::Database(error) => matches!(
                error.sqlite_error_code(),
                Some(CannotOpen | ReadOnly | SystemIoFailure)
            ),
            _ => false,
        }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase,
        };
        match (&error, error.sqlite_error_code()) {
            (rusqlite::Error::QueryReturnedNoRows, _) => Self::Missing,
            (_, Some(DatabaseBusy | DatabaseLocked)) => Self::Busy,
            (_, Some(DiskFull)) => Self::Full,
            (_, Some(DatabaseCorrupt | NotADatabase)) => Self::Unusable(health::DAMAGED),
            _ => Self::Database(error),
        }
    }
}

/// The database: one writer, a few readers. Cheap to clone; dropping the last clone ends the writer
/// thread after its queue is empty.
#[derive(Clone)]
pub struct Store {
    writer: Arc<Writer>,
    readers: Readers,
    health: Arc<Health>,
    outbox_signal: OutboxSignal,
    submission_index: Arc<Mutex<SubmissionIndex>>,
}

impl Store {
    /// Opens the database in `file`, creates it if it does not exist, and brings its schema up to
    /// date.
    ///
    /// # Errors
    /// When the file cannot be opened, another process holds its lock, or a newer version of the
    /// program has written it.
    pub fn open(file: &Path) -> Result<Self> {
        let mut conn = connection::open(file).map_err(explain_busy)?;
        schema::apply(&mut conn).map_err(explain_busy)?;
        let health = Arc::<Health>::default();
        let readers = Readers::new(file, health.clone());
        let outbox_signal = OutboxSignal::default();
        let submission_index = Arc::<Mutex<SubmissionIndex>>::default();
        let prepare = {
            let (signal, index) = (outbox_signal.clone(), submission_index.clone());
            move |conn: &Connection| {
                let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
                index.connection_changed();
                signal.watch(conn)
            }
        };
        let db = WriteConnection::new(
            conn,
            file,
            readers.clone(),
            health.clone(),
            Box::new(prepare),
        )?;
        Ok(Self {
            writer: Arc::new(Writer::start(db, health.clone())?),
            readers,
            health,
            outbox_signal,
            submission_index,
        })
    }

    /// Closes the store for all its clones: finishes queued jobs, checkpoints the log into the
    /// database file, and closes every connection. Later calls fail with `Busy`.
    pub async fn close(&self) {
        let writer = self.writer.clone();
        let _ = tokio::task::spawn_blocking(move || writer.close()).await;
    }

    /// Runs `job` on the writer thread, in a savepoint of the current group commit. Returns after
    /// the commit is on disk. `Err` rolls back the job; a refusal that has to store something is
    /// returned as `Ok`.
    ///
    /// # Errors
    /// The error of the job; `Busy` when the queue is full or the file stays locked; `Full` when
    /// the disk is full.
    pub async fn write<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let result = self.writer.run(job).await;
        self.outbox_signal.notify_if_pending();
        result
    }

    /// A second write connection, like that of another process.
    #[cfg(test)]
    fn write_connection(&self, file: &Path) -> Result<WriteConnection> {
        let (readers, health) = (Readers::new(file, Arc::default()), Arc::default());
        WriteConnection::new(
            connection::open(file)?,
            file,
            readers,
            health,
            Box::new(|_| Ok(())),
        )
    }

    /// The number of writes that wait for their commit.
    pub fn pending_writes(&self) -> usize {
        self.writer.pending()
    }

    /// Waits until this process has committed a notice since the last call.
    pub async fn outbox_notified(&self) {
        self.outbox_signal.notified().await;
    }

    /// Runs `job` on a read connection, on a blocking thread, in one read transaction.
    ///
    /// # Errors
    /// The error of the job; `Busy` when no connection is free in time.
    pub async fn read<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let readers = self.readers.clone();
        let work = move || readers.with(job);
        tokio::task::spawn_blocking(work)
            .await
            .map_err(read_failed)?
    }
}

/// Explains `Busy` at a start, where another process holds the lock.
fn explain_busy(error: Error) -> Error {
    match error {
        Error::Busy => Error::Conflict(
            "another process holds a lock on it: a copy, a shell or another guardpost; end that one, or wait for it".into(),
        ),
        error => error,
    }
}

/// The error of a read that did not return: it panicked, or the runtime has ended.
fn read_failed(error: tokio::task::JoinError) -> Error {
    if error.is_panic() {
        tracing::error!("a read of the store panicked");
        return Error::Failed;
    }
    Error::Busy
}
