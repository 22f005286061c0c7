//! Lists of objects, and the cursor of a list of keys.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::access::bucket;
use super::{Code, Files, Result};
use store::storage::object_list;
use store::storage::object_list::{
    Entry, FolderQuery, ObjectColumn, Position, PrefixQuery, Sorting,
};

/// The content of a cursor: the sorting and the last entry.
#[derive(Serialize, Deserialize)]
struct Cursor {
    column: String,
    descending: bool,
    folder: bool,
    value: String,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPage {
    pub entries: Vec<Entry>,
    pub next_cursor: Option<String>,
}

pub fn column(name: &str) -> Option<ObjectColumn> {
    match name {
        "name" => Some(ObjectColumn::Name),
        "created_at" => Some(ObjectColumn::CreatedAt),
        "updated_at" => Some(ObjectColumn::UpdatedAt),
        _ => None,
    }
}

const fn column_name(column: ObjectColumn) -> &'static str {
    match column {
        ObjectColumn::Name => "name",
        ObjectColumn::CreatedAt => "created_at",
        ObjectColumn::UpdatedAt => "updated_at",
    }
}

fn write_cursor(sorting: Sorting, position: Position) -> String {
    let cursor = Cursor {
        column: column_name(sorting.column).to_owned(),
        descending: sorting.descending,
        folder: position.folder,
        value: position.value,
        name: position.name,
    };
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(&cursor).unwrap_or_default())
}

fn read_cursor(text: &str) -> Option<(Sorting, Position)> {
    let json = URL_SAFE_NO_PAD.decode(text).ok()?;
    let cursor: Cursor = serde_json::from_slice(&json).ok()?;
    let sorting = Sorting {
        column: column(&cursor.column)?,
        descending: cursor.descending,
    };
    let position = Position {
        folder: cursor.folder,
        value: cursor.value,
        name: cursor.name,
    };
    Some((sorting, position))
}

impl Files {
    /// The entries of a folder. Errors: `NoSuchBucket`.
    pub async fn list_folder(&self, query: FolderQuery) -> Result<Vec<Entry>> {
        self.read(move |conn| {
            bucket(conn, &query.bucket)?;
            Ok(object_list::list_folder(conn, &query)?)
        })
        .await
    }

    /// A page of the keys with a prefix. A cursor carries the sorting. Errors: `InvalidParameter`
    /// for a malformed cursor, `NoSuchBucket`.
    pub async fn list_prefix(
        &self,
        mut query: PrefixQuery,
        cursor: Option<String>,
    ) -> Result<KeyPage> {
        if let Some(cursor) = cursor {
            let (sorting, position) = read_cursor(&cursor).ok_or(Code::InvalidParameter)?;
            query.sorting = sorting;
            query.after = Some(position);
        }
        self.read(move |conn| {
            bucket(conn, &query.bucket)?;
            let (entries, next) = object_list::list_prefix(conn, &query)?;
            let next_cursor = next.map(|position| write_cursor(query.sorting, position));
            Ok(KeyPage {
                entries,
                next_cursor,
            })
        })
        .await
    }
}
