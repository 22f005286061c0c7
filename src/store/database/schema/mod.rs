//! Schema migrations: an ordered, append-only list of files. `user_version` counts the applied
//! ones.

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, TransactionBehavior};
use sha2::{Digest, Sha256};

use crate::domain::ids;
use crate::domain::request::reference;
use crate::store::{Error, Result};

/// The contents of `schema/*.sql` in the order of their numbers.
const FILES: &[&str] = include!(concat!(env!("OUT_DIR"), "/schema.rs"));

/// The version of the schema that this program writes.
pub const VERSION: u32 = FILES.len() as u32;

/// Applies the missing files in one transaction; takes no lock if there are none. Several processes
/// may run it at once: each checks the version again inside the transaction.
pub(in crate::store) fn apply(conn: &mut Connection) -> Result<()> {
    if version_of(conn)? == VERSION {
        return Ok(());
    }
    add_functions(conn)?;
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = version_of(&tx)?;
    for (step, sql) in (1..).zip(FILES).skip(version as usize) {
        if version > 0 {
            tracing::info!(
                step,
                of = VERSION,
                "migrating the database; this may take a minute"
            );
        }
        tx.execute_batch(sql)?;
    }
    tx.pragma_update(None, "user_version", VERSION)?;
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
    conn.create_scalar_function("installation_mark", 1, FunctionFlags::SQLITE_UTF8, mark)?;
    let encode = |arguments: &Context<'_>| {
        let (number, key): (i64, Vec<u8>) = (arguments.get(0)?, arguments.get(1)?);
        Ok(reference::encode(number.unsigned_abs(), &key))
    };
    conn.create_scalar_function("reference", 2, FunctionFlags::SQLITE_UTF8, encode)
}

/// The number of applied files.
fn version_of(conn: &Connection) -> Result<u32> {
    let version: u32 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version as usize > FILES.len() {
        return Err(Error::Conflict(format!(
            "this database was written by a newer guardpost (schema {version}, this program knows \
             {})",
            FILES.len()
        )));
    }
    Ok(version)
}

#[cfg(test)]
mod tests;
