//! Errors of the store.

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such row.
    #[error("not found")]
    Missing,
    /// It conflicts with stored data; the text names the conflict.
    #[error("{0}")]
    Conflict(String),
    /// The queue is full, or another process holds the lock: retry shortly.
    #[error("the database is busy")]
    Busy,
    /// The disk, or the maximum size of the database, is full.
    #[error("the disk is full")]
    Full,
    /// The transaction of this job was rolled back, or the job panicked; none of its changes are
    /// stored.
    #[error("the work failed")]
    Failed,
    /// The database is damaged or its files are lost; the text says which. Details are in the log.
    #[error("the database cannot be used: {0}")]
    Unusable(&'static str),
    /// Any other error of SQLite.
    #[error("database: {0}")]
    Database(rusqlite::Error),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The refusal of what conflicts with stored data; the text names the conflict.
pub(crate) fn conflict<T>(detail: impl Into<String>) -> Result<T> {
    Err(Error::Conflict(detail.into()))
}

/// What was found, if it is there.
pub(crate) fn existing<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Err(Error::Missing) => Ok(None),
        found => found.map(Some),
    }
}

/// The error of a rule of a service that runs in a transaction.
pub trait RuleError: From<Error> + Send + 'static {
    /// The error that rolls the transaction back. Errors: the error itself if it is a refusal,
    /// which commits what was written.
    fn into_store_error(self) -> Result<Error, Self>;
}

impl Error {
    /// Whether the disk is the cause: full, failing, read-only, or its files are damaged or lost.
    /// SQLite does not always report a full disk as `Full`.
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

    /// Logs that a request met this error; `request_id` is the id in its response. Each request
    /// that meets a damaged database is logged. Other disk errors are logged by the store, once
    /// while they last.
    pub fn log_request(&self, request_id: Option<&str>) {
        let is_disk = self.is_disk_error();
        let message = match is_disk {
            true => "the database cannot be written or read",
            false => "the store failed",
        };
        if is_disk && !matches!(self, Self::Unusable(_)) {
            tracing::debug!(error = %self, request_id, "{message}");
        } else {
            tracing::error!(error = %self, request_id, "{message}");
        }
    }

    /// Logs that `what` failed in the background. Disk errors are not logged here: the store logs
    /// them once while they last.
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

/// The error of a read that did not return: it panicked, or the runtime has ended.
pub(crate) fn read_failed(error: tokio::task::JoinError) -> Error {
    if error.is_panic() {
        tracing::error!("a read of the store panicked");
        return Error::Failed;
    }
    Error::Busy
}

/// The error for a database in which a damaged page was found.
pub(crate) const DAMAGED: &str = "a page of it is damaged";
