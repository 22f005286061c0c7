//! Lists of objects, and the cursor of a list of keys.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::access::bucket;
use super::{Code, Files, Result};
use store::storage::object_list::{
    self, Entry, FolderQuery, ObjectColumn, Position, PrefixQuery, Sorting,
};

/// The content of a cursor: the column, whether it is descending, and the last entry.
type Cursor = (String, bool, bool, String, String);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPage {
    pub entries: Vec<Entry>,
    pub next_cursor: Option<String>,
}

fn write_cursor(sorting: Sorting, last: Position) -> String {
    let cursor: Cursor = (
        sorting.column.as_str().to_owned(),
        sorting.descending,
        last.folder,
        last.value,
        last.name,
    );
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(&cursor).unwrap_or_default())
}

fn read_cursor(text: &str) -> Option<(Sorting, Position)> {
    let json = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (column, descending, folder, value, name): Cursor = serde_json::from_slice(&json).ok()?;
    let column = ObjectColumn::parse(&column)?;
    let sorting = Sorting { column, descending };
    let position = Position {
        folder,
        value,
        name,
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
