//! Objects of the storage service: rows only; the bytes are in files (`storage::contents`). Lists
//! are in `object_list`, contents in `object_contents`.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::database::row;
use crate::database::row::{read_row, stored};
use crate::request::requests;
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::storage::{MAIL, QUOTES, ScanState};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// Its id, which overwriting and moving keep.
    pub id: String,
    pub bucket_id: String,
    /// The key: the path within the bucket.
    pub name: String,
    /// The admin who stored it; `None` for visitors.
    pub owner: Option<String>,
    /// Changes each time the object is overwritten.
    pub version: String,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Its size, in bytes.
    pub size: u64,
    /// The type found in its content.
    pub media_type: String,
    /// The `Cache-Control` of its downloads from a public bucket.
    pub cache_control: String,
    /// The sender's metadata: a JSON object.
    pub user_metadata: Option<String>,
    pub scan: ScanState,
    pub created_at: Time,
    /// When it was last overwritten or moved.
    pub updated_at: Time,
}

stored!(json: Object);

impl Object {
    /// The display name: the sender's name for the file, or the last segment of its key.
    pub fn shown_name(&self) -> String {
        let metadata = self.user_metadata.as_deref().unwrap_or_default();
        let metadata: Value = serde_json::from_str(metadata).unwrap_or_default();
        let last = self.name.rsplit('/').next().unwrap_or_default();
        let name = metadata["name"].as_str().filter(|name| !name.is_empty());
        name.unwrap_or(last).to_owned()
    }
}

pub(crate) const COLUMNS: &str = "id, bucket_id, name, owner, version, sha256, \
    size, media_type, cache_control, user_metadata, scan, created_at, updated_at";

pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Object> {
    read_row!(row => Object {
        id, bucket_id, name, owner, version, sha256, size, media_type, cache_control, user_metadata,
        scan, created_at, updated_at,
    })
}

/// The object with this key.
pub fn find(conn: &Connection, bucket: &str, name: &str) -> Result<Option<Object>> {
    let sql = format!("SELECT {COLUMNS} FROM objects WHERE bucket_id = ?1 AND name = ?2");
    query::optional(conn, &sql, [bucket, name], read)
}

pub fn insert(conn: &Connection, object: &Object) -> Result<()> {
    row::insert_row!(conn, "objects", {
        id: object.id, bucket_id: object.bucket_id, name: object.name, owner: object.owner,
        version: object.version, sha256: object.sha256, size: object.size.cast_signed(),
        media_type: object.media_type, cache_control: object.cache_control,
        user_metadata: object.user_metadata, scan: object.scan.as_str(),
        created_at: object.created_at.to_string(), updated_at: object.updated_at.to_string(),
    })?;
    Ok(())
}

/// Updates the row of `object`, except its id and creation time.
pub fn update(conn: &Connection, object: &Object) -> Result<()> {
    let sql = "UPDATE objects SET bucket_id = ?2, name = ?3, owner = ?4, version = ?5, sha256 = ?6,
           size = ?7,
          media_type = ?8, cache_control = ?9, user_metadata = ?10, scan = ?11, updated_at = ?12
        WHERE id = ?1";
    let values = params![
        object.id,
        object.bucket_id,
        object.name,
        object.owner,
        object.version,
        object.sha256,
        object.size.cast_signed(),
        object.media_type,
        object.cache_control,
        object.user_metadata,
        object.scan.as_str(),
        object.updated_at.to_string()
    ];
    query::run(conn, sql, values)
}

/// Deletes the object with this key; returns its row.
pub fn delete(conn: &Connection, bucket: &str, name: &str) -> Result<Option<Object>> {
    let sql = format!("DELETE FROM objects WHERE bucket_id = ?1 AND name = ?2 RETURNING {COLUMNS}");
    query::optional(conn, &sql, [bucket, name], read)
}

/// Deletes up to `max` objects of a bucket; returns how many.
pub fn delete_some(conn: &Connection, bucket: &str, max: u32) -> Result<usize> {
    let sql =
        "DELETE FROM objects WHERE id IN (SELECT id FROM objects WHERE bucket_id = ?1 LIMIT ?2)";
    Ok(conn.prepare_cached(sql)?.execute(params![bucket, max])?)
}

pub fn any_in(conn: &Connection, bucket: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM objects WHERE bucket_id = ?1";
    query::exists(conn, sql, [bucket])
}

/// Whether a key of the bucket has this first segment.
pub fn is_first_segment(conn: &Connection, bucket: &str, segment: &str) -> Result<bool> {
    // '0' is the character after '/'.
    let sql = "SELECT 1 FROM objects
        WHERE bucket_id = ?1 AND (name = ?2 OR (name > ?2 || '/' AND name < ?2 || '0'))";
    query::exists(conn, sql, [bucket, segment])
}

/// The files of a quote, in the order of their names.
pub fn of_quote(conn: &Connection, quote_id: &str) -> Result<Vec<Object>> {
    in_folder(conn, QUOTES, quote_id)
}

/// The files of the emails of a request, without the emails themselves.
pub(crate) fn of_emails(conn: &Connection, seq: i64) -> Result<Vec<Object>> {
    let sql = "SELECT id FROM received_emails WHERE seq = ?1 ORDER BY received_at, id";
    let emails: Vec<String> = query::all(conn, sql, [seq], |row| row.get(0))?;
    let mut files = Vec::new();
    for id in emails {
        files.extend(in_folder(conn, MAIL, &id)?);
    }
    files.retain(|file| !file.name.ends_with("/message.eml"));
    Ok(files)
}

/// The objects whose keys begin with this segment, in the order of their names.
pub(crate) fn in_folder(conn: &Connection, bucket: &str, folder: &str) -> Result<Vec<Object>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM objects
         WHERE bucket_id = ?1 AND name > ?2 || '/' AND name < ?2 || '0' ORDER BY name"
    );
    query::all(conn, &sql, [bucket, folder], read)
}

pub fn quote_exists(conn: &Connection, id: &str) -> Result<bool> {
    requests::exists(conn, id, "kind = 'quote'")
}

/// Whether there is a quote or a contact message with this id.
pub fn request_exists(conn: &Connection, id: &str) -> Result<bool> {
    requests::exists(conn, id, "TRUE")
}

impl Store {
    /// The files of a quote, in the order of their names.
    pub async fn quote_files(&self, quote_id: String) -> Result<Vec<Object>> {
        self.read(move |conn| of_quote(conn, &quote_id)).await
    }

    /// All objects, by bucket and key.
    pub async fn all_objects(&self) -> Result<Vec<Object>> {
        self.read(|conn| {
            let sql = format!("SELECT {COLUMNS} FROM objects ORDER BY bucket_id, name");
            query::all(conn, &sql, [], read)
        })
        .await
    }
}
