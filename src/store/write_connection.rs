//! The connection that writes, and what is looked after around each commit: that it can be read
//! back, that the files are still where they were, and that the log is folded into the database.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;

use super::connection::{self, LOG_KEPT};
use super::files::{Files, Loss, log_size};
use super::group_commit::run;
use super::health::{DAMAGED, Health};
use super::readers::Readers;
use super::writer::CommitResult;
use super::{Error, Result};

/// How long one try waits for a lock of another process.
const TRY: Duration = Duration::from_millis(250);
/// How long the last fold waits for readers of other processes.
const LAST_FOLD: Duration = Duration::from_secs(2);
/// The newest row of each table whose rows are acknowledged to people.
const NEWEST: &str = "SELECT (SELECT max(seq) FROM quotes), (SELECT max(id) FROM outbox),
    (SELECT max(rowid) FROM contact_messages)";
const DATABASE_LOST: &str = "its file was deleted, moved or replaced";
const LOG_LOST: &str = "its log was deleted, moved or replaced";

/// What each new writing connection is prepared with.
pub(super) type Prepare = Box<dyn Fn(&Connection) -> Result<()> + Send>;

/// The writing connection.
pub(super) struct WriteConnection {
    /// Sees what other processes will see: it has cached nothing that was written since. Closed
    /// before the other, which as the last one removes the log.
    read_back: Connection,
    conn: Connection,
    file: PathBuf,
    files: Files,
    readers: Readers,
    health: Arc<Health>,
    prepare: Prepare,
    /// What `health` was told of the files.
    lost: Option<Loss>,
    /// Something was committed that the database file may not hold yet.
    unfolded: bool,
}

impl WriteConnection {
    /// Takes over `conn`, which is open on `file` and has its schema.
    pub(super) fn new(
        conn: Connection,
        file: &Path,
        readers: Readers,
        health: Arc<Health>,
        prepare: Prepare,
    ) -> Result<Self> {
        prepare(&conn)?;
        conn.busy_timeout(TRY)?;
        // Reads, so that the log is there and can be recognized.
        newest(&conn)?;
        Ok(Self {
            read_back: connection::open_read_back(file)?,
            conn,
            file: file.to_path_buf(),
            files: Files::of(file),
            readers,
            health,
            prepare,
            lost: None,
            unfolded: true,
        })
    }

    /// The connection itself.
    pub(super) fn conn(&self) -> &Connection {
        &self.conn
    }

    /// Begins a transaction; waits a moment for another process that holds the file. Looks after
    /// the files once it holds the lock: another process may have begun a new log.
    pub(super) fn begin(&mut self) -> Result<(), CommitResult> {
        if self.lost.is_some() {
            self.look_after_files();
        }
        self.lock()?;
        if self.files.lost().is_none() {
            return Ok(());
        }
        self.roll_back();
        self.look_after_files();
        self.lock()
    }

    fn lock(&self) -> Result<(), CommitResult> {
        if let Some(why) = self.health.unusable() {
            return Err(CommitResult::Unusable(why));
        }
        // One that an earlier fault has left open would make every later one fail.
        self.roll_back();
        run(&self.conn, "BEGIN IMMEDIATE").map_err(|error| CommitResult::of(&error.into()))
    }

    /// Undoes what is under way, if anything is.
    pub(super) fn roll_back(&self) {
        if !self.conn.is_autocommit() {
            let _ = self.conn.execute_batch("ROLLBACK");
        }
    }

    /// Commits, and makes sure that what was committed will be found: by other connections, and
    /// after the end of this process. Or undoes everything, for what could not be synced must not
    /// be committed with the next transaction.
    pub(super) fn commit(&mut self) -> CommitResult {
        let committed = newest(&self.conn).and_then(|newest| {
            run(&self.conn, "COMMIT")?;
            Ok(newest)
        });
        let written = match committed {
            Ok(written) => written,
            Err(error) => {
                tracing::error!(%error, "a commit failed");
                self.roll_back();
                return self.failed(&error);
            }
        };
        self.unfolded = true;
        self.look_after_files();
        if let Some(why) = self.health.unusable() {
            return CommitResult::Unusable(why);
        }
        match newest(&self.read_back) {
            Ok(read)
                if read
                    .iter()
                    .zip(written)
                    .all(|(read, written)| *read >= written) =>
            {
                CommitResult::Committed
            }
            Ok(_) => self.failed(&Error::Unusable(DAMAGED)),
            Err(error) => {
                tracing::error!(%error, "what was committed cannot be read back");
                self.failed(&error)
            }
        }
    }

    /// Notes that jobs are refused because no transaction could be begun.
    pub(super) fn refuses(&self, fate: CommitResult) {
        let error = fate.error();
        tracing::warn!(%error, "no transaction could be begun");
        self.failed(&error);
    }

    fn failed(&self, error: &Error) -> CommitResult {
        self.health.failed(error);
        CommitResult::of(error)
    }

    /// What can be done while nobody waits: a look after the files, and folding the log, so that
    /// the database file alone holds everything.
    pub(super) fn rest(&mut self) {
        self.look_after_files();
        if self.unfolded && self.lost.is_none() {
            match self.fold() {
                Ok(whole) => self.unfolded = !whole,
                Err(error) => tracing::warn!(%error, "the log could not be folded in"),
            }
        }
    }

    /// A log that has grown while somebody read is cut as well.
    fn fold(&self) -> Result<bool> {
        if log_size(&self.file) <= LOG_KEPT {
            return checkpoint(&self.conn, "PASSIVE");
        }
        self.conn.busy_timeout(Duration::ZERO)?;
        let whole = checkpoint(&self.conn, "TRUNCATE");
        self.conn.busy_timeout(TRY)?;
        whole
    }

    /// Looks whether the files are still the ones that were opened. A lost log is made good at
    /// once: what it held is put into the database file, and a new one is begun.
    fn look_after_files(&mut self) {
        let mut lost = self.files.lost();
        if lost != self.lost {
            self.tell(lost);
        }
        match lost {
            None => {}
            // A file that was moved shall be whole where it is now.
            Some(Loss::Database) => drop(checkpoint(&self.conn, "PASSIVE")),
            Some(Loss::Log) => match self.open_anew() {
                Ok(()) => {
                    tracing::warn!("the database file holds everything; a new log is begun");
                    lost = None;
                }
                Err(error) => tracing::error!(%error, "the lost log could not be made good yet"),
            },
        }
        if lost != self.lost {
            self.health.files(lost.map(|lost| match lost {
                Loss::Database => DATABASE_LOST,
                Loss::Log => LOG_LOST,
            }));
            self.lost = lost;
        }
    }

    fn tell(&self, lost: Option<Loss>) {
        let file = self.file.display();
        match lost {
            None => tracing::warn!(%file, "the files of the database are back"),
            Some(Loss::Database) => tracing::error!(
                %file,
                "the database file was deleted, moved or replaced under the running server; nothing more is stored. Put it back, or stop the server and restore a copy"
            ),
            Some(Loss::Log) => tracing::error!(
                %file,
                "the log of the database (-wal, -shm) was deleted or replaced under the running server; saving what it holds"
            ),
        }
    }

    /// Folds the whole log into the database and opens both anew, while nobody reads.
    fn open_anew(&mut self) -> Result<()> {
        let readers = self.readers.clone();
        readers.paused(|| {
            if !checkpoint(&self.conn, "TRUNCATE")? {
                return Err(Error::Busy);
            }
            // Every old connection has to go first: connections of one process share the index of
            // the log, whatever has become of its file.
            self.read_back = Connection::open_in_memory()?;
            self.conn = Connection::open_in_memory()?;
            let conn = connection::open(&self.file)?;
            (self.prepare)(&conn)?;
            conn.busy_timeout(TRY)?;
            newest(&conn)?;
            self.read_back = connection::open_read_back(&self.file)?;
            self.conn = conn;
            self.files = Files::of(&self.file);
            Ok(())
        })
    }

    /// Folds the log in for the last time and closes the database, so that its file alone is whole.
    pub(super) fn close(self) {
        self.readers.close();
        let _ = self.conn.busy_timeout(LAST_FOLD);
        match checkpoint(&self.conn, "TRUNCATE") {
            Ok(true) => {}
            Ok(false) => tracing::warn!(
                "another process reads the database: its log stays beside it and belongs to every copy"
            ),
            Err(error) => tracing::error!(%error, "the log could not be folded in"),
        }
    }
}

fn newest(conn: &Connection) -> Result<[Option<i64>; 3]> {
    let mut find = conn.prepare_cached(NEWEST)?;
    Ok(find.query_row([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))?)
}

/// Copies the log into the database file and syncs that; says whether it now holds everything.
fn checkpoint(conn: &Connection, mode: &str) -> Result<bool> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    let outcome = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let (busy, frames, copied): (i64, i64, i64) = conn.query_row(&sql, [], outcome)?;
    Ok(busy == 0 && frames == copied)
}
