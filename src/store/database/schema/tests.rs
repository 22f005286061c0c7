use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::store::database::copies::migration_copy;
use crate::store::{Checkpoints, Store};

/// Two changes as a later release may have them.
const LATER: [&str; 2] = [
    "ALTER TABLE events ADD COLUMN place TEXT",
    "CREATE TABLE places (name TEXT) STRICT; INSERT INTO places SELECT verb FROM events",
];

fn open(file: &Path) -> Connection {
    crate::store::database::connection::open(file, Checkpoints::Store).unwrap()
}

/// A database of 0.1.0 in `file`, with an event.
fn database_of_0_1_0(file: &Path) -> Connection {
    let mut conn = open(file);
    apply_changes(&mut conn, &[]).unwrap();
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

#[test]
fn the_files_of_the_nouns_create_the_database_of_release_0_1_0() {
    let folder = tempfile::tempdir().unwrap();
    let conn = database_of_0_1_0(&folder.path().join("new.db"));
    let statements: String = statements(&conn).into_iter().collect();
    // Of a database that the release has created.
    assert_eq!(
        hex::encode(Sha256::digest(&statements)),
        "d0116b1bc8fd8e528d438ae2f40709a1ca723e3626c89068d78d94d97650dc83",
        "these files stay as they are: write the change as a numbered file\n{statements}"
    );
    assert_eq!(version_of(&conn, VERSION).unwrap(), OLDEST);
}

#[test]
fn every_file_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/database/schema");
    let files = fs::read_dir(folder).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
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
fn each_change_is_applied_once_and_an_existing_database_becomes_like_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut moved = database_of_0_1_0(&folder.path().join("moved.db"));
    for changes in [&LATER[..1], &LATER, &LATER] {
        apply_changes(&mut moved, changes).unwrap();
    }
    let mut new = open(&folder.path().join("new.db"));
    apply_changes(&mut new, &LATER).unwrap();
    assert_eq!(statements(&moved), statements(&new));
    for conn in [&moved, &new] {
        assert_eq!(version_of(conn, OLDEST + 2).unwrap(), OLDEST + 2);
    }
    let kept = moved.query_row("SELECT group_concat(name) FROM places", [], |row| {
        row.get::<_, String>(0)
    });
    assert_eq!(kept.unwrap(), "noted");
}

#[test]
fn a_change_that_fails_leaves_the_database_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut conn = database_of_0_1_0(&folder.path().join("old.db"));
    let before = statements(&conn);
    let fails = [LATER[0], "CREATE TABLE users (id TEXT)"];
    assert!(apply_changes(&mut conn, &fails).is_err());
    assert_eq!(version_of(&conn, VERSION).unwrap(), OLDEST);
    assert_eq!(statements(&conn), before);
}

#[test]
fn the_state_before_a_migration_is_kept_as_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.db");
    let mut conn = database_of_0_1_0(&file);
    migration_copy::prepare_for(&conn, &file, OLDEST + 2).unwrap();
    apply_changes(&mut conn, &LATER).unwrap();
    let copy = open(&folder.path().join(format!("old.db.schema-{OLDEST}")));
    assert_eq!(version_of(&copy, OLDEST).unwrap(), OLDEST);
    let kept = copy.query_row("SELECT verb FROM events", [], |row| row.get::<_, String>(0));
    assert_eq!(kept.unwrap(), "noted");
}

#[test]
fn a_database_of_0_1_0_is_opened_with_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.db");
    drop(database_of_0_1_0(&file));
    let store = Store::open(&file).unwrap();
    drop(store);
    let conn = open(&file);
    assert_eq!(version_of(&conn, VERSION).unwrap(), VERSION);
    let kept = conn.query_row("SELECT verb FROM events", [], |row| row.get::<_, String>(0));
    assert_eq!(kept.unwrap(), "noted");
}
