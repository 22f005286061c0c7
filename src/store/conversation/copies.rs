//! An email to the signed addresses of several requests: each further request has a copy of its
//! own, with the files, which ends with that request.

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::Result;
use crate::storage::objects;
use domain::account::Metadata;
use domain::clock::Time;
use domain::ids;
use domain::storage::MAIL;

/// Separates the fingerprint of an email from the number of its copy.
pub(super) const SEPARATOR: char = ' ';

/// Copies a stored email for its request with this number, the second being 1; returns the id of
/// the copy, and what its event has.
pub(super) fn copy(
    conn: &Connection,
    id: &str,
    number: usize,
    detail: &Metadata,
    now: Time,
) -> Result<(String, Metadata)> {
    let copy = ids::new(now).to_string();
    conn.prepare_cached(
        "INSERT INTO received_emails (id, fingerprint, received_at, way, recipient, size, class,
           message_id, sender)
         SELECT ?2, fingerprint || ?3, received_at, way, recipient, size, class, message_id, sender
         FROM received_emails WHERE id = ?1",
    )?
    .execute(params![id, copy, format!("{SEPARATOR}{number}")])?;
    for mut object in objects::in_folder(conn, MAIL, id)? {
        object.id = ids::new(now).to_string();
        object.name = moved(&object.name, id, &copy);
        objects::insert(conn, &object)?;
    }
    let detail = of_copy(detail, id, &copy);
    Ok((copy, detail))
}

/// The detail of the event of an email, for its copy.
fn of_copy(detail: &Metadata, id: &str, copy: &str) -> Metadata {
    let mut detail = detail.clone();
    detail.insert("email".to_owned(), copy.into());
    let files = detail.get_mut("files").and_then(Value::as_array_mut);
    for file in files.into_iter().flatten() {
        if let Some(key) = file.get("key").and_then(Value::as_str) {
            file["key"] = moved(key, id, copy).into();
        }
    }
    detail
}

/// A key of the email `id` in the folder of its copy.
fn moved(key: &str, id: &str, copy: &str) -> String {
    let name = key.strip_prefix(id).unwrap_or(key);
    format!("{copy}{name}")
}
