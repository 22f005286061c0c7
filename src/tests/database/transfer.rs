//! Export of everything as JSON lines, and its import into an empty folder.

use std::fs;

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

fn rows(cli: &Cli, file: &str) -> Vec<String> {
    let text = fs::read_to_string(cli.path(file)).unwrap();
    let mut rows: Vec<_> = text.lines().skip(1).map(str::to_owned).collect();
    let end = rows.pop().unwrap();
    assert!(end.starts_with("{\"end\":{\"rows\":{"), "{end}");
    rows.sort();
    rows
}

#[tokio::test]
async fn everything_that_is_exported_and_imported_is_exported_again() {
    let app = TestApp::start().await;
    app.admin().await;
    for n in 0..20 {
        app.stored(json!({"location": format!("Lot {n} “≠”"), "description": null}))
            .await;
    }
    app.sql("UPDATE users SET display_name = 'Ann Lee', signature = 'Ann'")
        .await;
    app.sql(
        "INSERT INTO reply_templates SELECT '1', id, 'Visit', '', 'Hello {{sender}}', 1, '', ''
         FROM users",
    )
    .await;
    // An email that waits for a week would be a fault of `check`.
    app.sql("UPDATE outbox SET state = 'sent'").await;
    let cli = Cli::on_data_of(&app);
    cli.run_ok(&["export", "--all", "--out", "one.jsonl"]);
    assert!(
        cli.run_err(&["export", "--all", "--out", "one.jsonl"])
            .contains("exists already")
    );
    assert!(cli.run_err(&["import", "one.jsonl"]).contains("not empty"));
    let imported = cli.run_ok(&["import", "one.jsonl", "--data", "new"]);
    let exported = rows(&cli, "one.jsonl");
    assert_eq!(imported, format!("{} rows in new\n", exported.len()));
    cli.run_ok(&["export", "--all", "--out", "two.jsonl", "--data", "new"]);
    assert_eq!(rows(&cli, "two.jsonl"), exported);
    assert!(exported.iter().any(|row| row.contains("Lot 7 “≠”")));
    for kept in ["Hello {{sender}}", "\"display_name\":\"Ann Lee\""] {
        assert!(exported.iter().any(|row| row.contains(kept)), "{kept}");
    }
    assert!(!exported.iter().any(|row| row.contains("\"sessions\"")));
    let missing = cli.run(&["check", "--data", "new"]).stdout;
    assert!(missing.contains("auth-keys.json is missing"), "{missing}");
    for name in ["auth-keys.json", "address.key"] {
        fs::copy(app.folder.path().join(name), cli.path("new").join(name)).unwrap();
    }
    assert!(cli.run_ok(&["check", "--data", "new"]).contains("valid"));
}

#[test]
fn an_export_that_is_cut_changed_or_of_another_version_is_refused_whole() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    cli.run_ok(&["export", "--all", "--out", "all.jsonl"]);
    let text = fs::read_to_string(cli.path("all.jsonl")).unwrap();
    let schema = format!("\"schema\":{}", store::database::schema::VERSION);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let last = lines.len() - 1;
    for (changed, reason) in [
        (
            text.replacen(&schema, "\"schema\":1", 1),
            "line 1: the export was made by",
        ),
        (text[..text.len() - 4].to_owned(), "it is not JSON"),
        (
            text.replacen("\"table\":\"requests\"", "\"table\":\"sqlite_schema\"", 1),
            "no table `sqlite_schema`",
        ),
        (text.replacen("\"location\"", "\"place\"", 1), "place"),
        (String::new(), "the export is cut"),
        (lines[..last].concat(), "the export is cut"),
        (lines[..last / 2].concat(), "the export is cut"),
        (
            [&lines[..2], &lines[3..]].concat().concat(),
            "rows are there, and the sums differ",
        ),
        (
            [&lines[..2], &[lines[2], lines[2]], &lines[3..]]
                .concat()
                .concat(),
            "line 4: ",
        ),
        (text.replacen("Houston", "Dallas ", 1), "the sums differ"),
        (text.clone() + lines[2], "it follows the end of the export"),
    ] {
        assert_ne!(changed, text, "{reason}");
        fs::write(cli.path("changed.jsonl"), changed).unwrap();
        let error = cli.run_err(&["import", "changed.jsonl", "--data", "new"]);
        assert!(error.contains(reason), "{reason}: {error}");
        let quotes = cli.run_ok(&["export-quotes", "--format", "jsonl", "--data", "new"]);
        assert_eq!(quotes, "", "{reason}");
    }
}
