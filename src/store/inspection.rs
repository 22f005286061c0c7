//! A look at a database file from outside, for `guardpost check`: beside a running server, and without writing anything.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;

use super::key_files::{self, KeyFile, KnownKeys};
use super::{Error, Result, connection, media_files, schema};

/// Lines that SQLite may say of one damaged file.
const LINES: u32 = 3;

/// What was found.
#[derive(Debug, Default)]
pub struct Inspection {
    /// What is wrong, a sentence each.
    pub faults: Vec<String>,
    /// What the database knows of its key files; empty where it cannot say.
    pub keys: Vec<(KeyFile, KnownKeys)>,
    /// The pictures that the last start found.
    pub media: BTreeSet<String>,
}

/// Looks at the database in `file`.
pub fn inspect(file: &Path) -> Inspection {
    let is_open = || connection::log_file(file).exists();
    if is_open() {
        return look(file, false);
    }
    // Nobody has it open. Read as a file that does not change, it needs no lock and no log.
    let found = look(file, true);
    if is_open() { look(file, false) } else { found }
}

fn look(file: &Path, unchanging: bool) -> Inspection {
    let mut found = Inspection::default();
    let looked = connection::to_inspect(file, unchanging)
        .map_err(Into::into)
        .and_then(|conn| examine(&conn, &mut found));
    if let Err(error) = looked {
        found.faults.push(said(&error));
    }
    found
}

fn examine(conn: &Connection, found: &mut Inspection) -> Result<()> {
    let version: u32 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > schema::VERSION {
        found.faults.push(format!(
            "it was written by a newer guardpost (schema {version}, this program knows {}): install that version",
            schema::VERSION
        ));
    }
    if version == 0 {
        found.faults.push("it holds nothing of this program".into());
        return Ok(());
    }
    let mut lines = conn.prepare(&format!("PRAGMA integrity_check({LINES})"))?;
    let lines = lines.query_map([], |row| row.get::<_, String>(0))?;
    for line in lines {
        let line = line?;
        if line != "ok" {
            let line = line.replace('\n', "; ");
            found.faults.push(format!("it is damaged: {line}"));
        }
    }
    let orphans = "SELECT count(*) FROM pragma_foreign_key_check";
    let orphans: i64 = conn.query_row(orphans, [], |row| row.get(0))?;
    if orphans > 0 {
        found
            .faults
            .push(format!("{orphans} rows refer to rows that are not there"));
    }
    for file in KeyFile::ALL {
        found.keys.push((file, key_files::known_keys(conn, file)?));
    }
    if conn.table_exists(None, "media_files")? {
        found.media = media_files::known(conn)?;
    }
    Ok(())
}

fn said(error: &Error) -> String {
    match error {
        Error::Unusable(why) => format!("it is damaged: {why}"),
        error => format!("it cannot be read: {error}"),
    }
}
