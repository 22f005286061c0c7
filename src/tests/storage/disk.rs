//! A full disk, restarts and sweeps.

use std::fs;

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use super::{PDF, refused};
use crate::support::app::TestApp;
use crate::support::people::Person;

/// More than any disk has.
const ALL: u32 = u32::MAX;

#[tokio::test]
async fn below_the_reserve_files_are_refused_and_requests_are_not() {
    let mut app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    let grant = app.grant().await;
    app.config.files.reserve_mb = ALL;
    app.restart().await;
    let answer = app.store(&admin, "plans/a.pdf", PDF).await;
    refused(answer, 507, "507", "InsufficientStorage").await;
    let answer = app.add_file(&grant, "a.pdf", PDF).await;
    refused(answer, 507, "507", "InsufficientStorage").await;
    let (_, uploads) = app.ask_for_uploads().await;
    assert_eq!(uploads, Value::Null);
    assert!(app.stored_files().is_empty());
    app.config.files.reserve_mb = 1;
    app.restart().await;
    assert_eq!(app.add_file(&grant, "a.pdf", PDF).await.status(), 200);
}

/// Begins a resumable upload of `length` bytes; returns its path.
pub async fn begin(app: &TestApp, admin: &Person, name: &str, length: usize) -> String {
    use base64::Engine;
    let base64 = |text: &str| base64::engine::general_purpose::STANDARD.encode(text);
    let metadata = format!("bucketName {},objectName {}", base64("plans"), base64(name));
    let answer = app
        .http
        .post(app.url("/storage/v1/upload/resumable"))
        .bearer_auth(&admin.access_token)
        .header("tus-resumable", "1.0.0")
        .header("upload-length", length)
        .header("upload-metadata", metadata)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);
    answer.headers()["location"].to_str().unwrap().to_owned()
}

pub async fn tus(
    app: &TestApp,
    admin: &Person,
    method: Method,
    path: &str,
    (offset, body): (usize, &[u8]),
) -> Response {
    app.http
        .request(method, app.url(path))
        .bearer_auth(&admin.access_token)
        .header("tus-resumable", "1.0.0")
        .header("content-type", "application/offset+octet-stream")
        .header("upload-offset", offset)
        .body(body.to_vec())
        .send()
        .await
        .unwrap()
}

#[tokio::test]
async fn a_resumable_upload_survives_a_restart_and_a_sweep() {
    let mut app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    let path = begin(&app, &admin, "a.pdf", PDF.len()).await;
    let part = tus(&app, &admin, Method::PATCH, &path, (0, &PDF[..10])).await;
    assert_eq!(part.status(), StatusCode::NO_CONTENT);
    app.restart().await;
    app.sweep().await;
    let head = tus(&app, &admin, Method::HEAD, &path, (0, b"")).await;
    assert_eq!(head.headers()["upload-offset"], "10");
    let rest = tus(&app, &admin, Method::PATCH, &path, (10, &PDF[10..])).await;
    assert_eq!(rest.status(), StatusCode::NO_CONTENT);
    let answer = app
        .storage(Some(&admin), Method::GET, "/object/plans/a.pdf", "")
        .await;
    assert_eq!(answer.bytes().await.unwrap(), PDF);
}

#[tokio::test]
async fn a_resumable_upload_expires_after_its_last_byte_and_gives_its_bytes_back() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    let path = begin(&app, &admin, "a.pdf", PDF.len()).await;
    app.clock.advance(80_000_000);
    let admin = app.sign_in(&admin.email).await;
    let part = tus(&app, &admin, Method::PATCH, &path, (0, &PDF[..10])).await;
    assert_eq!(part.status(), StatusCode::NO_CONTENT);
    app.clock.advance(80_000_000);
    let admin = app.sign_in(&admin.email).await;
    let part = tus(&app, &admin, Method::PATCH, &path, (10, &PDF[10..12])).await;
    assert_eq!(part.status(), StatusCode::NO_CONTENT);
    app.clock.advance(86_401_000);
    let admin = app.sign_in(&admin.email).await;
    let late = tus(&app, &admin, Method::HEAD, &path, (0, b"")).await;
    assert_eq!(late.status(), StatusCode::GONE);
    assert_eq!(app.stored_files().len(), 1);
    app.sweep().await;
    assert!(app.stored_files().is_empty());
    app.clock.advance(86_400_000);
    app.sweep().await;
    let admin = app.sign_in(&admin.email).await;
    let late = tus(&app, &admin, Method::HEAD, &path, (0, b"")).await;
    assert_eq!(late.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn bytes_without_a_row_are_deleted_after_an_hour_and_rows_never() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    assert_eq!(app.store(&admin, "plans/a.pdf", PDF).await.status(), 200);
    let files = app.folder.path().join("files");
    let orphan = "ab".repeat(32);
    fs::create_dir_all(files.join("ab")).unwrap();
    fs::write(files.join("ab").join(&orphan), "left by a crash").unwrap();
    fs::write(files.join("tmp/left"), "left by a crash").unwrap();
    // The clock of the test stands still, that of the file system does not.
    app.advance_to_now();
    app.sweep().await;
    assert!(app.stored_files().contains(&orphan));
    assert!(!app.stored_files().contains(&"left".to_owned()));
    app.clock.advance(2 * 3_600_000);
    app.sweep().await;
    assert_eq!(app.stored_files().len(), 1);
    let content = app.stored_files().remove(0);
    fs::remove_file(files.join(&content[..2]).join(&content)).unwrap();
    app.sweep().await;
    assert_eq!(app.rows("objects").await, 1);
    let admin = app.sign_in(&admin.email).await;
    let answer = app
        .storage(Some(&admin), Method::GET, "/object/plans/a.pdf", "")
        .await;
    refused(answer, 500, "500", "InternalError").await;
}

#[tokio::test]
async fn bytes_are_deleted_with_the_last_object_that_has_them() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    for name in ["a", "b"] {
        let place = format!("plans/{name}.pdf");
        assert_eq!(app.store(&admin, &place, PDF).await.status(), 200);
    }
    assert_eq!(app.stored_files().len(), 1, "equal bytes are stored once");
    let remove = async |name: &str| {
        let path = format!("/object/plans/{name}");
        let answer = app.storage(Some(&admin), Method::DELETE, &path, "").await;
        assert_eq!(answer.status(), StatusCode::OK);
    };
    remove("a.pdf").await;
    assert_eq!(app.stored_files().len(), 1);
    remove("b.pdf").await;
    assert!(app.stored_files().is_empty());
    assert_eq!(app.store(&admin, "plans/c.txt", b"one").await.status(), 200);
    let answer = app
        .storage(Some(&admin), Method::PUT, "/object/plans/c.txt", "two")
        .await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(app.stored_files().len(), 1, "overwritten bytes are gone");
    let emptied = app
        .storage_json(&admin, "/bucket/plans/empty", json!({}))
        .await;
    assert_eq!(emptied.status(), StatusCode::OK);
    assert!(app.stored_files().is_empty());
}
