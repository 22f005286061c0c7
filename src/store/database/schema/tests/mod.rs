//! New databases, and those of schema 68 (`schema_68.sql`) and later that are changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::database::connection::Checkpoints;
use crate::database::copies::migration_copy;

/// What is derived has tests of its own (`request::waits`).
fn nothing(_: &Connection) -> Result<()> {
    Ok(())
}

const SCHEMA_68: &str = include_str!("schema_68.sql");

/// Two changes as a later release may have them.
const LATER: [&str; 2] = [
    "ALTER TABLE events ADD COLUMN place TEXT",
    "CREATE TABLE places (name TEXT) STRICT; INSERT INTO places SELECT verb FROM events",
];

fn open(file: &Path) -> Connection {
    crate::database::connection::open(file, Checkpoints::Store).unwrap()
}

/// A database of schema 68 in `file`, with an event.
fn database_of_68(file: &Path) -> Connection {
    let conn = open(file);
    conn.execute_batch(SCHEMA_68).unwrap();
    conn.pragma_update(None, "user_version", OLDEST).unwrap();
    conn.execute_batch(
        "INSERT INTO events (id, seq, kind, at, verb, detail)
         VALUES (1, 16, 'quote', '', 'noted', '{}')",
    )
    .unwrap();
    conn
}

/// What the schema says, without spaces and quotation marks, a line each.
fn statements(conn: &Connection) -> BTreeSet<String> {
    let mut found = conn
        .prepare(
            "SELECT concat_ws(' ', type, name, tbl_name), sql FROM sqlite_schema
             WHERE sql IS NOT NULL",
        )
        .unwrap();
    let found = found.query_map([], |row| {
        let sql: String = row.get(1)?;
        let sql = sql.replace(|c: char| c.is_whitespace() || c == '"', "");
        Ok(format!("{} {sql}\n", row.get::<_, String>(0)?))
    });
    found.unwrap().collect::<Result<_, _>>().unwrap()
}

/// The tables with the number of their rows, but for the event of the test and the search index.
fn sizes(conn: &Connection) -> Vec<String> {
    let names = "SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'request_words%' AND name <> 'events' ORDER BY name";
    let size = |name: String| {
        let count = format!("SELECT '{name}', count(*) FROM {name}");
        rows(conn, &count).concat()
    };
    rows(conn, names).into_iter().map(size).collect()
}

#[test]
fn a_database_of_schema_68_becomes_like_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut moved = database_of_68(&folder.path().join("moved.db"));
    apply(&mut moved, nothing).unwrap();
    let mut new = open(&folder.path().join("new.db"));
    apply(&mut new, nothing).unwrap();
    assert_eq!(sizes(&moved), sizes(&new));
    let (moved, new) = (statements(&moved), statements(&new));
    let changes_only: Vec<_> = moved.difference(&new).collect();
    let nouns_only: Vec<_> = new.difference(&moved).collect();
    assert!(
        changes_only.is_empty() && nouns_only.is_empty(),
        "write a change as a numbered file and in the file of its noun\n\
         changes: {changes_only:#?}\nnouns: {nouns_only:#?}"
    );
}

#[test]
fn every_file_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("database/schema");
    let folders = [folder.join("changes"), folder];
    let entries = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok());
    let files = entries.flatten().map(|entry| entry.unwrap().path());
    let sql: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|end| end == "sql"))
        .collect();
    for file in &sql {
        let text = fs::read_to_string(file).unwrap();
        let is_listed = NOUNS.iter().chain(CHANGES).any(|listed| *listed == text);
        assert!(is_listed, "{}", file.display());
    }
    assert_eq!(sql.len(), NOUNS.len() + CHANGES.len());
}

#[test]
fn each_change_is_applied_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut conn = database_of_68(&folder.path().join("moved.db"));
    for changes in [&LATER[..1], &LATER, &LATER] {
        apply_changes(&mut conn, changes, nothing).unwrap();
    }
    assert_eq!(version_of(&conn, OLDEST + 2).unwrap(), OLDEST + 2);
    let kept = conn.query_row("SELECT group_concat(name) FROM places", [], |row| {
        row.get::<_, String>(0)
    });
    assert_eq!(kept.unwrap(), "noted");
}

#[test]
fn a_change_that_fails_leaves_the_database_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut conn = database_of_68(&folder.path().join("old.db"));
    let before = statements(&conn);
    let fails = [LATER[0], "CREATE TABLE users (id TEXT)"];
    assert!(apply_changes(&mut conn, &fails, nothing).is_err());
    assert_eq!(version_of(&conn, VERSION).unwrap(), OLDEST);
    assert_eq!(statements(&conn), before);
}

#[test]
fn the_state_before_a_migration_is_kept_as_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.db");
    let mut conn = database_of_68(&file);
    migration_copy::prepare_for(&conn, &file, OLDEST + 2).unwrap();
    apply_changes(&mut conn, &LATER, nothing).unwrap();
    let copy = open(&folder.path().join(format!("old.db.schema-{OLDEST}")));
    assert_eq!(version_of(&copy, OLDEST).unwrap(), OLDEST);
    let kept = copy.query_row("SELECT verb FROM events", [], |row| row.get::<_, String>(0));
    assert_eq!(kept.unwrap(), "noted");
}

/// The rows of a statement, with the values of each separated by spaces.
fn rows(conn: &Connection, sql: &str) -> Vec<String> {
    let mut find = conn.prepare(sql).unwrap();
    let columns = find.column_count();
    let text = |row: &rusqlite::Row<'_>, at| {
        Ok::<_, rusqlite::Error>(match row.get::<_, rusqlite::types::Value>(at)? {
            rusqlite::types::Value::Null => "-".to_owned(),
            rusqlite::types::Value::Integer(number) => number.to_string(),
            rusqlite::types::Value::Text(text) => text,
            other => format!("{other:?}"),
        })
    };
    let rows = find.query_map([], |row| {
        let values: Result<Vec<_>, _> = (0..columns).map(|at| text(row, at)).collect();
        Ok(values?.join(" "))
    });
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn the_quotes_of_the_specification_have_exactly_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let mut conn = open(&folder.path().join("new.db"));
    apply(&mut conn, nothing).unwrap();
    let columns = conn.prepare("SELECT * FROM quotes").unwrap();
    let specified = "id created_at first_name last_name email phone company service_type duration \
                     start_date location description status emergency_contact";
    assert_eq!(columns.column_names().join(" "), specified);
}
