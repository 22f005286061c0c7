//! The commands: help, outbox, samples, checks and generated descriptions.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::sync::Arc;

use outbox::mailer::Folder;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::visitors::quote;

#[test]
fn every_command_has_help_with_an_example() {
    let cli = Cli::new();
    let help = cli.run_ok(&["--help"]);
    let lines = help.lines().take_while(|line| *line != "Options:");
    let commands = lines
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next());
    let mut count = 0;
    for name in commands {
        let help = cli.run_ok(&[name, "--help"]);
        assert!(help.contains("Example"), "{name}: {help}");
        count += 1;
    }
    assert!(count > 30, "{help}");
    let first: Vec<_> = help
        .lines()
        .skip_while(|line| *line != "The first day:")
        .take(7)
        .collect();
    assert!(
        first[1].starts_with("  serve ") && first[6].starts_with("  backup "),
        "{help}"
    );
}

#[tokio::test]
async fn outbox_lists_undelivered_emails_and_retries_them() {
    let app = TestApp::with(|config| config.mail.give_up_hours = 1).await;
    app.ask("198.51.100.1", None, &quote(json!({}))).await;
    let cli = Cli::on_data_of(&app);
    assert!(
        cli.run_ok(&["outbox", "list"])
            .contains("1 waiting, 0 failed")
    );

    let folder = app.folder.path().join("mail");
    let delivery_worker = app.delivery_worker(Arc::new(Folder::open(&folder).unwrap()));
    fs::remove_dir(&folder).unwrap();
    for _ in 0..8 {
        delivery_worker.deliver_due().await.unwrap();
        app.clock.advance(2 * 60 * 60 * 1000);
    }
    let list = cli.run_ok(&["outbox", "list"]);
    assert!(list.contains("quote    failed  8 tries"), "{list}");
    assert!(list.contains("0 waiting, 1 failed"), "{list}");

    let id = list.split_whitespace().next().unwrap();
    assert_eq!(
        cli.run_ok(&["outbox", "retry", id]),
        format!("{id} is due now\n")
    );
    app.clock.advance(365 * 24 * 60 * 60 * 1000);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
    assert!(cli.run_err(&["outbox", "retry", id]).contains("already"));
    assert!(
        cli.run_err(&["outbox", "retry", "nothing"])
            .contains("no email")
    );
    assert!(cli.run_err(&["outbox", "retry"]).contains("<ID|--all>"));
    assert_eq!(
        cli.run_ok(&["outbox", "retry", "--all"]),
        "0 emails are due now\n"
    );
}

#[test]
fn seed_demo_replaces_earlier_samples_and_their_words_in_the_search() {
    let cli = Cli::new();
    assert_eq!(
        cli.run_ok(&["seed-demo"]),
        "40 sample quotes and 16 sample messages in data\n"
    );
    cli.run_ok(&["seed-demo"]);
    let rows: Value =
        serde_json::from_str(&cli.run_ok(&["export-quotes", "--format", "json"])).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 40);
    let conn = database(&cli.path("data/guardpost.db"));
    let count = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(
        count("SELECT count(*) FROM requests WHERE kind = 'message'"),
        16
    );
    let held = "SELECT count(*) FROM requests WHERE json_array_length(held) >= 2";
    assert_eq!(count(held), 4, "held, with their reasons");
    assert_eq!(count("SELECT count(*) FROM events WHERE verb = 'held'"), 4);
    assert_eq!(count("SELECT count(*) FROM outbox"), 0);
    // The address of each sample ends in `.example`.
    let found = "SELECT count(*) FROM request_words JOIN requests
          ON requests.seq = request_words.rowid
        WHERE kind = 'quote' AND request_words MATCH 'example'";
    assert_eq!(count(found), 40, "the search index has the new ones only");
}

/// Opens the database in a second process, like the sqlite3 shell.
#[expect(clippy::disallowed_methods, reason = "looks at the file from outside")]
fn database(file: &std::path::Path) -> rusqlite::Connection {
    rusqlite::Connection::open(file).unwrap()
}

#[tokio::test]
async fn seed_demo_fails_on_a_database_with_real_quotes() {
    let app = TestApp::start().await;
    app.ask("198.51.100.1", None, &quote(json!({}))).await;
    let cli = Cli::on_data_of(&app);
    assert!(cli.run_err(&["seed-demo"]).contains("real requests"));
    assert_eq!(app.rows("quotes").await, 1);
}

#[tokio::test]
async fn samples_are_taken_out_without_the_requests_that_came_in_since() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    let server = ServerProcess::start(&cli, &[]);
    let (http, url) = (reqwest::Client::new(), server.origin() + "/api/quotes");
    let posted = http.post(url).json(&quote(json!({}))).send().await.unwrap();
    assert_eq!(posted.status(), reqwest::StatusCode::CREATED);
    assert_eq!(
        cli.run_ok(&["seed-demo", "--remove"]),
        "56 samples removed\n"
    );
    drop(server);
    let left = cli.run_ok(&["export-quotes", "--format", "jsonl"]);
    assert_eq!(left.lines().count(), 1, "{left}");
    let conn = database(&cli.path("data/guardpost.db"));
    let count = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let of_none = "(SELECT seq FROM requests)";
    assert_eq!(
        count(&format!(
            "SELECT count(*) FROM events WHERE seq NOT IN {of_none}"
        )),
        0
    );
    assert_eq!(count("SELECT count(*) FROM requests"), 1);
}

#[test]
fn samples_are_written_into_the_folder_of_a_public_site_only_after_a_yes() {
    let cli = Cli::new();
    let public = "[server]\nbase_url = \"https://www.guard.test\"\n";
    fs::write(cli.path("config.toml"), public).unwrap();
    assert!(
        cli.run_err(&["seed-demo"])
            .contains("--yes writes samples into data")
    );
    assert!(!cli.path("data").exists());
    cli.run_ok(&["seed-demo", "--yes"]);
}

#[test]
fn commands_that_need_data_do_not_create_a_database() {
    let cli = Cli::new();
    assert!(
        cli.run_err(&["export-quotes"])
            .contains("there is no database")
    );
    assert!(
        cli.run_err(&["outbox", "list"])
            .contains("there is no database")
    );
    assert!(!cli.path("data").exists());
}

#[test]
fn check_warns_about_samples_and_fails_on_invalid_settings() {
    let cli = Cli::new();
    fs::DirBuilder::new()
        .mode(0o700)
        .create(cli.path("data"))
        .unwrap();
    let brief = cli.run_ok(&["check"]);
    assert!(brief.lines().count() <= 5, "{brief}");
    assert!(
        brief.contains("warning: 14 facts of the site are still to be entered"),
        "{brief}"
    );
    let output = cli.run_ok(&["check", "--all"]);
    for setting in [
        "company.phone",
        "company.email",
        "mail.smtp_host",
        "server.base_url",
        "clients: ",
    ] {
        assert!(
            output.contains(&format!("warning: {setting}")),
            "{setting}: {output}"
        );
    }
    assert!(cli.run_err(&["check", "--strict"]).contains("--strict"));
    fs::write(
        cli.path("config.toml"),
        "[company]\nphone = \"(713) 867-5309\"\n",
    )
    .unwrap();
    assert!(!cli.run_ok(&["check", "--all"]).contains("company.phone"));
    fs::write(cli.path("config.toml"), "[company]\nregion = \"Texas\"\n").unwrap();
    let region = cli.run(&["check"]);
    assert!(
        !region.success
            && region
                .stdout
                .contains("`Texas` is no state; write its code")
    );
    fs::write(cli.path("config.toml"), "[company]\nfone = \"1\"\n").unwrap();
    let fault = || {
        let output = cli.run(&["check"]);
        assert!(!output.success);
        assert_eq!(
            output.stderr, "guardpost: 1 fault\n",
            "each fault is printed once"
        );
        output.stdout
    };
    assert!(fault().contains("fone"));
    fs::write(
        cli.path("config.toml"),
        "[server]\ntls_cert = \"absent.pem\"\ntls_key = \"absent.key\"\n",
    )
    .unwrap();
    let error = fault();
    assert!(
        error.contains("server.tls_cert") && error.contains("absent.pem"),
        "{error}"
    );
    fs::write(
        cli.path("config.toml"),
        "[server]\nredirects = { \"/quote\" = \"/contact\" }\n",
    )
    .unwrap();
    assert!(fault().contains("/quote is a page"));
    let mut files = fs::read_dir(cli.path("data")).unwrap();
    assert!(files.next().is_none(), "check writes nothing");
}

#[test]
fn status_says_on_one_screen_whether_the_server_runs_and_how_mail_and_backups_are() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    let stopped = cli.run(&["status"]);
    assert!(!stopped.success && stopped.stdout.contains("server   does not run\n"));
    let online = cli.run(&["check", "--online"]).stdout;
    assert!(online.contains("fault: no server runs on data"), "{online}");
    let server = ServerProcess::start(&cli, &[]);
    let status: Value = serde_json::from_str(&cli.run_ok(&["status", "--json"])).unwrap();
    let text = |key: &str| status[key].as_str().unwrap().to_owned();
    let process = format!("process {} for 0 minutes", server.pid());
    assert!(text("server").starts_with(&process), "{status}");
    assert!(
        text("mail").ends_with("0 due, 0 late, 0 given up"),
        "{status}"
    );
    assert_eq!(
        (text("mailbox"), text("backup")),
        ("none is read".into(), "none yet".into())
    );
    assert!(
        cli.run_ok(&["--version"]).contains(&text("version")),
        "{status}"
    );
}

#[test]
fn the_api_description_and_completions_are_printed() {
    let cli = Cli::new();
    let description: Value = serde_json::from_str(&cli.run_ok(&["openapi"])).unwrap();
    assert!(description["paths"]["/api/quotes"]["post"].is_object());
    assert!(
        cli.run_ok(&["completions", "bash"])
            .contains("export-quotes")
    );
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let cli = Cli::new();
    cli.run_ok(&["man", "--out", "man1"]);
    let page = fs::read_to_string(cli.path("man1/guardpost-backup.1")).unwrap();
    assert!(page.contains(".TH") && page.contains("key"), "{page}");
    assert!(cli.path("man1/guardpost.1").exists());
    assert!(cli.path("man1/guardpost-outbox-release.1").exists());
}
