//! The schema. A file for each noun creates a new database; the numbered files of `changes` bring a
//! database of schema 68 or later there, and a test compares both. `user_version` is 68 and one
//! more for each change.

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, TransactionBehavior};
use sha2::{Digest, Sha256};

use crate::{Result, conflict};
use domain::ids;

/// The schema, in the order in which tables refer to each other.
const NOUNS: [&str; 15] = [
    include_str!("installation.sql"),
    include_str!("accounts.sql"),
    include_str!("requests.sql"),
    include_str!("events.sql"),
    include_str!("desk.sql"),
    include_str!("search.sql"),
    include_str!("submissions.sql"),
    include_str!("outbox.sql"),
    include_str!("mail.sql"),
    include_str!("offers.sql"),
    include_str!("on_call.sql"),
    include_str!("webhooks.sql"),
    include_str!("content.sql"),
    include_str!("storage.sql"),
    include_str!("figures.sql"),
];

/// The contents of `changes/*.sql` in the order of their numbers.
const CHANGES: &[&str] = include!(concat!(env!("OUT_DIR"), "/schema_changes.rs"));

/// The version of the build of November 28, 2026, the oldest one from which a database is migrated.
const OLDEST: u32 = 68;

/// The version of the schema that this program writes.
pub const VERSION: u32 = version_after(CHANGES);

const fn version_after(changes: &[&str]) -> u32 {
    OLDEST + changes.len() as u32
}

/// Computes anew what a migrated database derives from its rows.
type Recompute = fn(&Connection) -> Result<()>;

/// Creates the schema, or applies the missing changes and calls `recompute`, in one transaction;
/// takes no lock if there are none. Several processes may run it at once: each checks the version
/// again inside the transaction. Errors: `Conflict` for a database of a newer program,
/// or of one before schema 68.
pub(crate) fn apply(conn: &mut Connection, recompute: Recompute) -> Result<()> {
    apply_changes(conn, CHANGES, recompute)
}

fn apply_changes(conn: &mut Connection, changes: &[&str], recompute: Recompute) -> Result<()> {
    let newest = version_after(changes);
    if version_of(conn, newest)? == newest {
        return Ok(());
    }
    add_functions(conn)?;
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = version_of(&tx, newest)?;
    if version == 0 {
        for sql in NOUNS {
            tx.execute_batch(sql)?;
        }
    } else {
        let applied = version.saturating_sub(OLDEST) as usize;
        for (step, sql) in (OLDEST + 1..).zip(changes).skip(applied) {
            tracing::info!(
                step,
                of = newest,
                "migrating the database; this may take a minute"
            );
            tx.execute_batch(sql)?;
        }
        recompute(&tx)?;
    }
    tx.pragma_update(None, "user_version", newest)?;
    Ok(tx.commit()?)
}

/// Adds the functions that schema files call.
fn add_functions(conn: &Connection) -> rusqlite::Result<()> {
    let new_key = |_: &Context<'_>| Ok(ids::random_bytes::<16>().to_vec());
    conn.create_scalar_function("new_reference_key", 0, FunctionFlags::SQLITE_UTF8, new_key)?;
    let mark = |arguments: &Context<'_>| {
        let key: Vec<u8> = arguments.get(0)?;
        let digest = Sha256::new_with_prefix("guardpost installation").chain_update(key);
        Ok(hex::encode(&digest.finalize()[..16]))
    };
    conn.create_scalar_function("installation_mark", 1, FunctionFlags::SQLITE_UTF8, mark)
}

/// The version of the database, 0 for a new one. Errors: `Conflict` if a program whose newest
/// version is `newest` cannot work with it.
fn version_of(conn: &Connection, newest: u32) -> Result<u32> {
    let version: u32 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > newest {
        return conflict(format!(
            "this database was written by a newer guardpost (schema {version}, this program knows \
             {newest})"
        ));
    }
    match explain_older(version) {
        Some(why) => conflict(format!("this database {why}")),
        None => Ok(version),
    }
}

/// Why a database of this version cannot be migrated, and what to do; `None` if it can.
pub(crate) fn explain_older(version: u32) -> Option<String> {
    let is_older = version > 0 && version < OLDEST;
    is_older.then(|| {
        format!(
            "was written by an older guardpost (schema {version}): start the build of November 28, \
             2026 on it once, which migrates it to schema {OLDEST}, and then this program"
        )
    })
}

#[cfg(test)]
mod tests;
