//! `guardpost check` on the data folder: no fault in an intact one, and each injected fault by
//! name.

mod faults;
mod key_files;
mod kills;
mod last_handle;
mod refusals;
mod root;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::{Connection, OpenFlags};

use crate::support::cli_process::{Cli, CommandOutput, ServerProcess};

/// A data folder with an invited admin and quotes, on which a server has run.
fn intact_folder() -> Cli {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    ServerProcess::start(&cli, &[]).stop("-TERM");
    cli.run_ok(&["invite-admin", "--email", "ada@guard.example"]);
    cli
}

fn check(cli: &Cli) -> CommandOutput {
    cli.run(&["check"])
}

/// Opens the database in a second process, like the sqlite3 shell.
fn database(data: &Path) -> Connection {
    let file = data.join("guardpost.db");
    Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
}

#[test]
fn too_little_free_space_is_a_fault() {
    let cli = intact_folder();
    fs::write(
        cli.path("config.toml"),
        "[data]\nmin_free_mb = 1000000000\n",
    )
    .unwrap();
    let output = check(&cli);
    assert!(!output.success, "{}", output.stdout);
    let full = "fault: data: no space is left: ";
    assert!(output.stdout.contains(full), "{}", output.stdout);
    assert!(
        output
            .stdout
            .contains("data.min_free_mb requires 1000000000"),
        "{}",
        output.stdout
    );
}

/// Every file with its size and modification time. The time of the shared memory file is ignored,
/// since SQLite's readers write their locks there.
fn listing(data: &Path) -> BTreeMap<PathBuf, (u64, SystemTime)> {
    let entries = fs::read_dir(data).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            let metadata = entry.metadata().unwrap();
            let is_shm = entry.path().to_string_lossy().ends_with("-shm");
            let modified = if is_shm {
                SystemTime::UNIX_EPOCH
            } else {
                metadata.modified().unwrap()
            };
            (entry.path(), (metadata.len(), modified))
        })
        .collect()
}

#[test]
fn check_writes_nothing_and_works_while_a_server_runs() {
    let cli = intact_folder();
    let before = listing(&cli.path("data"));
    assert!(check(&cli).success);
    assert_eq!(listing(&cli.path("data")), before);

    let server = ServerProcess::start(&cli, &[]);
    let output = check(&cli);
    assert!(
        output.success && !output.stdout.contains("fault"),
        "{}",
        output.stdout
    );
    let orphan =
        "INSERT INTO user_roles (user_id, role, created_at) VALUES ('nobody', 'admin', '')";
    let conn = database(&cli.path("data"));
    conn.pragma_update(None, "foreign_keys", false).unwrap();
    conn.execute_batch(orphan).unwrap();
    let output = check(&cli);
    assert!(output.stdout.contains("1 rows refer"), "{}", output.stdout);
    server.kill();
    let before = listing(&cli.path("data"));
    assert!(
        !check(&cli).success,
        "the check reads the WAL of a killed server"
    );
    assert_eq!(listing(&cli.path("data")).len(), before.len());
}
