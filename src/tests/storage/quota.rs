//! The daily quota of visitors' files.

use reqwest::{Method, Response, StatusCode};
use serde_json::Value;

use super::{Grant, PDF, refused};
use crate::support::app::TestApp;

const DAY: i64 = 24 * 60 * 60 * 1000;
const CLIENT: &str = "203.0.113.7";

/// A PDF of 400 KB.
fn plan() -> Vec<u8> {
    [PDF, &vec![b'x'; 400_000 - PDF.len()]].concat()
}

/// Uploads a plan from `address`.
async fn add(app: &TestApp, grant: &Grant, address: &str, name: &str) -> Response {
    let request = app.http.put(app.url(&grant.path(name)));
    let request = request.header("x-forwarded-for", address);
    request.body(plan()).send().await.unwrap()
}

/// Begins a resumable upload of `length` bytes from `CLIENT`.
async fn begin(app: &TestApp, grant: &Grant, length: usize) -> Response {
    let name = format!("{}/resumed.pdf", grant.quote_id);
    app.begin_upload(&grant.token, CLIENT, ("quotes", &name), length)
        .await
}

async fn is_over(answer: Response, message: &str) {
    let error = refused(answer, 507, "507", "InsufficientStorage").await;
    let found = error["message"].as_str().unwrap();
    assert!(found.contains(message), "{found}");
}

#[tokio::test]
async fn a_network_sends_so_many_bytes_a_day() {
    let mut app = TestApp::with(|config| config.files.client_mb_per_day = 1).await;
    let grant = app.grant().await;
    for name in ["a.pdf", "b.pdf"] {
        let stored = add(&app, &grant, CLIENT, name).await;
        assert_eq!(stored.status(), StatusCode::OK, "{name}");
    }
    is_over(add(&app, &grant, CLIENT, "c.pdf").await, "Your network").await;
    let begun = begin(&app, &grant, 300_000).await;
    assert_eq!(begun.status(), StatusCode::INSUFFICIENT_STORAGE);
    assert!(begun.text().await.unwrap().contains("Your network"));
    // What begins counts, whether it is finished or not.
    let begun = begin(&app, &grant, 150_000).await;
    assert_eq!(begun.status(), StatusCode::CREATED);
    app.restart().await;
    let begun = begin(&app, &grant, 150_000).await;
    assert_eq!(begun.status(), StatusCode::INSUFFICIENT_STORAGE);
    let other = add(&app, &grant, "203.0.113.8", "c.pdf").await;
    assert_eq!(other.status(), StatusCode::OK);
    let (_, uploads) = app.ask_for_uploads().await;
    assert_ne!(uploads, Value::Null, "requests go on");

    // A file of an admin counts for no one.
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    for name in ["a", "b", "c"] {
        let place = format!("plans/{name}.pdf");
        let stored = app.store(&admin, &place, &plan()).await;
        assert_eq!(stored.status(), StatusCode::OK);
    }

    app.clock.advance(DAY);
    app.sweep().await;
    assert_eq!(app.rows("upload_bytes").await, 0);
    let grant = app.grant().await;
    let next_day = add(&app, &grant, CLIENT, "c.pdf").await;
    assert_eq!(next_day.status(), StatusCode::OK);
}

#[tokio::test]
async fn the_networks_of_one_48_send_ten_times_as_much() {
    let app = TestApp::with(|config| config.files.client_mb_per_day = 1).await;
    let mut stored = 0;
    for quote in 0..6 {
        let grant = app.grant().await;
        for file in 0..5 {
            let address = format!("2001:db8:1:{:x}::1", quote * 5 + file);
            let answer = add(&app, &grant, &address, &format!("{file}.pdf")).await;
            stored += u32::from(answer.status() == StatusCode::OK);
        }
    }
    assert_eq!(stored, 25, "10 MB of 400 KB each");
    let grant = app.grant().await;
    let elsewhere = add(&app, &grant, "2001:db8:2::1", "a.pdf").await;
    assert_eq!(elsewhere.status(), StatusCode::OK);
}

#[tokio::test]
async fn all_networks_together_send_so_many_bytes_a_day() {
    let app = TestApp::with(|config| config.files.mb_per_day = 1).await;
    let grant = app.grant().await;
    for n in 1..=2 {
        let address = format!("203.0.113.{n}");
        let stored = add(&app, &grant, &address, &format!("{n}.pdf")).await;
        assert_eq!(stored.status(), StatusCode::OK);
    }
    is_over(
        add(&app, &grant, "203.0.113.3", "c.pdf").await,
        "cannot accept more files today",
    )
    .await;
    // A deleted file stays counted.
    let admin = app.admin().await;
    let path = format!("/object/quotes/{}/1.pdf", grant.quote_id);
    let deleted = app.storage(Some(&admin), Method::DELETE, &path, "").await;
    assert_eq!(deleted.status(), StatusCode::OK);
    let again = add(&app, &grant, "203.0.113.4", "d.pdf").await;
    is_over(again, "cannot accept more files today").await;
}
