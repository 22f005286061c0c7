//! Damaged, deleted or moved database files under a running server: no lost post is acknowledged,
//! `/readyz` reports the fault, and recoverable data is recovered.

mod pages;

use std::fs;
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::visitors::{ask, quote, visitor};

/// A post that follows another one sooner is checked after its answer instead of before.
const CHECK_INTERVAL: Duration = Duration::from_millis(1);

/// Lets the last check become old, so that the next post is checked before its answer.
fn pass_check_interval() {
    let start = Instant::now();
    while start.elapsed() <= CHECK_INTERVAL {
        std::hint::spin_loop();
    }
}

async fn readiness(app: &TestApp) -> (StatusCode, String) {
    let answer = app.http.get(app.url("/readyz")).send().await.unwrap();
    let (status, health) = (answer.status(), answer.json::<Value>().await.unwrap());
    (status, health["status"].as_str().unwrap().to_owned())
}

fn is_refused(status: StatusCode) -> bool {
    status == StatusCode::SERVICE_UNAVAILABLE
}

#[tokio::test]
async fn a_log_that_is_deleted_under_the_server_is_recreated_without_loss() {
    let app = TestApp::start().await;
    let file = app.folder.path().join("guardpost.db");
    for (n, lost) in [&["-wal"][..], &["-shm"], &["-wal", "-shm"]]
        .iter()
        .enumerate()
    {
        assert_eq!(
            app.met(&visitor(n as u32), "before").await,
            StatusCode::CREATED
        );
        for end in *lost {
            fs::remove_file(app.folder.path().join(format!("guardpost.db{end}"))).unwrap();
        }
        pass_check_interval();
        assert_eq!(
            app.met(&visitor(n as u32), "after").await,
            StatusCode::CREATED
        );
        // Another process finds all rows by the paths of the files.
        let beside = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
        let quotes = "SELECT count(*) FROM quotes";
        let quotes: i64 = beside.query_row(quotes, [], |row| row.get(0)).unwrap();
        assert_eq!(quotes, 2 + 2 * n as i64, "{lost:?}");
        assert_eq!(app.rows("quotes").await, quotes);
    }
    assert_eq!(readiness(&app).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_log_that_is_deleted_between_two_posts_at_once_is_whole_right_after_the_second() {
    let app = TestApp::start().await;
    let log = app.folder.path().join("guardpost.db-wal");
    for n in 0..10 {
        assert_eq!(app.met(&visitor(n), "before").await, StatusCode::CREATED);
        fs::remove_file(&log).unwrap();
        assert_eq!(app.met(&visitor(n), "after").await, StatusCode::CREATED);
        // The next job is only run once the last commit has been checked.
        app.store.probe().await.unwrap();
        let file = app.folder.path().join("guardpost.db");
        let beside = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        let quotes = "SELECT count(*) FROM quotes";
        let quotes: u32 = beside.query_row(quotes, [], |row| row.get(0)).unwrap();
        assert_eq!(quotes, 2 + 2 * n);
        assert!(log.exists());
    }
    assert_eq!(readiness(&app).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_log_was_deleted_loses_nothing_when_killed() {
    let cli = Cli::new();
    let server = ServerProcess::start(&cli, &[]);
    let (http, origin) = (reqwest::Client::new(), server.origin());
    let post = async |n: u32| {
        let lead = quote(json!({"location": format!("Lot {n}")}));
        let answer = ask(&http, &origin, &visitor(n), None, &lead).await.unwrap();
        assert_eq!(answer.status(), StatusCode::CREATED);
    };
    for n in 0..20 {
        post(n).await;
    }
    let log = cli.path("data/guardpost.db-wal");
    fs::remove_file(&log).unwrap();
    // Without writes, the idle check detects it.
    while !log.exists() {
        tokio::task::yield_now().await;
    }
    fs::remove_file(&log).unwrap();
    for n in 20..40 {
        post(n).await;
    }
    server.kill();
    let conn =
        Connection::open_with_flags(cli.path("data/guardpost.db"), OpenFlags::default()).unwrap();
    let quotes = "SELECT count(*) FROM quotes";
    let quotes: i64 = conn.query_row(quotes, [], |row| row.get(0)).unwrap();
    assert_eq!(quotes, 40);
}

#[tokio::test]
async fn writes_are_rejected_while_the_database_file_is_moved_away() {
    let app = TestApp::start().await;
    assert_eq!(app.met("198.51.100.1", "one").await, StatusCode::CREATED);
    let file = app.folder.path().join("guardpost.db");
    let away = app.folder.path().join("away.db");
    fs::rename(&file, &away).unwrap();
    pass_check_interval();
    assert!(is_refused(app.met("198.51.100.1", "two").await));
    let (status, why) = readiness(&app).await;
    assert!(is_refused(status) && why.contains("moved"), "{why}");
    fs::rename(&away, &file).unwrap();
    assert_eq!(app.met("198.51.100.1", "three").await, StatusCode::CREATED);
    app.store.probe().await.unwrap();
    assert_eq!(readiness(&app).await.0, StatusCode::OK);
}
