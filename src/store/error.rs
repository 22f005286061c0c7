//! Why methods of the store fail.

use super::database::health::DAMAGED;

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

    /// Logs that `what` failed in the background. An error of the disk gets no line here: the store
    /// logs it, once while it lasts.
    pub fn log_background(&self, what: &'static str) {
        if self.is_disk_error() {
            tracing::debug!(error = %self, "{what}");
        } else {
            tracing::warn!(error = %self, "{what}");
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
            (_, Some(DatabaseCorrupt | NotADatabase)) => Self::Unusable(DAMAGED),
            _ => Self::Database(error),
        }
    }
}
