//! `export-quotes`: formats, filters, escaping and output files.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::visitors::quote;

#[tokio::test]
async fn each_export_format_contains_the_submitted_fields() {
    let app = TestApp::start().await;
    app.ask(
        "198.51.100.1",
        None,
        &quote(json!({"company": null, "description": "Two gates, A and B\nand a dock"})),
    )
    .await;
    app.clock.advance(24 * 60 * 60 * 1000);
    app.ask(
        "198.51.100.1",
        None,
        &quote(json!({"first_name": "Émile", "emergency_contact": false})),
    )
    .await;
    let cli = Cli::on_data_of(&app);

    let mut table = csv::Reader::from_reader(std::io::Cursor::new(cli.run_ok(&["export-quotes"])));
    let header: Vec<String> = table.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(
        header[..5],
        ["id", "created_at", "first_name", "last_name", "email"]
    );
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(&rows[0][6], "", "no company is an empty cell");
    assert_eq!(&rows[0][11], "Two gates, A and B\nand a dock");
    assert_eq!((&rows[0][13], &rows[1][13]), ("true", "false"));

    let array: Value =
        serde_json::from_str(&cli.run_ok(&["export-quotes", "--format", "json"])).unwrap();
    assert_eq!(array[0]["company"], Value::Null);
    assert_eq!(array[0]["emergency_contact"], true);
    assert_eq!(array[1]["first_name"], "Émile");

    let lines = cli.run_ok(&["export-quotes", "--format", "jsonl", "--from", "2026-11-22"]);
    assert_eq!(lines.lines().count(), 1);
    let line: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!(line["first_name"], "Émile");
}

#[tokio::test]
async fn exports_are_filtered_by_status_and_time() {
    let app = TestApp::start().await;
    app.ask("198.51.100.1", None, &quote(json!({}))).await;
    let cli = Cli::on_data_of(&app);
    let count = |arguments: &[&str]| {
        let all = [&["export-quotes", "--format", "jsonl"], arguments].concat();
        cli.run_ok(&all).lines().count()
    };
    assert_eq!(count(&["--status", "pending"]), 1);
    assert_eq!(count(&["--status", "in_progress,completed"]), 0);
    assert_eq!(count(&["--status", "cancelled", "--status", "pending"]), 1);
    assert_eq!(
        count(&["--to", "2026-11-21"]),
        1,
        "--to with a day includes that day"
    );
    assert_eq!(
        count(&["--to", "2026-11-21T12:00:00Z"]),
        0,
        "--to with a time excludes that time"
    );
    assert_eq!(count(&["--from", "2026-11-21T12:00:00Z"]), 1);
    assert!(
        cli.run_err(&["export-quotes", "--status", "open"])
            .contains("pending")
    );
    assert!(
        cli.run_err(&["export-quotes", "--from", "yesterday"])
            .contains("2026-11-01")
    );
}

#[tokio::test]
async fn csv_cells_that_look_like_formulas_are_escaped() {
    let app = TestApp::start().await;
    for (address, text) in [
        ("1", "=HYPERLINK(a)"),
        ("2", "@SUM(1)"),
        ("3", "-2+3"),
        ("4", "＝1+1"),
        ("5", "harmless = text"),
        ("6", "\u{feff}=1+1"),
        ("7", "\u{200d}\u{3000}=1+1"),
    ] {
        let fields = json!({"location": text, "phone": "+1 713 555 0188"});
        let answer = app
            .ask(&format!("198.51.100.{address}"), None, &quote(fields))
            .await;
        assert_eq!(answer.status(), 201, "{text}");
        app.clock.advance(1000);
    }
    let mut table = csv::Reader::from_reader(std::io::Cursor::new(
        Cli::on_data_of(&app).run_ok(&["export-quotes"]),
    ));
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let locations: Vec<&str> = rows.iter().map(|row| &row[10]).collect();
    assert_eq!(
        locations,
        [
            "'=HYPERLINK(a)",
            "'@SUM(1)",
            "'-2+3",
            "'＝1+1",
            "harmless = text",
            "'=1+1",
            "'\u{200d}\u{3000}=1+1"
        ]
    );
    assert_eq!(&rows[0][5], "'+1 713 555 0188");
}

#[tokio::test]
async fn exports_contain_no_invisible_characters() {
    let app = TestApp::start().await;
    app.ask("198.51.100.1", None, &quote(json!({}))).await;
    // Older versions stored such characters.
    let insert = |conn: &rusqlite::Connection| {
        let stored = "\u{feff}=1+1\u{202e}";
        Ok(conn.execute("UPDATE requests SET location = ?1", [stored])?)
    };
    app.store.write(insert).await.unwrap();
    let cli = Cli::on_data_of(&app);
    assert!(cli.run_ok(&["export-quotes"]).contains(",'=1+1,"));
    let array = cli.run_ok(&["export-quotes", "--format", "json"]);
    let array: Value = serde_json::from_str(&array).unwrap();
    assert_eq!(array[0]["location"], "=1+1");
}

#[tokio::test]
async fn a_table_for_excel_keeps_text_that_looks_like_a_number_or_a_day() {
    let app = TestApp::start().await;
    let typed = json!({"location": "02138", "company": "MAR1", "description": "1-2"});
    app.ask("198.51.100.1", None, &quote(typed)).await;
    let cli = Cli::on_data_of(&app);
    let row = |table: &str| {
        let mut table = csv::Reader::from_reader(table.trim_start_matches('\u{feff}').as_bytes());
        let names = table.headers().unwrap().clone();
        let row = table.records().next().unwrap().unwrap();
        let value = |name| {
            let at = names.iter().position(|known| known == name).unwrap();
            row[at].to_owned()
        };
        ["location", "company", "description"].map(value)
    };
    let for_excel = cli.run_ok(&["export-quotes"]);
    assert_eq!(row(&for_excel), ["=\"02138\"", "=\"MAR1\"", "=\"1-2\""]);
    let for_others = cli.run_ok(&["export-quotes", "--no-bom"]);
    assert_eq!(row(&for_others), ["02138", "MAR1", "1-2"]);
}

#[tokio::test]
async fn a_spreadsheet_program_shows_the_text_that_was_typed() {
    if Command::new("soffice").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no LibreOffice");
        return;
    }
    let app = TestApp::start().await;
    let typed = json!({"location": "02138", "company": "07700900123", "description": "1-2"});
    app.ask("198.51.100.1", None, &quote(typed)).await;
    let cli = Cli::on_data_of(&app);
    let shown = |options: &[&str]| {
        let table = cli.run_ok(&[&["export-quotes"], options].concat());
        fs::write(cli.path("table.csv"), table).unwrap();
        let profile = format!(
            "-env:UserInstallation=file://{}",
            cli.path("profile").display()
        );
        let opened = Command::new("soffice")
            .current_dir(cli.folder.path())
            .args([
                &profile,
                "--headless",
                "--infilter=CSV:44,34,76,1,,0,false,true",
            ])
            // Cells as they are shown, with tabs between them.
            .args([
                "--convert-to",
                "tsv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true",
            ])
            .arg("table.csv")
            .output()
            .unwrap();
        let cells = fs::read_to_string(cli.path("table.tsv"));
        let cells = cells.unwrap_or_else(|error| panic!("{error}: {opened:?}"));
        ["02138", "07700900123", "1-2"].map(|text| cells.contains(&format!("\t{text}\t")))
    };
    assert_eq!(shown(&[]), [true, true, true]);
    let as_numbers = shown(&["--no-bom"]);
    assert_eq!(
        as_numbers[..2],
        [false, false],
        "the test sees what is lost"
    );
}

#[test]
fn exports_overwrite_a_file_only_with_force() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    fs::write(cli.path("quotes.csv"), "mine").unwrap();
    let error = cli.run_err(&["export-quotes", "--out", "quotes.csv"]);
    assert!(error.contains("--force"), "{error}");
    assert_eq!(fs::read_to_string(cli.path("quotes.csv")).unwrap(), "mine");

    cli.run_ok(&["export-quotes", "--out", "quotes.csv", "--force"]);
    assert!(
        fs::read_to_string(cli.path("quotes.csv"))
            .unwrap()
            .starts_with("\u{feff}id,"),
        "Excel knows UTF-8 by the mark"
    );
    assert!(
        cli.run_ok(&["export-quotes", "--no-bom"])
            .starts_with("id,")
    );
    assert!(
        cli.run_ok(&["export-quotes", "--format", "json"])
            .starts_with('[')
    );
    let left: Vec<_> = fs::read_dir(cli.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "no temporary file remains: {left:?}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let cli = Cli::new();
    cli.run_ok(&["seed-demo"]);
    let mut command = cli.command(&["export-quotes"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
