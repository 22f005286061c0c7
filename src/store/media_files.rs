//! The names of the pictures that the last start found, so that one that is lost is noticed.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::{Result, Store};

/// The names as of the last start.
pub(super) fn known(conn: &Connection) -> Result<BTreeSet<String>> {
    let mut names = conn.prepare("SELECT name FROM media_files")?;
    let names = names.query_map([], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

impl Store {
    /// Remembers `present` as the pictures there are; gives those that are gone since the last start. Writes only what changed.
    ///
    /// # Errors
    /// What the database says.
    pub async fn sync_media_files(&self, present: BTreeSet<String>) -> Result<Vec<String>> {
        let before = self.read(known).await?;
        if before == present {
            return Ok(Vec::new());
        }
        let gone = before.difference(&present).cloned().collect();
        self.write(move |conn| {
            conn.execute("DELETE FROM media_files", [])?;
            let mut insert = conn.prepare("INSERT INTO media_files (name) VALUES (?1)")?;
            for name in &present {
                insert.execute([name])?;
            }
            Ok(())
        })
        .await?;
        Ok(gone)
    }
}
