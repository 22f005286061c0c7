//! Prepares the database of a restored backup: migrates it, makes it a drill, ends sessions, holds
//! emails, and repeats the erasures of the ledger.

use std::path::Path;

use rusqlite::TransactionBehavior;

use super::{backup_places, identity};
use crate::Result;
use crate::database::connection::Checkpoints;
use crate::database::{connection, schema};
use crate::figures::reports;
use crate::person;
use crate::person::Erased;
use crate::request::waits;
use crate::storage::object_contents;
use domain::clock::Time;

/// The changes that were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    /// Ended sessions: a refresh token issued after the backup would look stolen.
    pub sessions: usize,
    /// Held emails: due in the backup, possibly sent since.
    pub held_emails: usize,
    /// People who were erased again.
    pub erased: usize,
    /// The ids of the emails about them: their files in `mail/` contain them.
    pub email_ids: Vec<i64>,
    /// The contents of stored files that no object has any more, by their SHA-256.
    pub unused_contents: Vec<String>,
}

/// Prepares the database in `file`, of a backup of the time `backed_up_at`, which no other process
/// has open. `erased_at` returns the time until which the requests of an email address (lower case)
/// are erased.
pub fn prepare(
    file: &Path,
    now: Time,
    backed_up_at: &str,
    erased_at: &dyn Fn(&str) -> Option<Time>,
) -> Result<Prepared> {
    let mut conn = connection::open(file, Checkpoints::Store)?;
    schema::apply(&mut conn, waits::recompute_all)?;
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut prepared = Prepared {
        sessions: tx.execute("DELETE FROM sessions", [])?,
        held_emails: identity::hold_due_emails(&tx, now)?,
        ..Prepared::default()
    };
    identity::begin_drill(&tx, now, backed_up_at)?;
    backup_places::inherit(&tx)?;
    reports::skip_past(&tx, now)?;
    tx.execute_batch("DELETE FROM flows; DELETE FROM challenges;")?;
    // These were delivered before, or are out of date.
    identity::stop_notifications(&tx, "stopped by the restore of a backup")?;
    for email in person::all_addresses(&tx)? {
        let Some(until) = erased_at(&email) else {
            continue;
        };
        let erased = person::erase_rows(&tx, &email, until)?;
        prepared.erased += usize::from(erased != Erased::default());
        prepared.email_ids.extend(erased.email_ids);
    }
    prepared.unused_contents = object_contents::unused(&tx)?;
    tx.commit()?;
    if prepared.erased > 0 {
        person::purge_words(&conn)?;
    }
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok(prepared)
}
