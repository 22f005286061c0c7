//! The identity of a database: the mark that it leaves in buckets and places of backups, and
//! whether it is a drill, made of a backup.

use std::path::Path;

use rusqlite::{Connection, Row};

use super::backup_places;
use crate::database::connection;
use crate::database::maintenance;
use crate::database::maintenance::Job;
use crate::database::row::{self, read_row};
use crate::{Result, Store, query};
use domain::clock::Time;

/// The identity of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// Its mark, which is unique.
    pub mark: String,
    /// The mark of the database whose backup it was restored from.
    pub predecessor: Option<String>,
    /// Since when it is a drill; `None` in production.
    pub drill_since: Option<Time>,
    /// When the backup that it was restored from was made.
    pub restored_from: Option<Time>,
}

fn find(conn: &Connection) -> Result<Installation> {
    Ok(conn.query_row("SELECT * FROM installation", [], read)?)
}

fn read(found: &Row<'_>) -> rusqlite::Result<Installation> {
    read_row!(found => Installation { mark, predecessor, drill_since, restored_from })
}

/// The identity of the database in `conn`; `None` if its schema is older than this table.
pub(super) fn known(conn: &Connection) -> Result<Option<Installation>> {
    match conn.table_exists(None, "installation")? {
        true => Ok(Some(find(conn)?)),
        false => Ok(None),
    }
}

/// The same for the database in `file`, which a server may have open.
pub fn of_file(file: &Path) -> Result<Option<Installation>> {
    known(&connection::open_read(file)?)
}

/// Makes the database a drill that was restored at `now` from a backup of the time `backed_up_at`.
pub(super) fn begin_drill(conn: &Connection, now: Time, backed_up_at: &str) -> Result<()> {
    let sql = "UPDATE installation SET predecessor = mark, mark = lower(hex(randomblob(16))),
            drill_since = ?1, restored_from = ?2";
    query::run(conn, sql, [&now.to_string(), backed_up_at])
}

/// The time of the newest backup that may still be restored; `None` if there was none.
pub fn newest_backup(conn: &Connection) -> Result<Option<Time>> {
    let made = maintenance::last(conn, Job::Backup)?.and_then(|run| run.succeeded_at);
    let places = backup_places::all(conn)?;
    let made = made.max(places.into_iter().map(|known| known.made_at).max());
    let from = "SELECT restored_from FROM installation WHERE restored_from IS NOT NULL";
    Ok(made.max(query::optional(conn, from, [], |found| {
        row::column(found, "restored_from")
    })?))
}

impl Store {
    /// The identity of the database.
    pub async fn installation(&self) -> Result<Installation> {
        self.read(find).await
    }

    /// Ends the drill with its alarms and webhook deliveries, and holds its queued emails; returns
    /// how many.
    pub async fn end_drill(&self, now: Time) -> Result<usize> {
        self.write(move |conn| {
            conn.execute("UPDATE installation SET drill_since = NULL", [])?;
            stop_notifications(conn, "stopped by the end of a drill")?;
            hold_due_emails(conn, now)
        })
        .await
    }
}

/// Holds every email that is due, until an operator releases it; returns how many.
pub(super) fn hold_due_emails(conn: &Connection, now: Time) -> Result<usize> {
    // None is tried any more.
    conn.execute("DELETE FROM mail_outage", [])?;
    Ok(conn.execute(
        "UPDATE outbox SET state = 'failed', held_at = ?1, lease = NULL WHERE state = 'due'",
        [now.to_string()],
    )?)
}

/// Ends all alarms and webhook deliveries; `why` is shown with the deliveries.
pub(super) fn stop_notifications(conn: &Connection, why: &str) -> Result<()> {
    conn.execute_batch(
        "UPDATE alarms SET state = 'over', next_at = NULL WHERE next_at IS NOT NULL;
         UPDATE alarm_messages SET state = 'over', lease = NULL WHERE state = 'due';
         DELETE FROM webhook_events;",
    )?;
    let sql = "UPDATE webhook_deliveries SET state = 'failed', lease = NULL, last_error = ?1
        WHERE state = 'due'";
    query::run(conn, sql, [why])
}
