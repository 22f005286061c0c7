//! Key files belong to their database: the server does not start if they are missing or foreign,
//! and creates no new ones.

use std::fs;
use std::path::Path;

use crate::support::cli_process::{Cli, ServerProcess};

const ADA: &str = "ada@guard.example";
const KEYS: [&str; 2] = ["auth-keys.json", "address.key"];

/// A data folder with key files and an invited admin.
fn used_folder() -> Cli {
    let cli = Cli::new();
    ServerProcess::start(&cli, &[]).stop("-TERM");
    cli.run_ok(&["invite-admin", "--email", ADA]);
    cli
}

/// Starts the server, which must fail; returns its standard error.
fn serve_err(cli: &Cli) -> String {
    cli.run_err(&["serve", "--listen", "127.0.0.1:0"])
}

#[test]
fn a_missing_key_file_stops_the_start_and_is_not_recreated() {
    let cli = used_folder();
    for name in KEYS {
        let file = cli.path("data").join(name);
        let key = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        let error = serve_err(&cli);
        for part in [
            &format!("data/{name} is missing"),
            "Put the copy back",
            "guardpost replace-keys --lost",
        ] {
            assert!(error.contains(part), "{error}");
        }
        assert!(!file.exists(), "{name}");
        fs::write(&file, key).unwrap();
        make_private(&file);
    }
    fs::remove_file(cli.path("data/auth-keys.json")).unwrap();
    for command in [
        &["create-admin", "--email", ADA, "--password-stdin"][..],
        &["list-users"],
        &["rotate-keys"],
        &["revoke-sessions", "--email", ADA],
    ] {
        let error = cli.run_err(command);
        assert!(error.contains("auth-keys.json is missing"), "{error}");
    }
    assert!(!cli.path("data/auth-keys.json").exists());
}

fn make_private(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn a_database_from_before_fingerprints_with_accounts_needs_its_keys() {
    let cli = used_folder();
    let conn = database(&cli);
    conn.execute_batch("DELETE FROM key_files").unwrap();
    drop(conn);
    fs::remove_file(cli.path("data/auth-keys.json")).unwrap();
    let error = serve_err(&cli);
    assert!(error.contains("data/auth-keys.json is missing"), "{error}");
}

#[test]
fn a_database_without_keys_gets_new_ones() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    assert!(!cli.path("data/auth-keys.json").exists());
    ServerProcess::start(&cli, &[]).stop("-TERM");
    assert!(KEYS.iter().all(|name| cli.path("data").join(name).exists()));
}

/// Opens the database in a second process, like the sqlite3 shell.
#[expect(clippy::disallowed_methods, reason = "looks at the file from outside")]
fn database(cli: &Cli) -> rusqlite::Connection {
    rusqlite::Connection::open(cli.path("data/guardpost.db")).unwrap()
}

#[test]
fn replace_keys_fails_if_the_keys_exist() {
    let cli = used_folder();
    let before = KEYS.map(|name| fs::read(cli.path("data").join(name)).unwrap());
    assert!(
        cli.run_err(&["replace-keys"]).contains("--lost"),
        "the flag prevents accidental use"
    );
    let error = cli.run_err(&["replace-keys", "--lost"]);
    assert!(error.contains("no keys are lost"), "{error}");
    let after = KEYS.map(|name| fs::read(cli.path("data").join(name)).unwrap());
    assert_eq!(before, after);
}
