//! `guardpost files`, and what `guardpost check` says about files.

use std::fs;

use serde_json::Value;

use super::PDF;
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

#[tokio::test]
async fn files_are_listed_checked_and_swept() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    let grant = app.grant().await;
    assert_eq!(app.store(&admin, "plans/a.pdf", PDF).await.status(), 200);
    let content = [PDF, b"x"].concat();
    assert_eq!(app.add_file(&grant, "b.pdf", &content).await.status(), 200);
    let cli = Cli::on_data_of(&app);
    let list = cli.run_ok(&["files", "list"]);
    let lines: Vec<&str> = list.lines().collect();
    assert!(
        lines[0].contains(&admin.id) && lines[0].ends_with("plans/a.pdf"),
        "{list}"
    );
    let visitors = format!(
        "visitor  unscanned  application/pdf  quotes/{}/b.pdf",
        grant.quote_id
    );
    assert!(lines[1].ends_with(&visitors), "{list}");
    assert_eq!(lines[2], format!("2 files, {} bytes", 2 * PDF.len() + 1));
    let list: Value = serde_json::from_str(&cli.run_ok(&["files", "list", "--json"])).unwrap();
    assert_eq!(list[0]["size"], PDF.len());

    let files = app.folder.path().join("files");
    let orphan = files.join("ab").join("ab".repeat(32));
    fs::create_dir_all(files.join("ab")).unwrap();
    fs::write(&orphan, "orphan").unwrap();
    let check = cli.run_ok(&["files", "check"]);
    assert!(
        check.contains("2 files, 0 lost, 1 content without a row"),
        "{check}"
    );
    let report = cli.run(&["check"]).stdout;
    assert!(
        report.contains("files: 1 content without a row in the database"),
        "{report}"
    );
    let sha256 = list[0]["sha256"].as_str().unwrap();
    fs::remove_file(files.join(&sha256[..2]).join(sha256)).unwrap();
    let error = cli.run_err(&["files", "check"]);
    assert!(error.contains("the bytes of 1 file are gone"), "{error}");
    let report = cli.run(&["check"]).stdout;
    assert!(
        report.contains("files: the bytes of 1 file are gone"),
        "{report}"
    );
}
