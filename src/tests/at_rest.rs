//! What a thief of a file gets: nothing that others on the host can read, and no working link from the database.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use crate::app::TestApp;
use crate::cli_process::{Cli, CommandOutput, ServerProcess};
use crate::visitors::{ask, quote};

const MAX: &str = "max@guard.example";

/// Every byte of the database and its log.
fn bytes(folder: &Path) -> Vec<u8> {
    let read = |name| fs::read(folder.join(name)).unwrap_or_default();
    [read("guardpost.db"), read("guardpost.db-wal")].concat()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[tokio::test]
async fn a_copy_of_the_database_gives_no_code_and_no_working_link() {
    let app = TestApp::start().await;
    app.join(MAX).await;
    app.auth_post("/recover", json!({ "email": MAX }))
        .await
        .ok();
    let stolen = bytes(app.folder.path());
    assert!(holds(&stolen, "\"kind\":\"recovery\""), "the email waits");
    assert!(!holds(&stolen, "token="), "but its link is not legible");
    let mail = app.mail_to(MAX).await;
    assert!(!holds(&stolen, &mail.code()));
    let verified = json!({ "type": "recovery", "email": MAX, "token": mail.code() });
    app.auth_post("/verify", verified).await.ok();
    let later = bytes(app.folder.path());
    assert!(!holds(&later, "token=") && !holds(&later, &mail.code()));
}

#[tokio::test]
async fn a_sealed_code_is_not_mailed_to_anybody_else() {
    let app = TestApp::start().await;
    app.join(MAX).await;
    app.auth_post("/recover", json!({ "email": MAX }))
        .await
        .ok();
    app.sql(
        "UPDATE outbox SET notice = replace(notice, 'max@guard.example', 'thief@guard.example')",
    )
    .await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 0);
    assert_eq!(app.rows("outbox WHERE state = 'failed'").await, 1);
}

#[tokio::test]
async fn what_is_deleted_is_overwritten_in_the_database() {
    let app = TestApp::start().await;
    let secure = |conn: &Connection| {
        Ok(conn.query_row("PRAGMA secure_delete", [], |row| row.get::<_, i64>(0))?)
    };
    assert_ne!(app.store.write(secure).await.unwrap(), 0);
    app.sql("INSERT INTO taps (day, page, taps) VALUES ('2026-11-21', '/a-page-to-forget', 1)")
        .await;
    app.sql("DELETE FROM taps").await;
    let conn = Connection::open_with_flags(
        app.folder.path().join("guardpost.db"),
        OpenFlags::SQLITE_OPEN_READ_WRITE,
    );
    let fold = "PRAGMA wal_checkpoint(TRUNCATE)";
    conn.unwrap().query_row(fold, [], |_| Ok(())).unwrap();
    let left = fs::read(app.folder.path().join("guardpost.db")).unwrap();
    assert!(!holds(&left, "/a-page-to-forget"));
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Everything below a folder.
fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(walk(&path));
        }
        found.push(path);
    }
    found
}

/// Runs a command in a shell that would let everybody read and write what it makes.
fn carelessly(cli: &Cli, arguments: &[&str]) -> CommandOutput {
    let mut shell = Command::new("sh");
    shell
        .args([
            "-c",
            "umask 000; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_guardpost"),
        ])
        .args(arguments)
        .current_dir(cli.folder.path())
        .env_clear();
    CommandOutput::of(shell.output().unwrap())
}

#[test]
fn every_command_writes_for_its_owner_alone_whatever_the_folder_and_the_shell_say() {
    let cli = Cli::new();
    let data = cli.path("data");
    fs::create_dir(&data).unwrap();
    allow(&data, 0o777);
    for arguments in [
        &["seed-demo"][..],
        &["invite-admin", "--email", "ada@guard.example"],
        &["export-quotes", "--output", "data/quotes.csv"],
    ] {
        let ended = carelessly(&cli, arguments);
        assert!(ended.success, "{arguments:?}: {}", ended.stderr);
    }
    let files = walk(&data);
    assert!(files.len() >= 3, "{files:?}");
    for path in files {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[tokio::test]
async fn a_server_writes_its_emails_and_its_database_for_its_owner_alone() {
    let cli = Cli::new();
    let server = ServerProcess::start(&cli, &[]);
    let http = reqwest::Client::new();
    let answer = ask(
        &http,
        &server.origin(),
        "198.51.100.1",
        None,
        &quote(json!({})),
    )
    .await;
    assert_eq!(answer.unwrap().status(), 201);
    let (good, log) = server.stop("-TERM");
    assert!(good, "{log}");
    for path in walk(&cli.path("data")) {
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), wanted, "{}", path.display());
    }
}

#[test]
fn a_server_does_not_start_on_a_data_folder_that_others_can_open_and_says_what_to_run() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    allow(&cli.path("data"), 0o755);
    let serve = || cli.run(&["serve", "--listen", "127.0.0.1:0"]);
    let refused = serve();
    assert!(!refused.success, "{}", refused.stdout);
    assert!(
        refused
            .stderr
            .ends_with("(mode 755); run: chmod 700 data\n"),
        "{}",
        refused.stderr
    );
    assert!(cli.run(&["check"]).stdout.contains("run: chmod 700 data\n"));
    allow(&cli.path("data"), 0o700);
    ServerProcess::start(&cli, &[]).stop("-TERM");
    assert!(!cli.run(&["check"]).stdout.contains("chmod"));
}

#[test]
fn a_server_does_not_start_with_keys_that_others_can_read_and_says_what_to_run() {
    let cli = Cli::new();
    ServerProcess::start(&cli, &[]).stop("-TERM");
    for name in ["auth-keys.json", "address.key"] {
        let key = cli.path("data").join(name);
        allow(&key, 0o640);
        let refused = cli.run_err(&["serve", "--listen", "127.0.0.1:0"]);
        let command = format!("run: chmod 600 data/{name}\n");
        assert!(refused.ends_with(&command), "{refused}");
        let check = cli.run(&["check"]);
        assert!(
            !check.success && check.stdout.contains(&command),
            "{}",
            check.stdout
        );
        allow(&key, 0o600);
    }
}

#[test]
fn a_tls_key_that_everybody_can_read_stops_the_start_and_the_check() {
    let cli = Cli::new();
    let issued = rcgen::generate_simple_self_signed(vec!["guard.test".to_owned()]).unwrap();
    fs::write(cli.path("cert.pem"), issued.cert.pem()).unwrap();
    fs::write(cli.path("key.pem"), issued.signing_key.serialize_pem()).unwrap();
    let settings = "[server]\ntls_cert = \"cert.pem\"\ntls_key = \"key.pem\"\n";
    fs::write(cli.path("config.toml"), settings).unwrap();
    allow(&cli.path("key.pem"), 0o644);
    for command in [&["check"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let refused = cli.run_err(command);
        assert!(refused.contains("server.tls_key"), "{refused}");
        assert!(refused.ends_with("run: chmod 600 key.pem\n"), "{refused}");
    }
    allow(&cli.path("key.pem"), 0o600);
    cli.run_ok(&["check"]);
}

#[test]
fn files_of_an_older_version_are_made_private_at_the_next_start_which_says_so() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    fs::create_dir(cli.path("data/mail")).unwrap();
    let files = ["guardpost.db", "mail"].map(|name| cli.path("data").join(name));
    allow(&files[0], 0o644);
    allow(&files[1], 0o755);
    assert!(
        cli.run_ok(&["check"])
            .contains("guardpost.db (mode 644); run: chmod 600 data/guardpost.db, or start"),
    );
    let (_, log) = ServerProcess::start(&cli, &[]).stop("-TERM");
    assert!(log.contains("could open data/guardpost.db;"), "{log}");
    assert!(log.contains("could open data/mail;"), "{log}");
    assert_eq!(files.map(|file| mode(&file)), [0o600, 0o700]);
}
