//! Uploads hold no web thread and not the writer: pages and requests are answered beside them. The
//! server of these tests has a single thread, which is that of the test.

use std::fs;

use image::ImageFormat;
use reqwest::{Method, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::PDF;
use super::pictures::picture;
use crate::support::app::TestApp;

/// Uploads at the same time.
const CLIENTS: usize = 10;
/// Bytes of a file: what the server takes at most.
const SIZE: usize = 10_485_760;

/// The names and sizes of unfinished files.
fn unfinished(app: &TestApp) -> Vec<u64> {
    let entries = fs::read_dir(app.folder.path().join("files/tmp"));
    let entries = entries.into_iter().flatten();
    let sizes = entries.filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len()));
    sizes.collect()
}

async fn page_is_answered(app: &TestApp) {
    let page = app.http.get(app.url("/")).send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    page.bytes().await.unwrap();
}

#[tokio::test]
async fn pages_and_requests_are_answered_while_ten_uploads_are_under_way() {
    let app = TestApp::with(|config| config.limits.api_per_minute = 100_000).await;
    let mut uploads = Vec::new();
    for n in 0..CLIENTS {
        let grant = app.grant().await;
        let head = format!(
            "PUT {} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {SIZE}\r\n\r\n",
            grant.path("plan.pdf"),
        );
        let mut content = PDF.to_vec();
        content.extend_from_slice(&[b'0' + n as u8; 10]);
        content.resize(SIZE, b'x');
        let mut stream = TcpStream::connect(app.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&content[..SIZE / 2]).await.unwrap();
        uploads.push((stream, content));
    }
    let half = |sizes: &[u64]| sizes.iter().filter(|size| **size > SIZE as u64 / 3).count();
    while half(&unfinished(&app)) < CLIENTS {
        page_is_answered(&app).await;
    }
    for _ in 0..20 {
        page_is_answered(&app).await;
    }
    app.grant().await;
    assert_eq!(app.rows("quotes").await, 11, "the writer is free");
    assert_eq!(half(&unfinished(&app)), CLIENTS, "all are still under way");
    for (stream, content) in &mut uploads {
        stream.write_all(&content[SIZE / 2..]).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
    assert_eq!(app.stored_files().len(), CLIENTS);
}

#[tokio::test]
async fn pages_are_answered_while_a_picture_is_decoded() {
    let app = TestApp::with(|config| config.limits.api_per_minute = 100_000).await;
    let admin = app.admin().await;
    app.bucket(&admin, "photos").await;
    let photo = picture(ImageFormat::Jpeg, 4000, 4000);
    // The second file is the one that is written anew, and there as long as that takes.
    let is_decoding = || unfinished(&app).len() == 2;
    let mut most = 0;
    // On a machine that is busy elsewhere, a picture may be decoded between two pages.
    for n in 0..20 {
        let path = format!("/object/photos/{n}.jpg");
        let upload = app.storage(Some(&admin), Method::POST, &path, photo.clone());
        let mut answered = 0;
        let pages = async {
            loop {
                let before = is_decoding();
                page_is_answered(&app).await;
                if before && is_decoding() {
                    answered += 1;
                }
            }
        };
        tokio::select! {
            stored = upload => assert_eq!(stored.status(), StatusCode::OK),
            () = pages => {}
        }
        most = most.max(answered);
        // One might be answered by a thread that is held otherwise, before and after it.
        if most >= 3 {
            return;
        }
    }
    panic!("{most} pages at most while a picture was decoded");
}
