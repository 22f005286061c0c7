//! Lists of the objects of a bucket: a folder at a time, or all keys with a prefix.
//!
//! Keys are ASCII, so every key with the prefix `p` lies between `p` and `p` + U+007F.

use rusqlite::{Connection, Row, ToSql, named_params};

use super::objects::{COLUMNS, Object, read};
use crate::{Result, query};

/// A line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    /// The object; `None` for a folder.
    pub object: Option<Object>,
}

domain::text_enum! {
    /// Columns by which objects are sorted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ObjectColumn {
        Name = "name",
        /// The time of creation.
        CreatedAt = "created_at",
        /// The time of the last change.
        UpdatedAt = "updated_at",
    }
}

impl ObjectColumn {
    fn of(self, entry: &Entry) -> String {
        match (self, &entry.object) {
            (Self::Name, _) | (_, None) => String::new(),
            (Self::CreatedAt, Some(object)) => object.created_at.to_string(),
            (Self::UpdatedAt, Some(object)) => object.updated_at.to_string(),
        }
    }
}

/// An order of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sorting {
    pub column: ObjectColumn,
    /// Whether the order is descending.
    pub descending: bool,
}

/// Which entries of a folder to list.
#[derive(Clone, Debug)]
pub struct FolderQuery {
    pub bucket: String,
    /// The folder with a trailing slash; empty for the root. Any case.
    pub folder: String,
    /// The prefix of the names, in any case.
    pub search: String,
    /// The order.
    pub sorting: Sorting,
    /// Maximum number.
    pub limit: u32,
    /// How many to skip.
    pub offset: u32,
}

/// Which keys of a bucket to list.
#[derive(Clone, Debug)]
pub struct PrefixQuery {
    pub bucket: String,
    /// The prefix of the keys.
    pub prefix: String,
    /// Whether keys with a slash after the prefix are listed as one folder.
    pub by_folder: bool,
    /// The order.
    pub sorting: Sorting,
    /// Maximum number.
    pub limit: u32,
    /// The last entry of the previous page.
    pub after: Option<Position>,
}

/// The position of an entry in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub folder: bool,
    /// The value of the sort column.
    pub value: String,
    pub name: String,
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let folder: bool = row.get("folder")?;
    Ok(Entry {
        name: row.get("entry")?,
        object: if folder { None } else { Some(read(row)?) },
    })
}

/// The entries of a folder. By name, files and folders are mixed; otherwise folders come first.
pub fn list_folder(conn: &Connection, query: &FolderQuery) -> Result<Vec<Entry>> {
    let direction = if query.sorting.descending {
        "DESC"
    } else {
        "ASC"
    };
    let order = match query.sorting.column {
        ObjectColumn::Name => String::new(),
        column => format!(
            "folder DESC, CASE WHEN folder THEN '' ELSE {} END {direction}, ",
            column.as_str()
        ),
    };
    let sql = format!(
        "SELECT {COLUMNS}, entry, folder FROM (
           SELECT {COLUMNS}, instr(rest, '/') > 0 AS folder,
             CASE WHEN instr(rest, '/') > 0 THEN substr(rest, 1, instr(rest, '/') - 1)
             ELSE rest END AS entry
           FROM (SELECT {COLUMNS}, substr(name, length(:folder) + 1) AS rest FROM objects
                 WHERE bucket_id = :bucket AND lower(name) >= :first AND lower(name) < :last))
         GROUP BY entry, folder
         ORDER BY {order}lower(entry) {direction}, entry {direction}, folder
         LIMIT :limit OFFSET :offset"
    );
    if query.search.contains('/') {
        return Ok(Vec::new());
    }
    let first = format!("{}{}", query.folder, query.search).to_ascii_lowercase();
    let last = format!("{first}\u{7f}");
    query::all(
        conn,
        &sql,
        named_params! {
            ":bucket": query.bucket,
            ":folder": query.folder,
            ":first": first,
            ":last": last,
            ":limit": query.limit,
            ":offset": query.offset,
        },
        entry,
    )
}

/// The keys with a prefix, in bytewise order of their names, or folders first and then by a time.
/// Also returns where the next page begins, if there is one.
pub fn list_prefix(
    conn: &Connection,
    query: &PrefixQuery,
) -> Result<(Vec<Entry>, Option<Position>)> {
    let column = query.sorting.column;
    let (direction, beyond) = match query.sorting.descending {
        true => ("DESC", "<"),
        false => ("ASC", ">"),
    };
    let (value, place) = match column {
        ObjectColumn::Name => ("''", "(1 = 0)"),
        column => (column.as_str(), "folder"),
    };
    let sql = format!(
        "SELECT {COLUMNS}, entry, folder FROM (
           SELECT {COLUMNS}, :by_folder AND instr(rest, '/') > 0 AS folder,
             CASE WHEN :by_folder AND instr(rest, '/') > 0
               THEN :prefix || substr(rest, 1, instr(rest, '/')) ELSE name END AS entry
           FROM (SELECT {COLUMNS}, substr(name, length(:prefix) + 1) AS rest FROM objects
                 WHERE bucket_id = :bucket AND name >= :prefix AND name < :last))
         WHERE :resumes = 0 OR {place} < :after_folder
           OR ({place} = :after_folder
               AND (CASE WHEN folder THEN '' ELSE {value} END, entry) {beyond} (:after_value,
               :after_name))
         GROUP BY entry, folder
         ORDER BY {place} DESC, CASE WHEN folder THEN ''
         ELSE {value} END {direction}, entry {direction}
         LIMIT :limit"
    );
    let after = query.after.clone().unwrap_or(Position {
        folder: false,
        value: String::new(),
        name: String::new(),
    });
    let parameters: [(&str, &dyn ToSql); 9] = [
        (":bucket", &query.bucket),
        (":prefix", &query.prefix),
        (":last", &format!("{}\u{7f}", query.prefix)),
        (":by_folder", &query.by_folder),
        (":resumes", &query.after.is_some()),
        (
            ":after_folder",
            &(after.folder && column != ObjectColumn::Name),
        ),
        (":after_value", &after.value),
        (":after_name", &after.name),
        (":limit", &(query.limit + 1)),
    ];
    let mut entries: Vec<_> = query::all(conn, &sql, &parameters[..], entry)?;
    let has_more = entries.len() > query.limit as usize;
    entries.truncate(query.limit as usize);
    let next = entries.last().filter(|_| has_more).map(|last| Position {
        folder: last.object.is_none(),
        value: column.of(last).to_owned(),
        name: last.name.clone(),
    });
    Ok((entries, next))
}
