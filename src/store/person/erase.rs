//! Deletes the rows of a person by the `RULES`.

use rusqlite::Connection;

use super::Erased;
use super::rules::Rule::{Account, Blank, Delete, None as Nothing};
use super::rules::{EMAILS, RULES};
use super::subject::{Subject, bind};
use crate::domain::clock::Time;
use crate::store::Result;
use crate::store::storage::objects;

/// Deletes the requests of `subject` and, with `email`, what else names this address.
pub(super) fn erase_subject(
    conn: &Connection,
    subject: &Subject,
    email: Option<&str>,
    until: Time,
) -> Result<Erased> {
    let mut erased = Erased {
        quotes: subject.quotes.len(),
        messages: subject.messages.len(),
        files: count_files(conn, subject)?,
        request_ids: subject.ids(),
        newest: subject.newest,
        ..Erased::default()
    };
    let mut delete = conn.prepare("DELETE FROM request_words WHERE rowid = ?1")?;
    for seq in &subject.seqs {
        erased.search_entries += delete.execute([seq])?;
    }
    for (table, rule) in RULES {
        match rule {
            Delete(condition) => {
                if *table == "outbox" {
                    erased.email_ids = email_ids(conn, subject, email, until)?;
                }
                let sql = format!("DELETE FROM {table} WHERE {condition}");
                let mut delete = conn.prepare(&sql)?;
                bind(&mut delete, subject, email, until)?;
                let rows = delete.raw_execute()?;
                match *table {
                    "outbox" => erased.emails = rows,
                    "events" => erased.history = rows,
                    _ => {}
                }
            }
            Blank(condition, values) => {
                let mut blank =
                    conn.prepare(&format!("UPDATE {table} SET {values} WHERE {condition}"))?;
                bind(&mut blank, subject, email, until)?;
                blank.raw_execute()?;
            }
            Account | Nothing => {}
        }
    }
    Ok(erased)
}

/// The number of files attached to the quotes of `subject`.
pub(super) fn count_files(conn: &Connection, subject: &Subject) -> Result<usize> {
    let mut files = 0;
    for id in subject.ids() {
        files += objects::of_quote(conn, &id)?.len();
    }
    Ok(files)
}

pub(super) fn email_ids(
    conn: &Connection,
    subject: &Subject,
    email: Option<&str>,
    until: Time,
) -> Result<Vec<i64>> {
    let mut find = conn.prepare(&format!("SELECT id FROM outbox WHERE {EMAILS}"))?;
    bind(&mut find, subject, email, until)?;
    let (mut rows, mut found) = (find.raw_query(), Vec::new());
    while let Some(row) = rows.next()? {
        found.push(row.get(0)?);
    }
    Ok(found)
}
