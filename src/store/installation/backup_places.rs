//! The places into which backups were made: each has its own schedule, and gets the ledger of
//! erasures.

use std::path::Path;

use rusqlite::{Connection, Row, params};

use crate::database::connection::open_read;

use crate::database::row::{self, read_row};
use crate::{Result, Store, query};
use domain::clock::Time;

/// A place into which a backup was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupPlace {
    /// The path of a folder, or `s3://bucket/prefix`.
    pub place: String,
    /// When the last backup there was made.
    pub made_at: Time,
    /// When the last one by schedule was made.
    pub scheduled_at: Option<Time>,
    /// The last backup there.
    pub backup: String,
    /// Its number in the order of the backups there.
    pub sequence: u64,
    /// When the newest backup there was last proved.
    pub proved_at: Option<Time>,
    /// Whether only the database that this one was restored from made backups there.
    pub is_inherited: bool,
    /// Since when the ledger of erasures there lacks one.
    pub behind_since: Option<Time>,
}

fn read(found: &Row<'_>) -> rusqlite::Result<BackupPlace> {
    read_row!(found => BackupPlace {
        place, made_at, backup, sequence, proved_at, is_inherited: "inherited", behind_since;
        scheduled_at: match row::column(found, "scheduled_at") {
            // The schema is older than the column.
            Err(rusqlite::Error::InvalidColumnName(_)) => None,
            found => found?,
        },
    })
}

/// Every place; none if the schema is older than this table.
pub(super) fn all(conn: &Connection) -> Result<Vec<BackupPlace>> {
    if !conn.table_exists(None, "backup_places")? {
        return Ok(Vec::new());
    }
    query::all(conn, "SELECT * FROM backup_places ORDER BY place", [], read)
}

/// Every place that the database in `file` lists, which may be in use.
pub fn of_file(file: &Path) -> Result<Vec<BackupPlace>> {
    all(&open_read(file)?)
}

/// Marks every place as one of the database that this one was restored from: the place may be on
/// another machine, and its schedule begins anew.
pub(super) fn inherit(conn: &Connection) -> Result<()> {
    let sql = "UPDATE backup_places SET inherited = 1, proved_at = NULL";
    query::run(conn, sql, [])
}

impl Store {
    /// Every place.
    pub async fn backup_places(&self) -> Result<Vec<BackupPlace>> {
        self.read(all).await
    }

    /// Records that `backup`, the one with this sequence, was made in `place` at `now`: by hand, or
    /// by schedule.
    pub async fn record_backup(
        &self,
        place: String,
        backup: String,
        sequence: u64,
        by_hand: bool,
        now: Time,
    ) -> Result<()> {
        let sequence = i64::try_from(sequence).unwrap_or(i64::MAX);
        self.write(move |conn| {
            let sql = "INSERT INTO backup_places (place, made_at, backup, sequence, scheduled_at)
                 VALUES (?1, ?2, ?3, ?4, iif(?5, NULL, ?2))
                 ON CONFLICT (place) DO UPDATE
                 SET made_at = ?2, backup = ?3, sequence = ?4, inherited = 0, behind_since = NULL,
                   scheduled_at = coalesce(excluded.scheduled_at, scheduled_at)";
            let values = params![place, now.to_string(), backup, sequence, by_hand];
            query::run(conn, sql, values)
        })
        .await
    }

    /// Records that the newest backup in `place` was proved at `now`.
    pub async fn record_proof(&self, place: String, now: Time) -> Result<()> {
        self.write(move |conn| {
            let update = "UPDATE backup_places SET proved_at = ?2 WHERE place = ?1";
            query::run(conn, update, [place, now.to_string()])
        })
        .await
    }

    /// Records that the ledgers in the places `complete` have every erasure, and those in `behind`
    /// lack one of `now`.
    pub async fn record_ledgers(
        &self,
        complete: Vec<String>,
        behind: Vec<String>,
        now: Time,
    ) -> Result<()> {
        self.write(move |conn| {
            let update = "UPDATE backup_places SET behind_since = NULL
                WHERE place = ?1 AND behind_since IS NOT NULL";
            for place in complete {
                conn.execute(update, [place])?;
            }
            let update = "UPDATE backup_places SET behind_since = coalesce(behind_since, ?2)
                WHERE place = ?1";
            for place in behind {
                conn.execute(update, [place, now.to_string()])?;
            }
            Ok(())
        })
        .await
    }

    /// Forgets a place; returns whether it was known.
    pub async fn forget_backup_place(&self, place: String) -> Result<bool> {
        self.write(move |conn| {
            let forget = "DELETE FROM backup_places WHERE place = ?1";
            Ok(conn.execute(forget, [place])? > 0)
        })
        .await
    }
}
