//! A server that is killed again and again while it reads the mailbox of customers' emails.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use config::{Auth, Inbound, Secret};
use guardpost::app;
use tokio::time::{sleep, timeout};

use super::desk::{Desk, inbound};
use crate::server::tls::free_address;
use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::imap::ImapServer;
use crate::support::tls::issued_by_authority;

/// How long a server may take until it has given a command.
const BOUND: Duration = Duration::from_secs(20);

/// The points of a kill: as soon as the mailbox has this command, or so many milliseconds later,
/// when the server stores, takes in or moves the email.
const POINTS: [(&str, u64); 10] = [
    ("LOGIN", 0),
    ("SELECT", 0),
    ("UID SEARCH", 0),
    ("RFC822.SIZE", 0),
    ("BODY.PEEK", 0),
    ("BODY.PEEK", 2),
    ("BODY.PEEK", 5),
    ("BODY.PEEK", 10),
    ("UID MOVE", 0),
    ("IDLE", 0),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_while_it_reads_the_mailbox_stores_each_email_once() {
    kill_while_reading(10).await;
}

async fn kill_while_reading(kills: u32) {
    let folder = tempfile::tempdir().unwrap();
    let authority = folder.path().join("authority.pem");
    let mailbox = ImapServer::start(issued_by_authority(&authority)).await;
    let mut desk = Desk::with(|config| {
        inbound(config);
        config.auth = Auth::default();
        config.server.base_url = "http://guard.example".to_owned();
        config.mail.inbound = Inbound {
            host: mailbox.address.ip().to_string(),
            port: mailbox.address.port(),
            user: "office".to_owned(),
            password: Secret::new("secret"),
            ca_file: authority.to_str().unwrap().to_owned(),
            done_folder: "Done".to_owned(),
            ..config.mail.inbound.clone()
        };
    })
    .await;
    desk.app.advance_to_now();
    desk.sign_in().await;
    let cli = Cli::new();
    let settings = desk.app.config.without_secrets().unwrap();
    fs::write(cli.path("config.toml"), settings).unwrap();
    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(desk.app.folder.path(), private).unwrap();
    for (n, (command, pause)) in (0..kills).zip(POINTS.into_iter().cycle()) {
        let (seen, text) = (
            mailbox.read(|it| it.commands.len()),
            format!("letter {n:02}"),
        );
        mailbox.deliver(desk.answer(n, &text).replace('\n', "\r\n"));
        let mut process = cli.command(&["serve", "--listen", &free_address()]);
        process.env("GUARDPOST_MAIL__INBOUND__PASSWORD", "secret");
        let server = ServerProcess::run(process);
        let point = mailbox.wait_for_next(seen, command);
        timeout(BOUND, point).await.unwrap();
        // Later in each round of the points.
        sleep(Duration::from_millis(pause + pause * u64::from(n / 10))).await;
        server.kill();
    }
    let reader = app::workers::mailbox_reader(&desk.app.config, &desk.app.inbound);
    reader.unwrap().unwrap().connect_and_read().await.unwrap();
    desk.app.inbound.take_in_pending().await;
    let is_attached = "received_emails WHERE state = 'attached'";
    for rows in ["received_emails", is_attached] {
        assert_eq!(desk.app.rows(rows).await, i64::from(kills), "{rows}");
    }
    let wrote = desk.events("wrote").await;
    let mut texts: Vec<&str> = wrote
        .iter()
        .map(|event| event["detail"]["text"].as_str().unwrap())
        .collect();
    texts.sort_unstable();
    let expected: Vec<String> = (0..kills).map(|n| format!("letter {n:02}")).collect();
    assert_eq!(texts, expected);
    let moved = mailbox.read(|it| (it.inbox.len(), it.moved.len()));
    assert_eq!(moved, (0, expected.len()), "all are moved");
}
