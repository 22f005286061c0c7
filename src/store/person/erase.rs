//! Deletes the rows of a person by the `RULES`.

use rusqlite::Connection;

use super::Erased;
use super::rules::Rule::{Delete, DeleteUnless};
use super::rules::{EMAILS, RULES, THEIR_OFFERS};
use super::subject::{Subject, bind};
use crate::Result;
use crate::figures::kept::Deletion;
use crate::storage::objects;
use domain::clock::Time;

/// Deletes the requests of `subject` and, with `email`, what else names this address.
pub(super) fn erase_subject(
    conn: &Connection,
    subject: &Subject,
    email: Option<&str>,
    until: Time,
) -> Result<Erased> {
    let deletion = Deletion::begin(conn, &subject.seqs, email)?;
    let mut erased = Erased {
        quotes: subject.quotes.len(),
        messages: subject.messages.len(),
        files: count_files(conn, subject)?,
        request_ids: subject.ids(),
        kept_agreements: count_agreements(conn, subject, email, until)?,
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
            DeleteUnless(condition, kept) => {
                let sql = format!("DELETE FROM {table} WHERE ({condition}) AND NOT ({kept})");
                let mut delete = conn.prepare(&sql)?;
                bind(&mut delete, subject, email, until)?;
                delete.raw_execute()?;
            }
        }
    }
    deletion.end(conn)?;
    Ok(erased)
}

/// The number of offers that the person has accepted: they are kept.
pub(super) fn count_agreements(
    conn: &Connection,
    subject: &Subject,
    email: Option<&str>,
    until: Time,
) -> Result<usize> {
    let sql = format!("SELECT count(*) FROM offer_acceptances WHERE {THEIR_OFFERS}");
    let mut count = conn.prepare(&sql)?;
    bind(&mut count, subject, email, until)?;
    let mut rows = count.raw_query();
    let count = rows.next()?.map(|row| row.get(0)).transpose()?;
    Ok(usize::try_from(count.unwrap_or(0_i64)).unwrap_or_default())
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
