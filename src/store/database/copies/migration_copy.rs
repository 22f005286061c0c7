//! A copy of the database before each migration: `guardpost.db.schema-N`. An older program cannot
//! read a newer schema, so going back to it needs the copy.

use std::ffi::OsString;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::snapshot;
use crate::database::disk::file_permissions::quoted;
use crate::database::disk::leftovers::{MIGRATION, use_while_open};
use crate::database::schema::{VERSION, explain_older};
use crate::{Error, Result, conflict};

/// Refuses a database of a newer program or of one that is too old, and copies one of an older
/// program.
/// Errors: `Conflict` with what to do, or if the copy cannot be written.
pub(crate) fn prepare(conn: &Connection, file: &Path) -> Result<()> {
    prepare_for(conn, file, VERSION)
}

/// The same, for a program that writes the version `newest` of the schema.
pub(in crate::database) fn prepare_for(conn: &Connection, file: &Path, newest: u32) -> Result<()> {
    let version: u32 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > newest {
        return conflict(explain_newer(file, version));
    }
    if let Some(why) = explain_older(version) {
        return conflict(format!("this database {why}"));
    }
    if version == 0 || version == newest {
        return Ok(());
    }
    let copy = copy_path(file, version);
    tracing::info!(copy = %copy.display(), "copying the database before its migration");
    write(file, &copy).map_err(|error| {
        let path = copy.display();
        Error::Conflict(format!(
            "no copy could be made at {path} before the migration: {error}"
        ))
    })
}

fn write(file: &Path, copy: &Path) -> anyhow::Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // Written under a temporary name, so that an interrupted copy is never taken for a complete
    // one.
    let temporary = tempfile::NamedTempFile::with_prefix_in(MIGRATION, folder)?;
    use_while_open(temporary.as_file())?;
    snapshot::copy(
        file,
        temporary.path(),
        &mut |_, _| ControlFlow::Continue(()),
    )?;
    temporary.as_file().sync_all()?;
    temporary.persist(copy)?;
    Ok(File::open(folder)?.sync_all()?)
}

/// The path of the copy made before the migration from schema `version`.
fn copy_path(file: &Path, version: u32) -> PathBuf {
    let mut path = OsString::from(file);
    path.push(format!(".schema-{version}"));
    path.into()
}

/// The error for a database of schema `version`, with the command that restores the copy.
fn explain_newer(file: &Path, version: u32) -> String {
    let newer = format!(
        "this database was written by a newer guardpost (schema {version}, this program knows \
         {VERSION}): install that version"
    );
    let copy = copy_path(file, VERSION);
    if !copy.exists() {
        return newer;
    }
    let (file, copy) = (quoted(file), quoted(&copy));
    format!(
        "{newer}. Or go back to the copy made before the migration, without what came in since:\n\
         for end in '' -wal -shm; do mv {file}$end {file}.newer$end 2>/dev/null; done; cp -p \
         {copy} {file}\n"
    )
}
