//! Stored files whose bytes have changed or are gone: found by a deep check and by the daily job,
//! and missed by a backup.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use store::database::maintenance::Job;

use super::PDF;
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A server with one stored file, and the path of its bytes.
async fn with_a_file() -> (TestApp, Cli, PathBuf) {
    let app = TestApp::start().await;
    let grant = app.grant().await;
    app.add_file(&grant, "plan.pdf", PDF).await;
    let cli = Cli::on_data_of(&app);
    let list: Value = serde_json::from_str(&cli.run_ok(&["files", "list", "--json"])).unwrap();
    let sha256 = list[0]["sha256"].as_str().unwrap();
    let path = app
        .folder
        .path()
        .join("files")
        .join(&sha256[..2])
        .join(sha256);
    (app, cli, path)
}

/// Changes one bit, as a disk may; a second time, changes it back.
fn rot(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    bytes[10] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_deep_check_names_the_file_with_a_changed_bit() {
    let (app, cli, path) = with_a_file().await;
    let check = cli.run_ok(&["files", "check", "--deep"]);
    assert!(check.contains("1 content read, 0 damaged"), "{check}");
    rot(&path);
    cli.run_ok(&["files", "check"]);
    let deep = cli.run(&["files", "check", "--deep"]);
    assert!(!deep.success);
    let place = path.strip_prefix(app.folder.path()).unwrap().display();
    let named = |what: &str, output: &str| {
        let line = output.lines().find(|line| line.starts_with(what));
        line.is_some_and(|line| line.ends_with(&format!("plan.pdf ({place})")))
    };
    assert!(named("damaged: quotes/", &deep.stdout), "{}", deep.stdout);
    let json = cli.run(&["files", "check", "--deep", "--json"]).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["damaged"].as_array().unwrap().len(), 1, "{json}");
    fs::remove_file(&path).unwrap();
    let check = cli.run(&["files", "check"]).stdout;
    assert!(named("lost: quotes/", &check), "{check}");
}

#[tokio::test]
async fn a_changed_bit_is_found_within_a_week_and_the_office_is_told() {
    let (app, cli, path) = with_a_file().await;
    let schedule = app.maintenance();
    schedule.run_due().await;
    assert!(app.store.last_run(Job::Files).await.unwrap().unwrap().ok);
    rot(&path);
    let mut is_found = false;
    for _ in 0..7 {
        app.clock.advance(DAY);
        schedule.run_due().await;
        let run = app.store.last_run(Job::Files).await.unwrap().unwrap();
        assert!(!(is_found && run.ok), "it is as damaged as the day before");
        is_found = !run.ok;
    }
    let run = app.store.last_run(Job::Files).await.unwrap().unwrap();
    assert!(run.detail.contains("1 damaged"), "{run:?}");
    let check = cli.run(&["check"]).stdout;
    assert!(check.contains("check of stored files: failed"), "{check}");

    // Mended, it is looked at again after four hours.
    rot(&path);
    app.clock.advance(DAY / 6);
    schedule.run_due().await;
    assert!(app.store.last_run(Job::Files).await.unwrap().unwrap().ok);
    app.run_outbox().await;
    let subjects = app.mailbox().into_iter().map(|mail| mail.subject);
    let told: Vec<_> = subjects.filter(|it| it.contains("stored files")).collect();
    assert!(told.len() >= 2, "failure and recovery: {told:?}");
}

#[tokio::test]
async fn a_lost_file_is_found_the_same_day_and_a_backup_complains() {
    let (app, cli, path) = with_a_file().await;
    fs::remove_file(&path).unwrap();
    let to = cli.path("backups");
    let error = cli.run_err(&["backup", "--to", to.to_str().unwrap()]);
    assert!(
        error.contains("complete but for 1 stored content"),
        "{error}"
    );
    assert!(cli.run(&["verify-backup", to.to_str().unwrap()]).success);
    let schedule = app.maintenance();
    schedule.run_due().await;
    let run = app.store.last_run(Job::Files).await.unwrap().unwrap();
    assert!(!run.ok && run.detail.contains("1 lost"), "{run:?}");
}
