//! All SQL. `Store` owns the writer thread and the read connections; the files below add methods to
//! it, one file per noun. Nothing here depends on HTTP.

pub mod access;
pub(crate) mod accounts;
pub(crate) mod audit;
pub(crate) mod buckets;
mod call_clicks;
mod change_log;
pub(crate) mod clock_repair;
mod connection;
mod contacts;
mod content;
mod content_pictures;
pub(crate) mod decoys;
pub mod demo;
mod escalations;
pub(crate) mod events;
mod export;
pub(crate) mod factors;
mod figures;
mod files;
pub(crate) mod flows;
mod group_commit;
mod growth;
mod health;
mod held;
mod hold;
pub(crate) mod identities;
mod inbox_counts;
mod inbox_filters;
mod inbox_list;
mod inbox_query;
mod inbox_walk;
mod index_merge;
mod index_words;
pub mod inspection;
mod integrity;
pub mod key_files;
mod license_warnings;
mod live_feed;
pub mod maintenance;
mod media_files;
mod migration_copy;
mod new_rows;
mod notice_split;
pub(crate) mod object_list;
pub(crate) mod objects;
pub(crate) mod one_time_tokens;
pub(crate) mod outbox;
mod outbox_admin;
mod outbox_repair;
mod outbox_signal;
pub(crate) mod passwords;
pub mod person;
mod prefix;
mod quote_list;
mod quotes;
pub(crate) mod rate_buckets;
mod readers;
mod replies;
pub(crate) mod request_changes;
mod request_columns;
mod request_detail;
mod request_emails;
mod request_undo;
mod requests;
pub mod restored;
pub(crate) mod roles;
mod row;
mod schema;
mod search;
mod search_index;
pub(crate) mod sessions;
pub mod snapshot;
mod submission_index;
mod submissions;
mod transfer;
pub(crate) mod uploads;
pub(crate) mod used_nonces;
pub(crate) mod user_addresses;
mod write_connection;
mod write_job;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use rusqlite::Connection;

use change_log::ChangeLog;
use health::Health;
use new_rows::NewRows;
use outbox_signal::OutboxSignal;
use readers::Readers;
use submission_index::SubmissionIndex;
use write_connection::WriteConnection;
use writer::Writer;

pub use accounts::{NewUser, UserPage, UserStart};
pub use audit::AuditRow;
pub use buckets::Bucket;
pub use connection::Checkpoints;
pub use content::{Draft, NewVersion, Published, Reason, Stored, VersionRow};
pub use export::{ExportRow, ExportValue};
pub use figures::Figures;
pub use identities::NewIdentity;
pub use inbox_counts::{Counts, Views};
pub use inbox_filters::NamedFilter;
pub use inbox_list::InboxPage;
pub use inbox_query::{Assignee, InboxQuery, RequestFilter};
pub use live_feed::{Listener, LiveFeed};
pub use objects::Object;
pub use outbox::{ClaimLimits, ClaimedEmail};
pub use outbox_admin::{LATE_AFTER, OutboxCounts, OutboxRow};
pub use outbox_repair::MAX_WAIT_MS;
pub use quote_list::{QuotePage, QuoteQuery};
pub use quotes::MoveResult;
pub use replies::{NewReply, StoredReply};
pub use request_changes::{
    Assign, BulkResult, CallOutcome, Changed, Mover, Refusal, RequestUpdate,
};
pub use request_columns::{ExportColumn, INBOX_COLUMNS, MESSAGE_COLUMNS, QUOTE_COLUMNS};
pub use request_detail::RequestDetail;
pub use request_undo::{BulkUndo, UndoRefusal};
pub use schema::VERSION as SCHEMA_VERSION;
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

/// The error of a rule of a service that runs in a transaction.
pub trait RuleError: From<Error> + Send + 'static {
    /// The error that rolls the transaction back.
    ///
    /// # Errors
    /// The error itself if it is a refusal, which commits what was written.
    fn into_store_error(self) -> Result<Error, Self>;
}

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
    changes: ChangeLog,
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
        Self::open_with(file, Checkpoints::Store)
    }

    /// The same, with a choice of who copies the log into the database file.
    ///
    /// # Errors
    /// Those of `open`.
    pub fn open_with(file: &Path, checkpoints: Checkpoints) -> Result<Self> {
        let mut conn = connection::open(file, checkpoints).map_err(explain_busy)?;
        migration_copy::prepare(&conn, file).map_err(explain_busy)?;
        schema::apply(&mut conn).map_err(explain_busy)?;
        let health = Arc::<Health>::default();
        let readers = Readers::new(file, checkpoints, health.clone());
        let outbox_signal = OutboxSignal::default();
        let changes = ChangeLog::default();
        let new_rows = NewRows::default();
        let submission_index = Arc::<Mutex<SubmissionIndex>>::default();
        let prepare = {
            let (signal, changes) = (outbox_signal.clone(), changes.clone());
            let (index, new_rows) = (submission_index.clone(), new_rows.clone());
            move |conn: &Connection| {
                let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
                index.connection_changed();
                changes.connection_changed();
                let (signal, changes) = (signal.clone(), changes.clone());
                let new_rows = new_rows.clone();
                let hook = move |action, _: &str, table: &str, row| {
                    new_rows.record(action, table, row);
                    signal.record(action, table);
                    changes.record(action, table, row);
                };
                Ok(conn.update_hook(Some(hook))?)
            }
        };
        let db = WriteConnection::new(
            conn,
            (file, checkpoints),
            readers.clone(),
            health.clone(),
            (Box::new(prepare), new_rows),
        )?;
        Ok(Self {
            writer: Arc::new(Writer::start(db, health.clone(), changes.clone())?),
            readers,
            health,
            outbox_signal,
            changes,
            submission_index,
        })
    }

    /// Closes the store for all its clones: finishes queued jobs, checkpoints the log into the
    /// database file, and closes every connection. Later calls fail with `Busy`.
    pub async fn close(&self) {
        let writer = self.writer.clone();
        let _ = tokio::task::spawn_blocking(move || writer.close()).await;
    }

    /// Runs `job` on the writer thread, as a part of the current group commit. Returns after the
    /// commit is on disk. `Err` rolls back the job; a refusal that has to store something is
    /// returned as `Ok`.
    ///
    /// # Errors
    /// The error of the job; `Busy` when the queue is full or the file stays locked; `Full` when
    /// the disk is full.
    pub fn write<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + use<'_, T, F>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let result = self.writer.run(job);
        async move {
            let result = result.await;
            self.outbox_signal.notify_if_pending();
            result
        }
    }

    /// Runs a rule of a service in one write transaction. A refusal commits what the rule wrote
    /// before; an error of the store rolls it back.
    ///
    /// # Errors
    /// Those of the rule; those of `write`.
    pub async fn write_rule<T, E, F>(&self, rule: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: RuleError,
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    {
        self.write(move |conn| separate(rule(conn))).await?
    }

    /// Runs a rule of a service on a read connection.
    ///
    /// # Errors
    /// Those of the rule; those of `read`.
    pub async fn read_rule<T, E, F>(&self, rule: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: RuleError,
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    {
        self.read(move |conn| separate(rule(conn))).await?
    }

    /// Empties the write-ahead log into the database file. Does nothing while another process
    /// reads.
    ///
    /// # Errors
    /// The error of the database.
    pub(crate) async fn truncate_log(&self) -> Result<()> {
        let readers = self.readers.clone();
        let work = move || readers.truncate_log();
        tokio::task::spawn_blocking(work)
            .await
            .map_err(read_failed)?
    }

    /// A second write connection, like that of another process.
    #[cfg(test)]
    fn write_connection(&self, file: &Path) -> Result<WriteConnection> {
        let ours = Checkpoints::Store;
        let (readers, health) = (Readers::new(file, ours, Arc::default()), Arc::default());
        WriteConnection::new(
            connection::open(file, ours)?,
            (file, ours),
            readers,
            health,
            (Box::new(|_| Ok(())), NewRows::default()),
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

    /// The feed of committed changes.
    pub fn live_feed(&self) -> LiveFeed {
        self.changes.feed()
    }

    /// Waits until sessions, users or their roles may have changed since the last call: a commit of
    /// this process that concerns them, any commit of another process, or `request_access_check`.
    pub async fn access_changed(&self) {
        self.changes.access_changed().await;
    }

    /// Makes `access_changed` return.
    pub fn request_access_check(&self) {
        self.changes.request_access_check();
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
        // The job may own the last other handle: if the store were closed within the read, it would
        // wait for this read to end.
        let store = self.clone();
        let work = move || {
            let result = store.readers.with(job);
            drop(store);
            result
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(read_failed)?
    }
}

/// Makes errors of the store the outer result of a rule, and refusals the inner one.
fn separate<T, E: RuleError>(result: Result<T, E>) -> Result<Result<T, E>> {
    match result.map_err(E::into_store_error) {
        Ok(value) => Ok(Ok(value)),
        Err(Ok(error)) => Err(error),
        Err(Err(refusal)) => Ok(Err(refusal)),
    }
}

/// Explains `Busy` at a start, where another process holds the lock.
fn explain_busy(error: Error) -> Error {
    match error {
        Error::Busy => Error::Conflict(
            "another process holds a lock on it: a copy, a shell or another guardpost; end that \
             one, or wait for it"
                .into(),
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
