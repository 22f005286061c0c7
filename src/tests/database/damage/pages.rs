//! Damaged pages of the database file.

use std::fs;
use std::path::Path;

use reqwest::StatusCode;
use serde_json::{Value, json};
use store::Error;

use super::{is_refused, readiness};
use crate::support::app::TestApp;
use crate::support::visitors::{quote, visitor};

/// Page size in bytes.
const PAGE_SIZE: usize = 4096;

/// Stores enough quotes for a B-tree of several levels, and closes the store, so that the file
/// alone is complete.
async fn closed_with_quotes() -> TestApp {
    let app = TestApp::start().await;
    for n in 0..60 {
        let lead = json!({"location": format!("Lot {n}"), "description": "x".repeat(1500)});
        let answer = app.ask(&visitor(n), None, &quote(lead)).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
    }
    app.store.close().await;
    app
}

/// Overwrites the bytes at `offset`; returns the old ones.
fn overwrite(file: &Path, offset: usize, with: &[u8]) -> Vec<u8> {
    use std::os::unix::fs::FileExt;
    let file = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(file)
        .unwrap();
    let mut before = vec![0; with.len()];
    file.read_exact_at(&mut before, offset as u64).unwrap();
    file.write_all_at(with, offset as u64).unwrap();
    before
}

#[tokio::test]
async fn a_damaged_page_is_reported_and_stops_writes() {
    let log = crate::support::log::Log::start();
    let mut app = closed_with_quotes().await;
    let file = app.folder.path().join("guardpost.db");
    let content = fs::read(&file).unwrap();
    let at = content
        .windows(6)
        .position(|text| text == b"Lot 30")
        .unwrap()
        / PAGE_SIZE
        * PAGE_SIZE;
    let before = overwrite(&file, at, &[0xff; 64]);
    app.restart().await;
    let token = app.admin().await.access_token;
    let list = || async {
        let asked = app.http.get(app.url("/api/admin/quotes?limit=100"));
        asked.bearer_auth(&token).send().await.unwrap()
    };
    let refused = list().await;
    assert!(is_refused(refused.status()));
    let problem: Value = refused.json().await.unwrap();
    assert!(problem["detail"].as_str().unwrap().contains("call us"));
    let id = problem["request_id"].as_str().unwrap();
    assert_eq!(
        log.count(&format!("request_id=\"{id}\"")),
        1,
        "{}",
        log.text()
    );
    assert!(is_refused(app.met("198.51.100.1", "Houston").await));
    let (status, why) = readiness(&app).await;
    assert!(is_refused(status) && why.contains("damaged"), "{why}");
    assert!(matches!(
        app.store.check_pages().await,
        Err(Error::Unusable(_))
    ));

    overwrite(&file, at, &before);
    app.store.check_pages().await.unwrap();
    app.store.probe().await.unwrap();
    assert_eq!(readiness(&app).await.0, StatusCode::OK);
    assert_eq!(list().await.status(), StatusCode::OK);
    assert_eq!(app.met("198.51.100.1", "Houston").await, 201);
}
