//! All SQL. `Store` owns the writer thread and the readers; product verbs are added to it by the files below, one file a noun.
//! Nothing here knows of HTTP.

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
mod quote_list;
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
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use rusqlite::Connection;

use health::Health;
use readers::Readers;
use write_connection::WriteConnection;
use writer::Writer;

pub use accounts::{NewUser, UserPage, UserStart};
pub use audit::AuditRow;
pub use export::{COLUMNS as EXPORT_COLUMNS, ExportRow, ExportValue, Selection};
pub use identities::NewIdentity;
pub use outbox::{ClaimLimits, ClaimedEmail, MAX_WAIT_MS};
pub use outbox_admin::{LATE_AFTER, OutboxCounts, OutboxRow};
pub use quote_list::{QuotePage, QuoteQuery};
pub use quotes::{MoveResult, Mover};
pub use submissions::{Submission, Submitted};

/// Why a verb of the store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such row.
    #[error("not found")]
    Missing,
    /// What is stored stands against it; the text says what.
    #[error("{0}")]
    Conflict(String),
    /// Too much work is waiting, or another process holds the database: try again shortly.
    #[error("the database is busy")]
    Busy,
    /// The disk, or the space given to the database, is full.
    #[error("the disk is full")]
    Full,
    /// The work around this job came to nothing, or the job panicked; nothing of it is stored.
    #[error("the work failed")]
    Failed,
    /// The database is damaged or its files are gone; the text says which. The log says more.
    #[error("the database cannot be used: {0}")]
    Unusable(&'static str),
    /// Anything else SQLite says.
    #[error("database: {0}")]
    Database(rusqlite::Error),
}

/// The result of a verb of the store.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Whether the disk is at fault: full, failing, mounted for reading only, or what is on it is damaged or gone.
    /// SQLite meets a full disk in several places and does not always call it full.
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

/// The database: one writer, a few readers. Cheap to clone; the last clone to go ends the writer thread after its queue is empty.
#[derive(Clone)]
pub struct Store {
    writer: Arc<Writer>,
    readers: Readers,
    health: Arc<Health>,
    bell: outbox_signal::OutboxSignal,
    recent: Arc<Mutex<submission_index::SubmissionIndex>>,
}

impl Store {
    /// Opens the database in `file`, makes it where there is none, and brings its schema up to date.
    ///
    /// # Errors
    /// When the file cannot be opened, another process holds it, or a newer program has written it.
    pub fn open(file: &Path) -> Result<Self> {
        let mut conn = connection::open(file).map_err(locked)?;
        schema::apply(&mut conn).map_err(locked)?;
        let health = Arc::<Health>::default();
        let readers = Readers::new(file, health.clone());
        let (bell, recent) = (
            outbox_signal::OutboxSignal::default(),
            Arc::<Mutex<submission_index::SubmissionIndex>>::default(),
        );
        let prepare = {
            let (bell, recent) = (bell.clone(), recent.clone());
            move |conn: &Connection| {
                let mut recent = recent.lock().unwrap_or_else(PoisonError::into_inner);
                recent.look_again();
                bell.hang(conn)
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
            bell,
            recent,
        })
    }

    /// Ends the store for all its clones: what is under way is finished, the log is folded into
    /// the database file, every connection is closed. What comes after is `Busy`.
    pub async fn close(&self) {
        let writer = self.writer.clone();
        let _ = tokio::task::spawn_blocking(move || writer.close()).await;
    }

    /// Runs `job` on the writer thread, in a savepoint of the running group commit. Answers after the commit is on disk. `Err` undoes what the job wrote;
    /// what must survive a refusal is returned as `Ok`.
    ///
    /// # Errors
    /// What the job says; `Busy` when the queue is full or the file stays locked; `Full` when the disk is.
    pub async fn write<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let outcome = self.writer.run(job).await;
        self.bell.ring_if_pulled();
        outcome
    }

    /// A second connection that writes, as another process has one.
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

    /// How many writes wait for their commit.
    pub fn pending_writes(&self) -> usize {
        self.writer.waiting()
    }

    /// Done when a notice has been committed by this process since the last call.
    pub async fn outbox_notified(&self) {
        self.bell.heard().await;
    }

    /// Runs `job` on a reading connection, on a blocking thread, in one consistent view.
    ///
    /// # Errors
    /// What the job says; `Busy` when no connection is free in time.
    pub async fn read<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let readers = self.readers.clone();
        let work = move || readers.with(job);
        tokio::task::spawn_blocking(work).await.map_err(unread)?
    }
}

/// What a start is told where another process holds the database.
fn locked(error: Error) -> Error {
    match error {
        Error::Busy => Error::Conflict(
            "another process holds a lock on it: a copy, a shell or another guardpost; end that one, or wait for it".into(),
        ),
        error => error,
    }
}

/// Why a read gave no answer: it panicked, or the runtime has ended.
fn unread(error: tokio::task::JoinError) -> Error {
    if error.is_panic() {
        tracing::error!("a read of the store panicked");
        return Error::Failed;
    }
    Error::Busy
}
