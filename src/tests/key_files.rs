//! A database and its keys belong together: a start without them, or with others, stops instead of making new ones.

use std::fs;
use std::path::Path;

use crate::cli_process::{Cli, ServerProcess};

const ADA: &str = "ada@guard.example";
const KEYS: [&str; 2] = ["auth-keys.json", "address.key"];

/// A folder in which a server has run and somebody is invited.
fn used() -> Cli {
    let cli = Cli::new();
    ServerProcess::start(&cli, &[]).stop("-TERM");
    cli.run_ok(&["invite-admin", "--email", ADA]);
    cli
}

fn serve(cli: &Cli) -> String {
    cli.run_err(&["serve", "--listen", "127.0.0.1:0"])
}

#[test]
fn a_start_with_a_database_but_without_its_keys_makes_no_new_ones_and_says_what_helps() {
    let cli = used();
    for name in KEYS {
        let file = cli.path("data").join(name);
        let key = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        let said = serve(&cli);
        for part in [
            &format!("data/{name} is missing"),
            "Put the copy back",
            "guardpost replace-keys --lost",
        ] {
            assert!(said.contains(part), "{said}");
        }
        assert!(!file.exists(), "{name}");
        fs::write(&file, key).unwrap();
        private(&file);
    }
    fs::remove_file(cli.path("data/auth-keys.json")).unwrap();
    for command in [
        &["create-admin", "--email", ADA, "--password-stdin"][..],
        &["list-users"],
        &["rotate-keys"],
        &["revoke-sessions", "--email", ADA],
    ] {
        let said = cli.run_err(command);
        assert!(said.contains("auth-keys.json is missing"), "{said}");
    }
    assert!(!cli.path("data/auth-keys.json").exists());
}

fn private(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn a_start_with_the_keys_of_another_database_stops() {
    let (cli, other) = (used(), used());
    for name in KEYS {
        let file = cli.path("data").join(name);
        let key = fs::read(&file).unwrap();
        fs::copy(other.path("data").join(name), &file).unwrap();
        let said = serve(&cli);
        let expected = format!("data/{name} belongs to another database");
        assert!(said.contains(&expected), "{said}");
        fs::write(&file, key).unwrap();
    }
    ServerProcess::start(&cli, &[]).stop("-TERM");
}

#[test]
fn a_database_of_an_older_version_with_people_in_it_does_not_start_without_keys() {
    let cli = used();
    let conn = database(&cli);
    conn.execute_batch("DELETE FROM key_files").unwrap();
    drop(conn);
    fs::remove_file(cli.path("data/auth-keys.json")).unwrap();
    let said = serve(&cli);
    assert!(said.contains("data/auth-keys.json is missing"), "{said}");
}

#[test]
fn a_database_that_was_never_used_with_keys_gets_its_own() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    assert!(!cli.path("data/auth-keys.json").exists());
    ServerProcess::start(&cli, &[]).stop("-TERM");
    assert!(KEYS.iter().all(|name| cli.path("data").join(name).exists()));
}

/// The database, as an operator would open it beside the program.
#[expect(clippy::disallowed_methods, reason = "looks at the file from outside")]
fn database(cli: &Cli) -> rusqlite::Connection {
    rusqlite::Connection::open(cli.path("data/guardpost.db")).unwrap()
}

#[test]
fn keys_that_are_there_are_not_replaced() {
    let cli = used();
    let before = KEYS.map(|name| fs::read(cli.path("data").join(name)).unwrap());
    assert!(
        cli.run_err(&["replace-keys"]).contains("--lost"),
        "nobody does this by accident"
    );
    let said = cli.run_err(&["replace-keys", "--lost"]);
    assert!(said.contains("no keys are lost"), "{said}");
    let after = KEYS.map(|name| fs::read(cli.path("data").join(name)).unwrap());
    assert_eq!(before, after);
}
