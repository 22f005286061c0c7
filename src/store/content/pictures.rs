//! Pictures that the site's content names.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use crate::{Result, Store, query};
use domain::clock::Time;
use domain::content::picture_name;

/// How long an unreferenced picture is kept, in seconds: it may have been uploaded for a draft that
/// is not saved yet.
const UNNAMED_SECONDS: i64 = 86_400;

impl Store {
    /// Stores a picture under a name derived from its bytes, and returns the name.
    pub async fn store_content_picture(&self, bytes: Vec<u8>, now: Time) -> Result<String> {
        self.write(move |conn| {
            let name = picture_name(&bytes);
            let sql = "INSERT INTO content_pictures (name, bytes, stored_at) VALUES (?1, ?2, ?3)
                ON CONFLICT (name) DO UPDATE SET stored_at = ?3";
            query::execute(conn, sql, params![name, bytes, now.to_string()])?;
            Ok(name)
        })
        .await
    }

    /// The pictures with these names; missing ones are left out.
    pub async fn content_pictures(&self, names: Vec<String>) -> Result<BTreeMap<String, Vec<u8>>> {
        self.read(move |conn| {
            let sql = "SELECT bytes FROM content_pictures WHERE name = ?1";
            let mut found = BTreeMap::new();
            for name in names {
                if let Some(bytes) = query::optional(conn, sql, [&name], |row| row.get(0))? {
                    found.insert(name, bytes);
                }
            }
            Ok(found)
        })
        .await
    }
}

/// Deletes the pictures that no version and no draft names.
pub(crate) fn forget_unnamed(conn: &Connection, now: Time) -> Result<()> {
    let sql = "DELETE FROM content_pictures WHERE stored_at < ?1
           AND NOT EXISTS (SELECT 1 FROM content_versions WHERE instr(sections, name) > 0)
           AND NOT EXISTS (SELECT 1 FROM content_drafts WHERE instr(value, name) > 0)";
    query::run(conn, sql, [now.plus_seconds(-UNNAMED_SECONDS).to_string()])
}
