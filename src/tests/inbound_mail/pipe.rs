//! `guardpost receive`: exit codes, with a server and without, and a process that is killed.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use store::Store;
use tokio::time::timeout;

use super::desk::Desk;
use crate::server::tls::free_address;
use crate::support::cli_process::{Cli, ServerProcess};

const PROGRAM: &str = env!("CARGO_BIN_EXE_guardpost");

/// Runs the command on an email, which the server then takes in; the exit code and what it said.
pub(super) async fn receive(
    desk: &Desk,
    email: &[u8],
    arguments: &[&str],
) -> (Option<i32>, String) {
    let ended = run(command(desk, arguments), email);
    desk.app.inbound.take_in_pending().await;
    ended
}

/// Runs a command on an email; the exit code and what it said.
fn run(mut command: Command, email: &[u8]) -> (Option<i32>, String) {
    let mut child = command.spawn().unwrap();
    // A command that refuses its settings may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(email);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

fn command(desk: &Desk, arguments: &[&str]) -> Command {
    command_on(desk.app.folder.path(), arguments)
}

/// The command on a data folder.
fn command_on(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .arg("receive")
        .args(arguments)
        .arg("--data")
        .arg(data)
        .current_dir(data)
        .env(
            "GUARDPOST_MAIL__INBOUND__ADDRESS",
            "office@guardpost.example",
        )
        .env("GUARDPOST_MAIL__INBOUND__AUTHSERV_ID", super::desk::SERVER)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

#[tokio::test]
async fn an_email_on_standard_input_is_stored_when_the_command_ends_and_then_in_the_request() {
    let desk = Desk::start().await;
    let email = desk.answer(1, "by the pipe");
    assert_eq!(receive(&desk, email.as_bytes(), &[]).await.0, Some(0));
    let again = receive(&desk, email.as_bytes(), &[]).await;
    assert_eq!(again, (Some(0), String::new()), "twice, and silently");
    let wrote = desk.events("wrote").await;
    assert_eq!(wrote.len(), 1);
    assert_eq!(wrote[0]["detail"]["text"], "by the pipe");
    let hidden = desk.stray(&desk.answer(2, "bcc"));
    let signed = desk.facts.signed.clone();
    assert_eq!(
        receive(&desk, hidden.as_bytes(), &["--recipient", &signed])
            .await
            .0,
        Some(0)
    );
    assert_eq!(desk.events("wrote").await.len(), 2);
}

#[tokio::test]
async fn an_email_that_comes_while_no_server_runs_is_in_the_request_after_the_next_start() {
    let desk = Desk::start().await;
    let email = desk.answer(1, "at night");
    let folder = desk.app.folder.clone();
    desk.app.store.close().await;
    drop(desk);
    let (code, said) = run(command_on(folder.path(), &[]), email.as_bytes());
    assert_eq!(code, Some(0), "{said}");
    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(folder.path(), private).unwrap();
    let cli = Cli::new();
    let settings = format!(
        "[data]\ndir = {:?}\n[mail.inbound]\naddress = \"{}\"\n",
        folder.path(),
        "office@guardpost.example"
    );
    fs::write(cli.path("config.toml"), settings).unwrap();
    let server = ServerProcess::run(cli.command(&["serve", "--listen", &free_address()]));
    let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
    let is_unread = async || {
        let read = |conn: &rusqlite::Connection| {
            let unread = "SELECT count(*) FROM requests WHERE unread = 1";
            Ok(conn.query_row(unread, [], |row| row.get::<_, i64>(0))?)
        };
        store.read(read).await.unwrap() == 1
    };
    timeout(Duration::from_secs(20), async {
        while !is_unread().await {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();
    server.kill();
}

#[tokio::test]
async fn the_exit_code_says_whether_the_mail_server_tries_again() {
    let desk = Desk::start().await;
    let (code, said) = receive(&desk, b"", &[]).await;
    assert_eq!(code, Some(65), "{said}");
    let large = [
        b"From: a@b.example\n\n".to_vec(),
        vec![b'x'; 40 * 1024 * 1024],
    ]
    .concat();
    let (code, said) = receive(&desk, &large, &[]).await;
    assert_eq!(code, Some(65), "{said}");
    assert!(said.contains("at most 30 MB"), "{said}");
    let missing = desk.app.folder.path().join("none.toml");
    let (code, said) = receive(
        &desk,
        b"From: a@b.example\n\nx",
        &["--config", missing.to_str().unwrap()],
    )
    .await;
    assert_eq!(code, Some(75), "{said}");
    let mut elsewhere = command(&desk, &[]);
    let folder = tempfile::tempdir().unwrap();
    let output = elsewhere.arg("--data").arg(folder.path()).output();
    // The last --data counts, or the command refuses two of them: it never loses the email.
    assert_ne!(output.unwrap().status.code(), Some(0));
    assert_eq!(desk.app.rows("received_emails").await, 0);
}

#[tokio::test]
async fn a_full_disk_asks_the_mail_server_to_try_again() {
    let desk = Desk::start().await;
    let email = desk.answer(1, "x");
    let mut full = command(&desk, &[]);
    full.env("GUARDPOST_FILES__RESERVE_MB", "1000000000");
    let (code, said) = run(full, email.as_bytes());
    assert_eq!(code, Some(75), "{said}");
    assert!(said.contains("full"), "{said}");
    assert_eq!(receive(&desk, email.as_bytes(), &[]).await.0, Some(0));
    assert_eq!(desk.events("wrote").await.len(), 1);
}

#[tokio::test]
async fn a_process_that_is_killed_leaves_each_email_once() {
    let desk = Desk::start().await;
    for round in 0..50_u64 {
        let number = u32::try_from(round).unwrap();
        let email = desk.answer(number, &format!("round {round}"));
        let mut child = command(&desk, &[]).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(email.as_bytes());
        std::thread::sleep(std::time::Duration::from_millis(round * 3));
        child.kill().unwrap();
        let killed = child.wait().unwrap();
        // The mail server tries again what was not acknowledged, and sometimes what was.
        if !killed.success() || round % 2 == 0 {
            desk.receive(&email).await;
        }
    }
    desk.app.inbound.take_in_pending().await;
    assert_eq!(desk.app.rows("received_emails").await, 50);
    assert_eq!(desk.events("wrote").await.len(), 50);
    assert_eq!(
        desk.app
            .rows("received_emails WHERE state <> 'attached'")
            .await,
        0
    );
}
