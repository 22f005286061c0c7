//! How uploads share the server: silence, memory, other visitors.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Grant, PDF, refused};
use crate::support::app::TestApp;

#[tokio::test]
async fn an_upload_that_falls_silent_is_ended() {
    let app = TestApp::with(|config| config.files.silence_seconds = 1).await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    let head = format!(
        "POST /storage/v1/object/plans/a.pdf HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
         content-length: 100\r\n\r\n%PDF-1.7",
        admin.access_token
    );
    let address = app.address;
    let (answer, waited) = tokio::task::spawn_blocking(move || {
        let started = Instant::now();
        let mut stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer, started.elapsed())
    })
    .await
    .unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert!(answer.contains("The upload stopped sending"), "{answer}");
    assert!(waited >= Duration::from_secs(1), "{waited:?}");
    assert!(app.stored_files().is_empty());
}

#[tokio::test]
async fn uploads_of_ten_megabytes_hold_little_memory_and_all_arrive() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    let content = [PDF, &vec![b'x'; 10_485_760 - PDF.len()]].concat();
    let uploads = join_all((0..10).map(|n| {
        let (app, admin, mut content) = (&app, &admin, content.clone());
        content[20] = b'0' + n;
        async move {
            let path = format!("/object/plans/{n}.pdf");
            let answer = app.storage(Some(admin), Method::POST, &path, content).await;
            answer.status()
        }
    }));
    let charged = async {
        let mut most = 0;
        loop {
            most = app.bodies.held().max(most);
            tokio::time::sleep(Duration::from_millis(1)).await;
            if most > 0 && app.bodies.held() == 0 {
                return most;
            }
        }
    };
    let (statuses, most) = tokio::join!(uploads, charged);
    assert!(statuses.iter().all(|status| *status == StatusCode::OK));
    assert!(most <= 10 * 1024 * 1024 / 4, "{most} bytes for ten uploads");
    assert_eq!(app.stored_files().len(), 10);
}

#[tokio::test]
async fn a_client_that_calls_too_often_is_told_in_the_services_words() {
    let app = TestApp::with(|config| config.limits.api_per_minute = 1).await;
    for path in ["/bucket", "/object/public/a/b"] {
        app.storage(None, Method::GET, path, "").await;
        let answer = app.storage(None, Method::GET, path, "").await;
        assert!(answer.headers().contains_key("retry-after"));
        refused(answer, 429, "429", "SlowDown").await;
    }
}

#[tokio::test]
async fn every_file_that_is_added_replaced_or_removed_is_in_the_history() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let (id, uploads) = app.ask_for_uploads().await;
    let grant = Grant {
        quote_id: id.clone(),
        url: uploads["url"].as_str().unwrap().to_owned(),
        token: uploads["token"].as_str().unwrap().to_owned(),
    };
    app.add_file(&grant, "plan.pdf", PDF).await;
    let place = format!("quotes/{id}/offer.pdf");
    app.store(&admin, &place, PDF).await;
    let history = async || {
        let url = app.url(&format!("/api/admin/inbox/{id}"));
        let read = app.http.get(url).bearer_auth(&admin.access_token);
        let item: Value = read.send().await.unwrap().json().await.unwrap();
        item["history"].as_array().unwrap()[1..].to_vec()
    };
    let told = |events: &[Value]| -> Vec<_> {
        let told = events.iter().map(|event| {
            let name = event["detail"]["name"].as_str().unwrap_or_default();
            let by = event["actor"]["email"].as_str().unwrap_or("the visitor");
            format!("{} {name} by {by}", event["verb"].as_str().unwrap())
        });
        told.collect()
    };
    let events = history().await;
    assert_eq!(
        told(&events),
        [
            "file_added plan.pdf by the visitor",
            "file_added offer.pdf by ada@guard.example"
        ]
    );
    assert!(events[0]["undoable_until"].is_null() && events[1]["undoable_until"].is_string());
    let undo = async |event: &Value| {
        let url = app.url(&format!("/api/admin/inbox/{id}/undo"));
        let undo = app.http.post(url).bearer_auth(&admin.access_token);
        let body = json!({"event": event["id"]});
        undo.json(&body).send().await.unwrap().status()
    };
    assert_eq!(undo(&events[1]).await, StatusCode::OK);
    assert_eq!(app.rows("objects").await, 1, "taken back");
    app.store(&admin, &place, PDF).await;
    let path = format!("/object/{place}");
    app.storage(Some(&admin), Method::PUT, &path, b"%PDF-1.7 other".to_vec())
        .await;
    let events = history().await;
    assert_eq!(
        told(&events[3..]),
        [
            "file_added offer.pdf by ada@guard.example",
            "file_replaced offer.pdf by ada@guard.example"
        ]
    );
    assert_eq!(undo(&events[3]).await, 409, "replaced since");
    app.storage(Some(&admin), Method::DELETE, &path, "").await;
    let last = history().await;
    assert_eq!(
        told(&last[5..]),
        ["file_deleted offer.pdf by ada@guard.example"]
    );
}
