//! The copy of the database before a migration, and the way back.

use std::fs;
use std::process::Command;

use rusqlite::{Connection, OpenFlags};
use store::database::schema::VERSION as SCHEMA_VERSION;

use crate::support::cli_process::Cli;

fn quotes(cli: &Cli) -> usize {
    let rows = cli.run_ok(&["export-quotes", "--format", "jsonl"]);
    rows.lines().count()
}

#[test]
fn an_old_program_on_a_newer_database_prints_the_line_that_goes_back() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    let file = cli.path("data/guardpost.db");
    fs::copy(
        &file,
        cli.path(&format!("data/guardpost.db.schema-{SCHEMA_VERSION}")),
    )
    .unwrap();
    let conn = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    conn.execute_batch("DELETE FROM requests; PRAGMA user_version = 999")
        .unwrap();
    drop(conn);
    let error = cli.run_err(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(error.contains("newer guardpost (schema 999,"), "{error}");
    let line = error.lines().find(|line| line.contains("cp -p")).unwrap();
    let went_back = Command::new("sh")
        .args(["-c", line])
        .current_dir(cli.folder.path())
        .status();
    assert!(went_back.unwrap().success(), "{line}");
    assert_eq!(quotes(&cli), 40);
    assert!(
        cli.path("data/guardpost.db.newer").exists(),
        "nothing is deleted"
    );
}

#[test]
fn without_a_copy_only_the_newer_version_helps() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    let file = cli.path("data/guardpost.db");
    let conn = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    conn.pragma_update(None, "user_version", 999).unwrap();
    drop(conn);
    let error = cli.run_err(&["list-users"]);
    assert!(
        error.contains("install that version") && !error.contains("cp -p"),
        "{error}"
    );
    assert_eq!(
        fs::read_dir(cli.path("data")).unwrap().count(),
        1,
        "no copy of a newer database"
    );
}

#[test]
fn a_database_that_is_too_old_is_refused_with_what_to_do() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    let file = cli.path("data/guardpost.db");
    let conn = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    conn.pragma_update(None, "user_version", 67).unwrap();
    for command in [&["list-users"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let error = cli.run_err(command);
        assert!(
            error.contains("(schema 67): start the build of November 28, 2026 on it once"),
            "{error}"
        );
    }
    let version = conn.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0));
    assert_eq!(version.unwrap(), 67, "it stays as it was");
    assert!(!cli.path("data/guardpost.db.schema-67").exists());
}
