//! The names of the pictures at the last start, to detect lost ones.

use std::collections::BTreeSet;

use rusqlite::Connection;

use crate::{Result, Store};

/// The names at the last start.
pub(crate) fn known(conn: &Connection) -> Result<BTreeSet<String>> {
    let mut names = conn.prepare("SELECT name FROM media_files")?;
    let names = names.query_map([], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

impl Store {
    /// Replaces the recorded names by `present` if they differ; returns those that are missing
    /// since the last start.
    pub async fn sync_media_files(&self, present: BTreeSet<String>) -> Result<Vec<String>> {
        let before = self.read(known).await?;
        if before == present {
            return Ok(Vec::new());
        }
        let missing = before.difference(&present).cloned().collect();
        self.write(move |conn| {
            conn.execute("DELETE FROM media_files", [])?;
            let mut insert = conn.prepare("INSERT INTO media_files (name) VALUES (?1)")?;
            for name in &present {
                insert.execute([name])?;
            }
            Ok(())
        })
        .await?;
        Ok(missing)
    }
}
