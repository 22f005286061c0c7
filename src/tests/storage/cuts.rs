//! The line is cut during an upload: the request is there, the file whole or absent.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use reqwest::{Method, StatusCode};

use super::{Grant, PDF};
use crate::support::app::TestApp;

/// Number of cuts.
const CUTS: usize = 50;

/// Sends a request of which only `sent` arrives, and waits until the server has closed the line.
async fn cut(address: SocketAddr, head: String, sent: Vec<u8>) {
    let talk = move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&sent).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    };
    tokio::task::spawn_blocking(talk).await.unwrap();
}

fn document() -> Vec<u8> {
    [PDF, &vec![b'x'; 300_000]].concat()
}

/// Begins a resumable upload under a grant; returns its path.
async fn begin(app: &TestApp, grant: &Grant, length: usize) -> String {
    let key = format!("{}/plan.pdf", grant.quote_id);
    let answer = app
        .begin_upload(&grant.token, "203.0.113.7", ("quotes", &key), length)
        .await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    answer.headers()["location"].to_str().unwrap().to_owned()
}

/// How much of an upload has arrived, as soon as no cut request holds it.
async fn offset(app: &TestApp, grant: &Grant, path: &str) -> usize {
    let answer = loop {
        let request = app.http.head(app.url(path));
        let request = request.header("x-signature", &grant.token);
        let answer = request.header("tus-resumable", "1.0.0").send().await;
        let answer = answer.unwrap();
        if answer.status() != StatusCode::LOCKED {
            break answer;
        }
    };
    assert_eq!(answer.status(), StatusCode::OK);
    let offset = answer.headers()["upload-offset"].to_str().unwrap();
    offset.parse().unwrap()
}

/// Sends what is missing, as soon as no cut request holds the upload.
async fn finish(app: &TestApp, grant: &Grant, path: &str, content: &[u8]) {
    loop {
        let from = offset(app, grant, path).await;
        if from == content.len() {
            return;
        }
        let answer = app
            .http
            .patch(app.url(path))
            .header("x-signature", &grant.token)
            .header("tus-resumable", "1.0.0")
            .header("content-type", "application/offset+octet-stream")
            .header("upload-offset", from)
            .body(content[from..].to_vec())
            .send()
            .await
            .unwrap();
        let status = answer.status().as_u16();
        assert!([204, 409, 423].contains(&status), "{status}");
    }
}

#[tokio::test]
async fn a_resumable_upload_that_is_cut_fifty_times_arrives_whole() {
    let app = TestApp::with(|config| config.limits.api_per_minute = 10_000).await;
    let content: Vec<u8> = document()
        .iter()
        .enumerate()
        .map(|(at, byte)| {
            if at < PDF.len() {
                *byte
            } else {
                (at % 251) as u8
            }
        })
        .collect();
    let grant = app.grant().await;
    let path = begin(&app, &grant, content.len()).await;
    let mut reached = 0;
    for n in 1..=CUTS {
        let end = (content.len() * n / (CUTS + 1)).max(reached);
        let head = format!(
            "PATCH {path} HTTP/1.1\r\nhost: x\r\ntus-resumable: 1.0.0\r\nx-signature: {}\r\n\
             content-type: application/offset+octet-stream\r\nupload-offset: {reached}\r\n\
             content-length: {}\r\n\r\n",
            grant.token,
            content.len() - reached
        );
        cut(app.address, head, content[reached..end].to_vec()).await;
        let found = offset(&app, &grant, &path).await;
        assert!((reached..=end).contains(&found), "{reached} {found} {end}");
        reached = found;
    }
    finish(&app, &grant, &path, &content).await;
    let admin = app.admin().await;
    let path = format!("/object/quotes/{}/plan.pdf", grant.quote_id);
    let answer = app.storage(Some(&admin), Method::GET, &path, "").await;
    assert!(answer.bytes().await.unwrap() == content);
}

#[tokio::test]
async fn a_line_that_is_cut_after_the_last_byte_loses_no_file() {
    let app = TestApp::with(|config| config.limits.api_per_minute = 100_000).await;
    for n in 0..10 {
        let grant = app.grant().await;
        let content = [PDF, &vec![b'x'; 50_000 * n]].concat();
        let path = begin(&app, &grant, content.len()).await;
        let head = format!(
            "PATCH {path} HTTP/1.1\r\nhost: x\r\ntus-resumable: 1.0.0\r\nx-signature: {}\r\n\
             content-type: application/offset+octet-stream\r\nupload-offset: 0\r\n\
             content-length: {}\r\n\r\n",
            grant.token,
            content.len()
        );
        let (address, sent) = (app.address, content.clone());
        let hang_up = move || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(&sent).unwrap();
        };
        tokio::task::spawn_blocking(hang_up).await.unwrap();
        finish(&app, &grant, &path, &content).await;
        assert_eq!(app.rows("objects").await, n as i64 + 1);
    }
}

#[tokio::test]
async fn a_file_that_begins_again_after_lost_answers_is_one_file() {
    let app = TestApp::start().await;
    let grant = app.grant().await;
    let lost = begin(&app, &grant, PDF.len()).await;
    let mut path = lost.clone();
    for _ in 0..4 {
        path = begin(&app, &grant, PDF.len()).await;
    }
    for name in ["a.pdf", "b.pdf", "c.pdf", "d.pdf"] {
        let content = [PDF, name.as_bytes()].concat();
        let added = app.add_file(&grant, name, &content).await;
        assert_eq!(added.status(), StatusCode::OK, "{name}");
    }
    finish(&app, &grant, &path, PDF).await;
    assert_eq!(app.rows("objects").await, 5);
    let head = app.http.head(app.url(&lost));
    let head = head.header("x-signature", &grant.token);
    let head = head.header("tus-resumable", "1.0.0").send().await.unwrap();
    assert_eq!(head.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_file_that_begins_again_keeps_what_has_arrived() {
    let app = TestApp::start().await;
    let grant = app.grant().await;
    let path = begin(&app, &grant, PDF.len()).await;
    let head = format!(
        "PATCH {path} HTTP/1.1\r\nhost: x\r\ntus-resumable: 1.0.0\r\nx-signature: {}\r\n\
         content-type: application/offset+octet-stream\r\nupload-offset: 0\r\n\
         content-length: {}\r\n\r\n",
        grant.token,
        PDF.len()
    );
    cut(app.address, head, PDF[..5].to_vec()).await;
    assert_eq!(offset(&app, &grant, &path).await, 5);
    begin(&app, &grant, PDF.len()).await;
    assert_eq!(offset(&app, &grant, &path).await, 5);
    finish(&app, &grant, &path, PDF).await;
    assert_eq!(app.rows("objects").await, 1);
}

#[tokio::test]
async fn an_upload_whose_last_byte_came_before_a_crash_is_stored_when_it_is_asked_for() {
    let mut app = TestApp::start().await;
    let grant = app.grant().await;
    let path = begin(&app, &grant, PDF.len()).await;
    // What a crash leaves: all bytes, and no object.
    let id = path.rsplit('/').next().unwrap();
    let file = app.folder.path().join(format!("files/tmp/{id}.upload"));
    std::fs::write(file, PDF).unwrap();
    app.restart().await;
    app.sweep().await;
    assert_eq!(app.rows("objects").await, 0);
    assert_eq!(offset(&app, &grant, &path).await, PDF.len());
    assert_eq!(app.rows("objects").await, 1);
}
