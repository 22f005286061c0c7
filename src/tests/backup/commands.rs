//! The commands that make, list, verify and restore backups, and a server that holds its emails.

use std::fs;

use reqwest::StatusCode;
use serde_json::{Value, json};
use store::database::maintenance::Job;

use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::visitors::quote;

#[tokio::test]
async fn backups_are_made_listed_verified_and_restored_by_command() {
    let app = TestApp::start().await;
    app.ask("198.51.100.1", None, &quote(json!({}))).await;
    let cli = Cli::on_data_of(&app);
    assert!(cli.run_err(&["backup"]).contains("backup.to"));
    cli.run_ok(&["backup-key", "backup.key"]);
    assert!(
        cli.run_err(&["backup-key", "backup.key"])
            .contains("cannot create")
    );
    let sealed = ["--key-file", "backup.key"];
    cli.run_ok(&[&["backup", "--to", "all"], &sealed[..]].concat());
    let line: Value =
        serde_json::from_str(&cli.run_ok(&["list-backups", "all", "--json"])).unwrap();
    assert_eq!(
        (&line["sealed"], &line["counts"]["quotes"]),
        (&json!(true), &json!(1))
    );
    assert!(cli.run_ok(&["list-backups", "all"]).contains("1 quotes"));
    let intact = cli.run_ok(&[&["verify-backup", "all"], &sealed[..]].concat());
    assert!(intact.contains("all intact"), "{intact}");
    let restored = cli.run_ok(&[&["restore", "all", "--to", "new"], &sealed[..]].concat());
    assert!(restored.contains("1 email held"), "{restored}");
    assert!(
        cli.run_err(&[&["restore", "all", "--to", "new"], &sealed[..]].concat())
            .contains("in use")
    );
    let check = cli.run_ok(&["check", "--data", "new", "--config", "new/settings.toml"]);
    assert!(check.contains("1 email held since a restore"), "{check}");
    let quotes = cli.run_ok(&["export-quotes", "--format", "jsonl", "--data", "new"]);
    assert_eq!(quotes.lines().count(), 1);
    let places = app.store.backup_places().await.unwrap();
    assert_eq!(places[0].sequence, 1);
    assert!(places[0].backup.contains("guardpost-2"), "{places:?}");
    assert!(app.store.last_run(Job::Backup).await.unwrap().is_none());
}

#[tokio::test]
async fn a_server_that_holds_mail_sends_none_until_it_starts_without() {
    use crate::support::cli_process::ServerProcess;
    let cli = Cli::new();
    let server = ServerProcess::start(&cli, &["--hold-mail"]);
    let http = reqwest::Client::new();
    let (origin, lead) = (server.origin(), quote(json!({})));
    let asked = crate::support::visitors::ask(&http, &origin, "198.51.100.1", None, &lead);
    assert_eq!(asked.await.unwrap().status(), StatusCode::CREATED);
    let (ok, log) = server.stop("-TERM");
    assert!(ok && log.contains("emails are held"), "{log}");
    assert!(
        cli.run_ok(&["outbox", "list"])
            .contains("1 waiting, 0 failed")
    );
    let server = ServerProcess::start(&cli, &[]);
    while !cli.run_ok(&["outbox", "list"]).contains("0 waiting") {
        tokio::task::yield_now().await;
    }
    server.stop("-TERM");
    // The office's notice and the visitor's acknowledgement.
    assert_eq!(fs::read_dir(cli.path("data/mail")).unwrap().count(), 2);
}
