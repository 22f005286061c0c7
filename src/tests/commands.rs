//! Operators at the command line.

use std::fs;
use std::sync::Arc;

use guardpost::outbox::mailer::Folder;
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::cli_process::Cli;
use crate::visitors::quote;

#[test]
fn every_command_explains_itself_with_an_example() {
    let cli = Cli::new();
    let help = cli.run_ok(&["--help"]);
    let commands = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help");
    let mut known = 0;
    for name in commands {
        let help = cli.run_ok(&[name, "--help"]);
        assert!(help.contains("Example"), "{name}: {help}");
        known += 1;
    }
    assert!(known >= 7, "{help}");
}

#[tokio::test]
async fn operators_see_the_letters_that_have_not_left_and_have_them_tried_again() {
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
    assert!(
        cli.run_err(&["outbox", "retry", id])
            .contains("left already")
    );
    assert!(
        cli.run_err(&["outbox", "retry", "nothing"])
            .contains("no letter")
    );
    assert!(cli.run_err(&["outbox", "retry"]).contains("<ID|--all>"));
    assert_eq!(
        cli.run_ok(&["outbox", "retry", "--all"]),
        "0 letters are due now\n"
    );
}

#[test]
fn samples_fill_an_empty_database_once_and_are_refused_beside_real_quotes() {
    let cli = Cli::new();
    assert_eq!(cli.run_ok(&["seed-demo"]), "40 sample quotes in data\n");
    cli.run_ok(&["seed-demo"]);
    let rows: Value =
        serde_json::from_str(&cli.run_ok(&["export-quotes", "--format", "json"])).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 40);
}

#[test]
fn samples_that_replace_samples_are_found_by_their_words() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    cli.run_ok(&["seed-demo"]);
    let conn = database(&cli.path("data/guardpost.db"));
    let count = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM quotes"), 40);
    let found = "SELECT count(*) FROM quote_words JOIN quotes ON quotes.seq = quote_words.rowid
                 WHERE quote_words MATCH 'example'";
    assert_eq!(count(found), 40, "every sample's address ends in .example");
}

/// The database, as an operator would open it beside the program.
#[expect(clippy::disallowed_methods, reason = "looks at the file from outside")]
fn database(file: &std::path::Path) -> rusqlite::Connection {
    rusqlite::Connection::open(file).unwrap()
}

#[tokio::test]
async fn samples_are_refused_beside_real_quotes() {
    let app = TestApp::start().await;
    app.ask("198.51.100.1", None, &quote(json!({}))).await;
    let cli = Cli::on_data_of(&app);
    assert!(cli.run_err(&["seed-demo"]).contains("real quotes"));
    assert_eq!(app.rows("quotes").await, 1);
}

#[test]
fn a_command_about_quotes_does_not_make_a_database_where_there_is_none() {
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
fn check_warns_of_what_is_left_as_shipped_and_fails_on_what_is_wrong() {
    let cli = Cli::new();
    let said = cli.run_ok(&["check"]);
    for warned in [
        "company.phone",
        "company.email",
        "mail.smtp_host",
        "server.base_url",
        "seeds/site/clients.json",
    ] {
        assert!(
            said.contains(&format!("warning: {warned}")),
            "{warned}: {said}"
        );
    }
    assert!(cli.run_err(&["check", "--strict"]).contains("--strict"));
    fs::write(
        cli.path("config.toml"),
        "[company]\nphone = \"(713) 867-5309\"\n",
    )
    .unwrap();
    assert!(!cli.run_ok(&["check"]).contains("company.phone"));
    fs::write(cli.path("config.toml"), "[company]\nfone = \"1\"\n").unwrap();
    assert!(cli.run_err(&["check"]).contains("fone"));
    fs::write(
        cli.path("config.toml"),
        "[server]\ntls_cert = \"absent.pem\"\ntls_key = \"absent.key\"\n",
    )
    .unwrap();
    let said = cli.run_err(&["check"]);
    assert!(
        said.contains("server.tls_cert") && said.contains("absent.pem"),
        "{said}"
    );
    fs::write(
        cli.path("config.toml"),
        "[server]\nredirects = { \"/quote\" = \"/contact\" }\n",
    )
    .unwrap();
    assert!(cli.run_err(&["check"]).contains("/quote is a page"));
    assert!(!cli.path("data").exists(), "check writes nothing");
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
