//! `data.replicated`: the log of the database belongs to Litestream. `just test-replication` runs
//! the real one.

use std::fs::{self, File};

use rusqlite::Connection;
use serde_json::json;

use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::visitors::quote;

const LOG: &str = "data/guardpost.db-wal";

/// Starts a server, posts a quote and stops it; returns its id.
async fn serve_one(cli: &Cli, place: &str) -> String {
    let server = ServerProcess::start(cli, &["--hold-mail"]);
    let answer = reqwest::Client::new()
        .post(format!("{}/api/quotes", server.origin()))
        .json(&quote(json!({"location": place})))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 201);
    let receipt: serde_json::Value = answer.json().await.unwrap();
    let (good, log) = server.stop("-TERM");
    assert!(good, "{log}");
    receipt["id"].as_str().unwrap().to_owned()
}

fn ids(cli: &Cli) -> String {
    cli.run_ok(&["export-quotes", "--format", "json"])
}

#[tokio::test]
async fn with_litestream_the_log_of_the_database_is_left_to_it() {
    let cli = Cli::new();
    serve_one(&cli, "Houston, lot 1").await;
    assert!(
        !cli.path(LOG).exists(),
        "the server has emptied its own log"
    );
    let database = || fs::read(cli.path("data/guardpost.db")).unwrap();
    let before = database();

    let settings = "[data]\nreplicated = true\n";
    fs::write(cli.path("config.toml"), settings).unwrap();
    let first = serve_one(&cli, "Houston, lot 2").await;
    let second = serve_one(&cli, "Houston, lot 3").await;
    assert!(ids(&cli).contains(&first) && ids(&cli).contains(&second));
    assert!(before == database(), "nothing but Litestream writes to it");
    assert!(cli.path(LOG).metadata().unwrap().len() > 0);

    // What Litestream adds to the database is not exported as ours.
    let conn = Connection::open_with_flags(cli.path("data/guardpost.db"), Default::default());
    let table = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)";
    conn.unwrap().execute_batch(table).unwrap();
    let all = cli.run_ok(&["export", "--all", "--out", "all.jsonl"]);
    let lines = fs::read_to_string(cli.path("all.jsonl")).unwrap();
    assert!(
        !lines.contains("_litestream") && lines.contains(&first),
        "{all}"
    );
}

#[test]
fn check_names_a_log_that_litestream_does_not_empty() {
    let cli = Cli::new();
    fs::create_dir(cli.path("data")).unwrap();
    let log = File::create(cli.path(LOG)).unwrap();
    log.set_len(300 << 20).unwrap();
    let named = |replicated: bool| {
        let settings = format!("[data]\nreplicated = {replicated}\n");
        fs::write(cli.path("config.toml"), settings).unwrap();
        cli.run(&["check"])
            .stdout
            .contains("is it running? (data.replicated)")
    };
    assert!(named(true) && !named(false));
}
