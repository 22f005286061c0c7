//! Opens the database: its schema, the writer thread, the readers, and the update hook.

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;

use crate::database::connection;
use crate::database::connection::Checkpoints;
use crate::database::copies::migration_copy;
use crate::database::health::Health;
use crate::database::readers::Readers;
use crate::database::schema;
use crate::database::write_connection::WriteConnection;
use crate::database::writer::Writer;
use crate::live::change_log::ChangeLog;
use crate::live::outbox_signal::OutboxSignal;
use crate::request::waits;
use crate::search::index;
use crate::{Error, Result, Store};

impl Store {
    /// Opens the database in `file`, creates it if it does not exist, and brings its schema up to
    /// date. Fails when the file cannot be opened, another process holds its lock, or a newer
    /// version of the program has written it.
    pub fn open(file: &Path) -> Result<Self> {
        Self::open_with(file, Checkpoints::Store)
    }

    /// The same, with a choice of which process checkpoints the WAL.
    pub fn open_with(file: &Path, checkpoints: Checkpoints) -> Result<Self> {
        let mut conn = connection::open(file, checkpoints).map_err(explain_busy)?;
        migration_copy::prepare(&conn, file).map_err(explain_busy)?;
        schema::apply(&mut conn, waits::recompute_all).map_err(explain_busy)?;
        index_all(&conn);
        let health = Arc::<Health>::default();
        let readers = Readers::new(file, checkpoints, health.clone());
        let outbox_signal = OutboxSignal::default();
        let changes = ChangeLog::default();
        let (signal, log) = (outbox_signal.clone(), changes.clone());
        conn.update_hook(Some(move |action, _: &str, table: &str, row| {
            signal.record(action, table);
            log.record(action, table, row);
        }))?;
        let (readers_of_db, health_of_db) = (readers.clone(), health.clone());
        let db = WriteConnection::new(conn, file, checkpoints, readers_of_db, health_of_db)?;
        Ok(Self {
            writer: Arc::new(Writer::start(
                db,
                health.clone(),
                changes.clone(),
                outbox_signal.clone(),
            )?),
            readers,
            health,
            outbox_signal,
            changes,
            recent_texts: Arc::default(),
            counted: Arc::default(),
        })
    }

    /// A second write connection, as another process would have.
    #[cfg(test)]
    pub(crate) fn write_connection(&self, file: &Path) -> Result<WriteConnection> {
        let ours = Checkpoints::Store;
        let readers = Readers::new(file, ours, Arc::default());
        let conn = connection::open(file, ours)?;
        WriteConnection::new(conn, file, ours, readers, Arc::default())
    }
}

/// Indexes what is pending: a few requests after a kill, all of them after some migrations. The
/// writer does so later if another process holds the lock.
fn index_all(conn: &Connection) {
    while index::is_pending(conn).unwrap_or(false) {
        if let Err(error) = index::index_pending(conn) {
            tracing::warn!(%error, "could not update the search index");
            break;
        }
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
