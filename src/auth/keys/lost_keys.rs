//! Replaces the keys of a database whose key file is lost. Rows that the old keys sealed or derived
//! are useless then and are deleted in the same transaction: second factors, sessions, links and
//! the emails that contain them.

use crate::audit;
use crate::audit::Actor;
use crate::error::{Error, Result};
use domain::clock::Time;
use store::Store;
use store::database::key_files::KeyFile;
use store::database::key_files::rows;
use store::database::key_files::rows::DeletedDependents;

/// Stores `fingerprint` as that of the database's `file` and deletes the rows that depended on the
/// old keys. Nothing changes after an error.
pub async fn replace(
    store: &Store,
    file: KeyFile,
    fingerprint: String,
    now: Time,
) -> store::Result<DeletedDependents> {
    store
        .write(move |conn| {
            let ended = rows::delete_dependents(conn, file)?;
            rows::record_fingerprint(conn, file, &fingerprint)?;
            let detail = [("file", file.name().into())];
            let written: Result<()> =
                audit::record(conn, "keys_replaced", Actor::Operator, None, &detail, now);
            match written {
                Err(Error::Store(error)) => Err(error),
                Err(_) => Err(store::Error::Failed),
                Ok(()) => Ok(ended),
            }
        })
        .await
}
