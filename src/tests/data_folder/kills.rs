//! Each command that writes a folder, killed at twenty points, and the other commands on what it
//! leaves: they refuse it with what to do, or find everything.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::database;
use crate::support::cli_process::{Cli, ServerProcess};

const POINTS: usize = 20;
/// The quotes of `seed-demo`.
const QUOTES: usize = 40;

/// Every file and folder below `folder` with its size.
fn tree(folder: &Path, found: &mut BTreeMap<PathBuf, u64>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // A file that is gone by now is part of another state.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        found.insert(entry.path(), metadata.len());
        if metadata.is_dir() {
            tree(&entry.path(), found);
        }
    }
}

fn state(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut found = BTreeMap::new();
    tree(folder, &mut found);
    found
}

/// Runs a command and kills it when the folder has changed so often, or when it says that it is
/// done or serves; returns whether it was killed before.
fn kill_at(mut command: Command, folder: &Path, point: usize) -> bool {
    let mut before = state(folder);
    let output = tempfile::tempfile().unwrap();
    command.stdout(output.try_clone().unwrap());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let mut changes = 0;
    while child.try_wait().unwrap().is_none() {
        let now = state(folder);
        changes += usize::from(now != before);
        before = now;
        std::thread::yield_now();
        let is_done = output.metadata().unwrap().len() > 0;
        if is_done || changes == point {
            child.kill().unwrap();
            child.wait().unwrap();
            return !is_done;
        }
    }
    false
}

fn quotes(cli: &Cli, data: &str) -> usize {
    let rows = cli.run_ok(&["export-quotes", "--format", "jsonl", "--data", data]);
    rows.lines().count()
}

fn serve_once(cli: &Cli, data: &str) {
    let server = ServerProcess::start(cli, &["--data", data]);
    assert!(server.stop("-TERM").0);
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(copied.unwrap().success());
}

/// Names that no command has finished.
fn hidden(folder: &Path) -> Vec<PathBuf> {
    let names = state(folder).into_keys();
    let is_hidden = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with('.') && name != ".lock"
    };
    names.filter(is_hidden).collect()
}

#[test]
fn a_restore_that_was_killed_is_refused_by_every_command_until_it_is_made_again() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    fs::create_dir(cli.path("data/media")).unwrap();
    fs::write(cli.path("data/media/hero.jpg"), vec![1; 8 << 20]).unwrap();
    cli.run_ok(&["backup", "--to", "backups"]);
    let restore = ["restore", "backups", "--to", "new"];
    let new = cli.path("new");
    let mut refused = 0;
    for point in 0..=POINTS {
        match point {
            0 => {
                fs::create_dir_all(new.join(".restoring")).unwrap();
                fs::set_permissions(&new, fs::Permissions::from_mode(0o700)).unwrap();
            }
            _ => {
                kill_at(cli.command(&restore), &new, point);
            }
        }
        if new.join(".restoring").exists() {
            let before = state(&new);
            for command in [
                &["serve", "--listen", "127.0.0.1:0"][..],
                &["list-users"],
                &["export-quotes"],
                &["seed-demo"],
                &["backup", "--to", "others"],
                &["restore", "backups", "--to", "new"],
            ] {
                let data = match command[0] {
                    "restore" => &[][..],
                    _ => &["--data", "new"],
                };
                let error = cli.run_err(&[command, data].concat());
                let expected = "the restore into new was interrupted, so the folder is incomplete: \
                                type `rm -r new`, and restore again";
                assert!(error.contains(expected), "{command:?}: {error}");
            }
            let check = cli.run(&["check", "--data", "new"]);
            assert!(!check.success && check.stdout.contains("the restore into new was"));
            assert_eq!(state(&new), before, "nothing has changed there");
            refused += 1;
        } else if new.join("guardpost.db").exists() {
            assert_eq!(quotes(&cli, "new"), QUOTES, "it is complete");
        }
        let _ = fs::remove_dir_all(&new);
    }
    assert!(refused > 0);
    cli.run_ok(&restore);
    assert_eq!(quotes(&cli, "new"), QUOTES);
}

#[test]
fn a_restore_whose_session_ends_removes_what_it_has_begun() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    cli.run_ok(&["backup", "--to", "backups"]);
    for signal in ["-HUP", "-TERM", "-INT"] {
        let mut restore = cli.command(&["restore", "backups", "--to", "new"]);
        let restore = restore.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = restore.spawn().unwrap();
        // It listens for signals before it writes.
        while !cli.path("new").exists() && child.try_wait().unwrap().is_none() {}
        let pid = child.id().to_string();
        let _ = Command::new("kill").args([signal, &pid]).status();
        let is_done = child.wait().unwrap().success();
        assert!(!cli.path("new/.restoring").exists(), "{signal}");
        assert_eq!(cli.path("new").exists(), is_done, "{signal}");
        let _ = fs::remove_dir_all(cli.path("new"));
    }
}

#[test]
fn after_a_killed_backup_the_next_one_and_the_server_remove_what_is_left() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    cli.run_ok(&["backup-key", "backup.key"]);
    let backup = ["backup", "--to", "backups", "--key-file", "backup.key"];
    for point in 1..=POINTS {
        kill_at(cli.command(&backup), cli.folder.path(), point);
        assert_eq!(quotes(&cli, "data"), QUOTES);
        if point % 10 == 0 {
            cli.run_ok(&backup);
            assert!(hidden(&cli.path("backups")).is_empty());
            serve_once(&cli, "data");
            assert!(hidden(&cli.path("data")).is_empty());
        }
    }
    cli.run_ok(&[
        "restore",
        "backups",
        "--to",
        "new",
        "--key-file",
        "backup.key",
    ]);
    assert_eq!(quotes(&cli, "new"), QUOTES);
}

#[test]
fn after_a_killed_command_that_creates_or_changes_the_folder_a_server_starts_on_it() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo", "--data", "old"]);
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for (command, before) in [
        (&["seed-demo"][..], None),
        (&serve, None),
        (&["invite-admin", "--email", "ada@guard.example"], None),
        (&["rotate-keys"], Some("old")),
        (&["import", "all.jsonl"], None),
    ] {
        if command[0] == "rotate-keys" {
            serve_once(&cli, "old");
        }
        if command[0] == "import" {
            cli.run_ok(&["export", "--all", "--out", "all.jsonl", "--data", "old"]);
        }
        for point in 1..=POINTS {
            let data = cli.path("data");
            let _ = fs::remove_dir_all(&data);
            if let Some(before) = before {
                copy(&cli.path(before), &data);
            }
            let was_killed = kill_at(cli.command(command), &data, point);
            if !was_killed && point > 1 {
                break;
            }
            if point % 10 == 1 {
                serve_once(&cli, "data");
                assert!(hidden(&data).is_empty(), "{command:?}");
            }
            if data.join("guardpost.db").exists() {
                let found = quotes(&cli, "data");
                assert!([0, QUOTES].contains(&found), "{command:?}: {found}");
            }
        }
    }
}

/// The schema of the build from which a database is migrated, and rows of each kind.
const SCHEMA_68: &str = include_str!("../../store/database/schema/tests/schema_68.sql");
const ROWS_68: &str = include_str!("../../store/database/schema/tests/rows_68.sql");
/// What an upgrade must not lose.
const KEPT: [&str; 10] = [
    "requests",
    "events",
    "users",
    "sessions",
    "objects",
    "offers",
    "offer_versions",
    "request_drafts",
    "inbox_filters",
    "outbox",
];

fn kept(data: &Path) -> BTreeMap<&'static str, i64> {
    let conn = database(data);
    let count = |table| {
        let sql = format!("SELECT count(*) FROM {table}");
        (table, conn.query_row(&sql, [], |row| row.get(0)).unwrap())
    };
    KEPT.into_iter().map(count).collect()
}

/// A data folder of that build.
fn old_folder(cli: &Cli) {
    cli.run_ok(&["seed-demo"]);
    serve_once(cli, "data");
    let served = cli.path("served.db");
    fs::rename(cli.path("data/guardpost.db"), &served).unwrap();
    #[expect(clippy::disallowed_methods, reason = "a database of an older program")]
    let conn = rusqlite::Connection::open(cli.path("data/guardpost.db")).unwrap();
    conn.execute_batch(&format!(
        "PRAGMA journal_mode = WAL; PRAGMA user_version = 68;
         BEGIN; {SCHEMA_68} {ROWS_68} COMMIT;
         ATTACH '{}' AS served; INSERT INTO key_files SELECT * FROM served.key_files",
        served.display()
    ))
    .unwrap();
    fs::rename(cli.path("data"), cli.path("old")).unwrap();
}

#[test]
fn an_upgrade_that_is_killed_during_its_migration_loses_nothing() {
    let cli = Cli::new();
    old_folder(&cli);
    let (old, data) = (cli.path("old"), cli.path("data"));
    let before = kept(&old);
    assert_eq!(before["requests"], 200);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--hold-mail"];
    for point in 1..=POINTS {
        let _ = fs::remove_dir_all(&data);
        copy(&old, &data);
        kill_at(cli.command(&serve), &data, point);
        let server = ServerProcess::start(&cli, &["--hold-mail"]);
        assert_eq!(kept(&data), before, "killed at change {point}");
        assert!(server.stop("-TERM").0);
        assert!(hidden(&data).is_empty());
    }
}
