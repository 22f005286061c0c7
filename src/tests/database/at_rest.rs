//! Data at rest: files are private to their owner, and the database holds no usable code or link.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::cli_process::{Cli, CommandOutput, ServerProcess};
use crate::support::visitors::{ask, quote};
use store::database::disk::file_permissions::require_private;

const MAX: &str = "max@guard.example";

/// The bytes of the database and its WAL.
fn database_bytes(folder: &Path) -> Vec<u8> {
    let read = |name| fs::read(folder.join(name)).unwrap_or_default();
    [read("guardpost.db"), read("guardpost.db-wal")].concat()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[tokio::test]
async fn the_database_holds_no_code_and_no_working_link() {
    let app = TestApp::start().await;
    app.join(MAX).await;
    app.auth_post("/recover", json!({ "email": MAX }))
        .await
        .ok();
    let queued = database_bytes(app.folder.path());
    assert!(
        contains(&queued, "\"kind\":\"recovery\""),
        "the email is queued"
    );
    assert!(!contains(&queued, "token="), "but its link is sealed");
    let mail = app.mail_to(MAX).await;
    assert!(!contains(&queued, &mail.code()));
    let verified = json!({ "type": "recovery", "email": MAX, "token": mail.code() });
    app.auth_post("/verify", verified).await.ok();
    let used = database_bytes(app.folder.path());
    assert!(!contains(&used, "token=") && !contains(&used, &mail.code()));
}

#[tokio::test]
async fn a_sealed_code_is_not_sent_to_another_address() {
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
async fn deleted_rows_are_overwritten_in_the_database() {
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
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
    conn.unwrap().query_row(checkpoint, [], |_| Ok(())).unwrap();
    let left = fs::read(app.folder.path().join("guardpost.db")).unwrap();
    assert!(!contains(&left, "/a-page-to-forget"));
}

fn mode_of(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// All files and folders below a folder.
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

/// Runs a command with umask 000.
fn run_with_open_umask(cli: &Cli, arguments: &[&str]) -> CommandOutput {
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
fn commands_write_private_files_despite_an_open_umask() {
    let cli = Cli::new();
    let data = cli.path("data");
    for arguments in [
        &["seed-demo"][..],
        &["invite-admin", "--email", "ada@guard.example"],
        &["export-quotes", "--out", "data/quotes.csv"],
    ] {
        let output = run_with_open_umask(&cli, arguments);
        assert!(output.success, "{arguments:?}: {}", output.stderr);
    }
    let files = walk(&data);
    assert!(files.len() >= 3, "{files:?}");
    for path in files {
        assert_eq!(mode_of(&path), 0o600, "{}", path.display());
    }
}

#[tokio::test]
async fn the_server_writes_private_files() {
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
    let data = cli.path("data");
    for path in walk(&data).into_iter().chain([data]) {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode_of(&path), expected, "{}", path.display());
    }
}

#[test]
fn a_private_file_is_one_that_only_its_owner_can_open() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("the key");
    fs::write(&file, "secret").unwrap();
    for (mode, private) in [
        (0o600, true),
        (0o400, true),
        (0o700, true),
        (0o640, false),
        (0o604, false),
        (0o620, false),
        (0o601, false),
    ] {
        set_mode(&file, mode);
        let found = require_private(&file);
        assert_eq!(found.is_ok(), private, "{mode:o}");
        if let Err(error) = found {
            let command = format!("run: chmod 600 '{}'", file.display());
            assert!(error.to_string().ends_with(&command), "{error}");
        }
    }
    set_mode(folder.path(), 0o750);
    let error = require_private(folder.path()).unwrap_err().to_string();
    assert!(error.contains("(mode 750); run: chmod 700 /"), "{error}");
}

#[test]
fn an_exposed_key_file_stops_the_start_with_the_command_that_fixes_it() {
    let cli = Cli::new();
    ServerProcess::start(&cli, &[]).stop("-TERM");
    for name in ["auth-keys.json", "address.key"] {
        let key = cli.path("data").join(name);
        set_mode(&key, 0o640);
        let error = cli.run_err(&["serve", "--listen", "127.0.0.1:0"]);
        let command = format!("run: chmod 600 data/{name}\n");
        assert!(error.ends_with(&command), "{error}");
        let check = cli.run(&["check"]);
        assert!(
            !check.success && check.stdout.contains(&command),
            "{}",
            check.stdout
        );
        set_mode(&key, 0o600);
    }
}

#[test]
fn an_exposed_tls_key_stops_the_start_and_the_check() {
    let cli = Cli::new();
    let certificate = rcgen::generate_simple_self_signed(vec!["guard.test".to_owned()]).unwrap();
    fs::write(cli.path("cert.pem"), certificate.cert.pem()).unwrap();
    fs::write(cli.path("key.pem"), certificate.signing_key.serialize_pem()).unwrap();
    ServerProcess::start(&cli, &[]).stop("-TERM");
    let settings = "[server]\ntls_cert = \"cert.pem\"\ntls_key = \"key.pem\"\n";
    fs::write(cli.path("config.toml"), settings).unwrap();
    set_mode(&cli.path("key.pem"), 0o644);
    let (check, serve) = (cli.run(&["check"]), ["serve", "--listen", "127.0.0.1:0"]);
    assert!(!check.success, "{}", check.stdout);
    for text in [check.stdout, cli.run_err(&serve)] {
        assert!(text.contains("server.tls_key"), "{text}");
        assert!(text.ends_with("run: chmod 600 key.pem\n"), "{text}");
    }
    set_mode(&cli.path("key.pem"), 0o600);
    cli.run_ok(&["check"]);
}
