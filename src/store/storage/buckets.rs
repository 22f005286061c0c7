//! Buckets of the storage service.

use rusqlite::{Connection, Row, params};

use crate::database::row::{self, read_row};
use crate::{Result, query};
use domain::clock::Time;
use domain::storage::values::type_matches;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Its id, which URLs contain.
    pub id: String,
    pub name: String,
    /// The admin who created it.
    pub owner: Option<String>,
    /// Whether its objects are public.
    pub public: bool,
    /// Maximum size of a file, in bytes.
    pub file_size_limit: Option<u64>,
    /// Patterns of the accepted media types.
    pub allowed_mime_types: Option<Vec<String>>,
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Bucket {
    /// Whether it takes files of this media type.
    pub fn takes(&self, media_type: &str) -> bool {
        let patterns = self.allowed_mime_types.as_ref();
        patterns.is_none_or(|all| all.iter().any(|it| type_matches(it, media_type)))
    }
}

/// Columns by which buckets are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BucketColumn {
    Id,
    Name,
    /// The time of creation.
    CreatedAt,
    /// The time of the last change.
    UpdatedAt,
}

/// Which buckets to list.
#[derive(Clone, Debug)]
pub struct BucketQuery {
    /// A part of the name, in any case.
    pub search: String,
    /// The order.
    pub column: BucketColumn,
    /// Whether the order is descending.
    pub descending: bool,
    /// Maximum number; `None` for all.
    pub limit: Option<u32>,
    /// How many to skip.
    pub offset: u32,
}

const COLUMNS: &str =
    "id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at";

fn read(row: &Row<'_>) -> rusqlite::Result<Bucket> {
    read_row!(row => Bucket {
        id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at,
    })
}

pub fn find(conn: &Connection, id: &str) -> Result<Option<Bucket>> {
    let sql = format!("SELECT {COLUMNS} FROM storage_buckets WHERE id = ?1");
    query::optional(conn, &sql, [id], read)
}

pub fn exists(conn: &Connection, id: &str, name: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM storage_buckets WHERE id IN (?1, ?2) OR name IN (?1, ?2)";
    query::exists(conn, sql, [id, name])
}

/// The buckets that `query` selects.
pub fn list(conn: &Connection, query: &BucketQuery) -> Result<Vec<Bucket>> {
    let column = match query.column {
        BucketColumn::Id => "id",
        BucketColumn::Name => "name",
        BucketColumn::CreatedAt => "created_at",
        BucketColumn::UpdatedAt => "updated_at",
    };
    let order = if query.descending { "DESC" } else { "ASC" };
    let sql = format!(
        "SELECT {COLUMNS} FROM storage_buckets WHERE instr(lower(name), lower(?1)) > 0
         ORDER BY {column} {order}, id LIMIT ?2 OFFSET ?3"
    );
    let limit = query.limit.map_or(-1, i64::from);
    query::all(conn, &sql, params![query.search, limit, query.offset], read)
}

pub fn insert(conn: &Connection, bucket: &Bucket) -> Result<()> {
    row::insert_row!(conn, "storage_buckets", {
        id: bucket.id, name: bucket.name, owner: bucket.owner, public: bucket.public,
        file_size_limit: bucket.file_size_limit.map(u64::cast_signed),
        allowed_mime_types: types(bucket)?, created_at: bucket.created_at.to_string(),
        updated_at: bucket.updated_at.to_string(),
    })?;
    Ok(())
}

/// The JSON text of the accepted media types.
fn types(bucket: &Bucket) -> rusqlite::Result<Option<String>> {
    bucket
        .allowed_mime_types
        .as_ref()
        .map(row::text)
        .transpose()
}

/// Stores the settings of a bucket.
pub fn update(conn: &Connection, bucket: &Bucket, now: Time) -> Result<()> {
    let sql =
        "UPDATE storage_buckets SET public = ?2, file_size_limit = ?3, allowed_mime_types = ?4,
           updated_at = ?5
        WHERE id = ?1";
    let values = params![
        bucket.id,
        bucket.public,
        bucket.file_size_limit.map(u64::cast_signed),
        types(bucket)?,
        now.to_string()
    ];
    query::run(conn, sql, values)
}

/// Deletes a bucket without objects, with the unfinished uploads into it.
pub fn delete(conn: &Connection, id: &str) -> Result<()> {
    let sql = "DELETE FROM resumable_uploads WHERE bucket_id = ?1";
    query::execute(conn, sql, [id])?;
    query::run(conn, "DELETE FROM storage_buckets WHERE id = ?1", [id])
}
