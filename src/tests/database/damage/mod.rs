//! A damaged, deleted, moved or replaced database file under a running server: no later post is
//! acknowledged, and `/readyz` reports the fault.

mod pages;

use std::fs;

use reqwest::StatusCode;
use serde_json::Value;

use crate::support::app::TestApp;

async fn readiness(app: &TestApp) -> (StatusCode, String) {
    let answer = app.http.get(app.url("/readyz")).send().await.unwrap();
    let (status, health) = (answer.status(), answer.json::<Value>().await.unwrap());
    (status, health["status"].as_str().unwrap().to_owned())
}

fn is_refused(status: StatusCode) -> bool {
    status == StatusCode::SERVICE_UNAVAILABLE
}

#[tokio::test]
async fn writes_are_rejected_while_the_database_file_is_moved_away() {
    let app = TestApp::start().await;
    assert_eq!(app.met("198.51.100.1", "one").await, StatusCode::CREATED);
    let file = app.folder.path().join("guardpost.db");
    let away = app.folder.path().join("away.db");
    fs::rename(&file, &away).unwrap();
    assert!(is_refused(app.met("198.51.100.1", "two").await));
    let (status, why) = readiness(&app).await;
    assert!(is_refused(status) && why.contains("moved"), "{why}");
    fs::rename(&away, &file).unwrap();
    assert_eq!(app.met("198.51.100.1", "three").await, StatusCode::CREATED);
    app.store.probe().await.unwrap();
    assert_eq!(readiness(&app).await.0, StatusCode::OK);
}

#[tokio::test]
async fn nothing_is_acknowledged_after_the_database_file_was_deleted_or_replaced() {
    for replaced in [false, true] {
        let app = TestApp::start().await;
        assert_eq!(app.met("198.51.100.1", "one").await, StatusCode::CREATED);
        let file = app.folder.path().join("guardpost.db");
        let copy = app.folder.path().join("copy.db");
        fs::copy(&file, &copy).unwrap();
        match replaced {
            true => fs::rename(&copy, &file).unwrap(),
            false => fs::remove_file(&file).unwrap(),
        }
        for place in ["two", "three"] {
            assert!(is_refused(app.met("198.51.100.1", place).await));
        }
        assert!(is_refused(readiness(&app).await.0));
    }
}
