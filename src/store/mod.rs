//! All SQL. `Store` owns the writer thread and the readers; product verbs are added to it by the files below, one file a noun.
//! Nothing here knows of HTTP.

pub(crate) mod accounts;
pub(crate) mod addresses;
pub(crate) mod audit;
mod beginnings;
mod bell;
pub(crate) mod buckets;
mod commits;
mod connection;
mod contacts;
mod export;
pub(crate) mod factors;
pub(crate) mod flows;
pub(crate) mod identities;
pub(crate) mod one_time_tokens;
pub(crate) mod outbox;
pub(crate) mod passwords;
mod postbox;
mod queue;
mod quotes;
mod recent;
pub(crate) mod roles;
mod row;
mod schema;
mod search;
pub(crate) mod sessions;
pub(crate) mod spent;
mod submissions;
mod taps;
mod words;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex};

pub use rusqlite::Connection;

use writer::Writer;

pub use accounts::{NewUser, UserPage, UserStart};
pub use audit::AuditRow;
pub use export::{COLUMNS as EXPORT_COLUMNS, Exported, Selection};
pub use identities::NewIdentity;
pub use outbox::{Claimed, LONGEST_WAIT, Room};
pub use postbox::{OutboxCounts, OutboxRow};
pub use queue::{Listing, Page};
pub use quotes::{Moved, Mover};
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
    /// The work around this job came to nothing; nothing of it is stored.
    #[error("the write failed")]
    Failed,
    /// Anything else SQLite says.
    #[error("database: {0}")]
    Database(rusqlite::Error),
}

/// The result of a verb of the store.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Whether the disk is at fault: full, failing, or mounted for reading only. SQLite meets a full disk in several places and does not always call it full.
    pub fn is_of_the_disk(&self) -> bool {
        use rusqlite::ErrorCode::{CannotOpen, ReadOnly, SystemIoFailure};
        match self {
            Self::Full => true,
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
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked, DiskFull};
        match (&error, error.sqlite_error_code()) {
            (rusqlite::Error::QueryReturnedNoRows, _) => Self::Missing,
            (_, Some(DatabaseBusy | DatabaseLocked)) => Self::Busy,
            (_, Some(DiskFull)) => Self::Full,
            _ => Self::Database(error),
        }
    }
}

/// The database: one writer, a few readers. Cheap to clone; the last clone to go ends the writer thread after its queue is empty.
#[derive(Clone)]
pub struct Store {
    writer: Arc<Writer>,
    readers: connection::Readers,
    bell: bell::Bell,
    recent: Arc<Mutex<recent::Recent>>,
}

impl Store {
    /// Opens the database in `file`, makes it where there is none, and brings its schema up to date.
    ///
    /// # Errors
    /// When the file cannot be opened or a newer program has written it.
    pub fn open(file: &Path) -> Result<Self> {
        let mut conn = connection::open(file)?;
        schema::apply(&mut conn)?;
        let bell = bell::Bell::default();
        bell.hang(&conn)?;
        Ok(Self {
            writer: Arc::new(Writer::start(conn)?),
            readers: connection::readers(file),
            bell,
            recent: Arc::default(),
        })
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

    /// How many writes wait for their commit.
    pub fn waiting(&self) -> usize {
        self.writer.waiting()
    }

    /// Done when a notice has been committed by this process since the last call.
    pub async fn noticed(&self) {
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
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|_| Error::Busy)?
    }

    /// Whether a write would be taken: one that changes nothing goes through the queue and a transaction onto the disk.
    ///
    /// # Errors
    /// Why not.
    pub async fn ready(&self) -> Result<()> {
        self.write(|conn| {
            let version: u32 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
            Ok(conn.pragma_update(None, "user_version", version)?)
        })
        .await
    }
}
