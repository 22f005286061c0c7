//! Replaces the keys of a database whose key file is lost. Rows that the old keys sealed or derived
//! are useless then and are deleted in the same transaction: second factors, sessions, links and
//! the emails that contain them.

use crate::audit::Actor;
use domain::account::Metadata;
use domain::clock::Time;
use store::Store;
use store::accounts::audit::{self, Entry};
use store::database::key_files::KeyFile;
use store::database::key_files::rows::{self, DeletedDependents};

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
            let detail = Metadata::from_iter([("file".to_owned(), file.name().into())]);
            let entry = Entry {
                action: "keys_replaced",
                actor: Actor::Operator.as_str(),
                subject_id: None,
                client: None,
                detail: &detail,
            };
            audit::record(conn, &entry, now)?;
            Ok(ended)
        })
        .await
}
