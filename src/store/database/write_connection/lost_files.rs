//! Detects lost files of the database, and repairs a lost WAL.

use rusqlite::Connection;

use super::checkpoint::checkpoint;
use super::{ALL_TABLES, LOCK_ATTEMPT, WriteConnection};
use crate::database::disk::database_files::{Files, Loss};
use crate::database::{connection, new_rows};
use crate::{Error, Result};

const DATABASE_LOST: &str = "its file was deleted, moved or replaced";
const LOG_LOST: &str = "its log was deleted, moved or replaced";

impl WriteConnection {
    /// Checks that the files are the ones that were opened. A lost WAL is repaired at once: its
    /// content is checkpointed into the database file, and a new WAL is started, from which a
    /// replicator starts over.
    pub(super) fn check_files(&mut self) {
        let mut lost = self.files.lost();
        if lost != self.lost {
            self.log_loss(lost);
        }
        match lost {
            None => {}
            // A moved file gets the whole content of the WAL.
            Some(Loss::Database) => drop(checkpoint(&self.conn, "PASSIVE")),
            Some(Loss::Log) => match self.reopen() {
                Ok(()) => {
                    tracing::warn!("the database file is complete; started a new log");
                    lost = None;
                }
                Err(error) => tracing::error!(%error, "could not repair the lost log yet"),
            },
        }
        if lost != self.lost {
            self.health.set_files_lost(lost.map(|lost| match lost {
                Loss::Database => DATABASE_LOST,
                Loss::Log => LOG_LOST,
            }));
            self.lost = lost;
        }
    }

    fn log_loss(&self, lost: Option<Loss>) {
        let file = self.file.display();
        match lost {
            None => tracing::warn!(%file, "the database files are back"),
            Some(Loss::Database) => tracing::error!(
                %file,
                "the database file was deleted, moved or replaced under the running server; \
                 nothing more is stored. Put it back, or stop the server and restore a copy"
            ),
            Some(Loss::Log) => tracing::error!(
                %file,
                "the log of the database (-wal, -shm) was deleted or replaced under the running \
                 server; saving its content"
            ),
        }
    }

    /// Checkpoints the whole WAL and reopens the database, while reads are paused.
    fn reopen(&mut self) -> Result<()> {
        let readers = self.readers.clone();
        readers.paused(|| {
            if !checkpoint(&self.conn, "TRUNCATE")? {
                return Err(Error::Busy);
            }
            // Every old connection has to be closed first: the connections of one process share the
            // index of the WAL, even if its file was replaced.
            self.read_back = Connection::open_in_memory()?;
            self.conn = Connection::open_in_memory()?;
            let conn = connection::open(&self.file, self.checkpoints)?;
            (self.prepare)(&conn)?;
            conn.busy_timeout(LOCK_ATTEMPT)?;
            new_rows::newest(&conn, ALL_TABLES)?;
            self.conn = conn;
            // Before `read_back` opens: it would replace a WAL that was deleted again in between.
            self.files = Files::of(&self.file);
            self.read_back = connection::open_read_back(&self.file)?;
            match self.files.lost() {
                None => Ok(()),
                Some(_) => Err(Error::Busy),
            }
        })
    }
}
