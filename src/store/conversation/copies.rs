//! An email to the signed addresses of several requests: each further request has a copy of its
//! own, with the files, which ends with that request.

use rusqlite::{Connection, params};

use crate::storage::objects;
use crate::{Result, query};
use domain::clock::Time;
use domain::ids;
use domain::request::event::Message;
use domain::storage::MAIL;

/// Separates the fingerprint of an email from the number of its copy.
pub(super) const SEPARATOR: char = ' ';

/// Copies a stored email for its request with this number, the second being 1; returns the id of
/// the copy, and its message.
pub(super) fn copy(
    conn: &Connection,
    id: &str,
    number: usize,
    message: &Message,
    now: Time,
) -> Result<(String, Message)> {
    let copy = ids::new(now).to_string();
    let sql =
        "INSERT INTO received_emails (id, fingerprint, received_at, way, recipient, size, class,
          message_id, sender)
        SELECT ?2, fingerprint || ?3, received_at, way, recipient, size, class, message_id, sender
        FROM received_emails WHERE id = ?1";
    query::execute(conn, sql, params![id, copy, format!("{SEPARATOR}{number}")])?;
    for mut object in objects::in_folder(conn, MAIL, id)? {
        object.id = ids::new(now).to_string();
        object.name = moved(&object.name, id, &copy);
        objects::insert(conn, &object)?;
    }
    let message = of_copy(message, id, &copy);
    Ok((copy, message))
}

/// A message, for its copy.
fn of_copy(message: &Message, id: &str, copy: &str) -> Message {
    let mut message = message.clone();
    message.email = Some(copy.to_owned());
    for key in message
        .files
        .iter_mut()
        .filter_map(|file| file.key.as_mut())
    {
        *key = moved(key, id, copy);
    }
    message
}

/// A key of the email `id` in the folder of its copy.
fn moved(key: &str, id: &str, copy: &str) -> String {
    let name = key.strip_prefix(id).unwrap_or(key);
    format!("{copy}{name}")
}
