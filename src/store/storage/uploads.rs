//! Uploads in progress of the storage service, and the number of files accepted per quote.

use std::collections::BTreeSet;

use rusqlite::{Connection, Row, params};

use crate::database::row::{self, read_row};
use crate::request::requests;
use crate::{Result, outbox, query};
use domain::clock::{MINUTE_MS, Time};
use domain::email::notice::Notice;

/// A resumable upload (TUS 1.0) that is in progress or has just finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumableUpload {
    /// Its random id, part of its URL.
    pub id: String,
    /// Who may continue it besides admins.
    pub creator: String,
    /// The quote of a visitor's file.
    pub quote_id: Option<String>,
    pub bucket_id: String,
    /// The key.
    pub name: String,
    /// The length of the whole file, in bytes.
    pub length: u64,
    /// Whether it replaces an existing object.
    pub upsert: bool,
    /// The admin for whom it is stored.
    pub owner: Option<String>,
    /// The client's `Upload-Metadata`.
    pub metadata: String,
    /// Whether its object is stored.
    pub finished: bool,
    /// When it is deleted.
    pub expires_at: Time,
}

const COLUMNS: &str = "id, creator, quote_id, bucket_id, name, length, upsert, owner, metadata, \
    finished, expires_at";

fn read(row: &Row<'_>) -> rusqlite::Result<ResumableUpload> {
    read_row!(row => ResumableUpload {
        id, creator, quote_id, bucket_id, name, length, upsert, owner, metadata, finished,
        expires_at,
    })
}

pub fn find(conn: &Connection, id: &str) -> Result<Option<ResumableUpload>> {
    let sql = format!("SELECT {COLUMNS} FROM resumable_uploads WHERE id = ?1");
    query::optional(conn, &sql, [id], read)
}

pub fn insert(conn: &Connection, upload: &ResumableUpload) -> Result<()> {
    row::insert_row!(conn, "resumable_uploads", {
        id: upload.id, creator: upload.creator, quote_id: upload.quote_id,
        bucket_id: upload.bucket_id, name: upload.name, length: upload.length.cast_signed(),
        upsert: upload.upsert, owner: upload.owner, metadata: upload.metadata,
        finished: upload.finished, expires_at: upload.expires_at.to_string(),
    })?;
    Ok(())
}

/// Moves the expiry of an upload.
pub fn extend(conn: &Connection, id: &str, expires_at: Time) -> Result<()> {
    let sql = "UPDATE resumable_uploads SET expires_at = ?2 WHERE id = ?1";
    query::run(conn, sql, [id, &expires_at.to_string()])
}

/// Marks an upload as finished.
pub fn finish(conn: &Connection, id: &str) -> Result<()> {
    let sql = "UPDATE resumable_uploads SET finished = 1 WHERE id = ?1";
    query::run(conn, sql, [id])
}

/// Deletes an upload; returns whether there was one.
pub fn delete(conn: &Connection, id: &str) -> Result<bool> {
    let sql = "DELETE FROM resumable_uploads WHERE id = ?1";
    let rows = query::execute(conn, sql, [id])?;
    Ok(rows > 0)
}

/// Deletes the uploads that expired before `before`.
pub fn prune(conn: &Connection, before: Time) -> Result<usize> {
    let sql = "DELETE FROM resumable_uploads WHERE expires_at < ?1";
    query::execute(conn, sql, [before.to_string()])
}

/// The ids of the unfinished uploads that have not expired.
pub fn unexpired(conn: &Connection, now: Time) -> Result<BTreeSet<String>> {
    let sql = "SELECT id FROM resumable_uploads WHERE finished = 0 AND expires_at >= ?1";
    query::all(conn, sql, [now.to_string()], |row| row.get(0))
}

/// The ids of the unfinished uploads by the creator of `upload` of the same file of its quote.
pub fn same_file(conn: &Connection, upload: &ResumableUpload, now: Time) -> Result<Vec<String>> {
    let sql = "SELECT id FROM resumable_uploads WHERE quote_id = ?1 AND creator = ?2
        AND name = ?3 AND finished = 0 AND expires_at >= ?4";
    let same = params![
        upload.quote_id,
        upload.creator,
        upload.name,
        now.to_string()
    ];
    query::all(conn, sql, same, |row| row.get(0))
}

/// How many files of a quote are accepted, or are being uploaded by another resumable upload than
/// `except`.
pub fn quote_files(
    conn: &Connection,
    quote_id: &str,
    except: Option<&str>,
    now: Time,
) -> Result<u32> {
    let sql = "SELECT accepted FROM quote_uploads WHERE quote_id = ?1";
    let accepted: Option<u32> = query::optional(conn, sql, [quote_id], |row| row.get(0))?;
    let running: u32 = conn
        .prepare_cached(
            "SELECT count(*) FROM resumable_uploads
             WHERE quote_id = ?1 AND finished = 0 AND expires_at >= ?2 AND id IS NOT ?3",
        )?
        .query_row(params![quote_id, now.to_string(), except], |row| row.get(0))?;
    Ok(accepted.unwrap_or(0) + running)
}

/// How long an email about files waits for further files, in milliseconds.
const NOTICE_DELAY_MS: i64 = MINUTE_MS;

/// Counts one more accepted file of a quote, and notifies the office once for all files of a
/// minute.
pub fn count_accepted(conn: &Connection, quote_id: &str, now: Time) -> Result<()> {
    let sql = "INSERT INTO quote_uploads (quote_id, accepted) VALUES (?1, 1)
        ON CONFLICT DO UPDATE SET accepted = accepted + 1";
    query::execute(conn, sql, [quote_id])?;
    if is_held(conn, quote_id)? {
        // Held requests send no emails.
        return Ok(());
    }
    let due_at = now.plus_millis(NOTICE_DELAY_MS);
    let sql = "UPDATE quote_uploads SET notice_due_at = ?2
        WHERE quote_id = ?1 AND notice_due_at <= ?3";
    let values = params![quote_id, due_at.millis(), now.millis()];
    let is_new = query::execute(conn, sql, values)?;
    if is_new > 0 {
        outbox::enqueue_due(conn, &Notice::files(quote_id.to_owned()), due_at, now)?;
    }
    Ok(())
}

/// How many pictures of a quote's visitor could not be read.
pub fn failed_pictures(conn: &Connection, quote_id: &str) -> Result<u32> {
    let sql = "SELECT failed FROM quote_uploads WHERE quote_id = ?1";
    let failed = query::optional(conn, sql, [quote_id], |row| row.get(0))?;
    Ok(failed.unwrap_or(0))
}

/// Counts one more picture of a quote's visitor that could not be read.
pub fn count_failed_picture(conn: &Connection, quote_id: &str) -> Result<()> {
    let sql = "INSERT INTO quote_uploads (quote_id, accepted, failed) VALUES (?1, 0, 1)
        ON CONFLICT DO UPDATE SET failed = failed + 1";
    query::run(conn, sql, [quote_id])
}

/// Whether a quote is held as spam.
fn is_held(conn: &Connection, quote_id: &str) -> Result<bool> {
    requests::exists(conn, quote_id, "kind = 'quote' AND held IS NOT NULL")
}
