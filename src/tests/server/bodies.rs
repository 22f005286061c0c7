//! Request bodies that are many, large, unfinished or broken.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::support::app::TestApp;

const BOUND: Duration = Duration::from_secs(10);
/// Nearly a client's share on a server with a small budget, so that the sizes of the server's reads
/// decide nothing.
const LARGE: usize = 990_000;

/// Starts a post of a million bytes from `client` and sends `LARGE` of them.
async fn unfinished(app: &TestApp, client: &str) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = format!(
        "POST /auth/v1/recover HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {client}\r\n\
         content-type: application/json\r\ncontent-length: 1000000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // The server may refuse it before all is sent.
    let _ = stream.write_all(&[b' '; LARGE]).await;
    stream
}

async fn head_of_answer(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = timeout(BOUND, stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).to_lowercase()
}

async fn held(app: &TestApp, bytes: std::ops::RangeInclusive<usize>) {
    let arrived = async {
        while !bytes.contains(&app.bodies.held()) {
            yield_now().await;
        }
    };
    timeout(BOUND, arrived).await.expect("the bytes are held");
}

async fn small_budget() -> TestApp {
    TestApp::with(|config| {
        config.limits.body_budget_mib = 8;
        config.limits.body_budget_per_client_mib = 1;
    })
    .await
}

#[tokio::test]
async fn a_client_whose_unfinished_bodies_use_up_its_share_gets_429_and_others_do_not() {
    let app = small_budget().await;
    let first = unfinished(&app, "198.51.100.1").await;
    held(&app, LARGE..=1_000_000).await;
    for _ in 0..5 {
        let answer = head_of_answer(&mut unfinished(&app, "198.51.100.1").await).await;
        assert!(answer.starts_with("http/1.1 429 "), "{answer}");
        assert!(answer.contains("retry-after: 5\r\n"), "{answer}");
        assert!(app.bodies.held() <= 1_000_000, "memory stays flat");
    }
    app.stored(json!({})).await;
    drop(first);
    held(&app, 0..=0).await;
    let whole = app
        .http
        .post(app.url("/auth/v1/recover"))
        .header("x-forwarded-for", "198.51.100.1")
        .header("content-type", "application/json")
        .body(format!("{{}}{}", " ".repeat(LARGE)))
        .send();
    assert_ne!(
        whole.await.unwrap().status(),
        429,
        "its share is free again"
    );
}

#[tokio::test]
async fn bodies_beyond_the_budget_of_the_server_get_503_and_small_ones_still_fit() {
    let app = small_budget().await;
    let _first = unfinished(&app, "198.51.100.1").await;
    held(&app, LARGE..=1_000_000).await;
    let answer = head_of_answer(&mut unfinished(&app, "198.51.100.2").await).await;
    assert!(answer.starts_with("http/1.1 503 "), "{answer}");
    assert!(answer.contains("retry-after: "), "{answer}");
    assert!(app.bodies.held() <= 1_000_000);
    app.stored(json!({})).await;
}

#[tokio::test]
async fn a_broken_chunk_is_400_at_once() {
    let app = TestApp::start().await;
    for (path, content_type) in [
        ("/api/quotes", "application/json"),
        ("/auth/v1/recover", "application/json"),
        ("/quote", "application/x-www-form-urlencoded"),
        (
            "/auth/v1/verify/confirm",
            "application/x-www-form-urlencoded",
        ),
    ] {
        for chunk in [
            "zz\r\nab\r\n0\r\n\r\n",
            "2\r\nabXX",
            "ffffffffffffffffff\r\n",
        ] {
            let mut stream = TcpStream::connect(app.address).await.unwrap();
            let request = format!(
                "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {content_type}\r\n\
                 transfer-encoding: chunked\r\n\r\n{chunk}"
            );
            stream.write_all(request.as_bytes()).await.unwrap();
            let answer = head_of_answer(&mut stream).await;
            assert!(
                answer.starts_with("http/1.1 400 "),
                "{path} {chunk:?}: {answer}"
            );
        }
    }
}

#[tokio::test]
async fn a_form_post_from_a_rebound_name_is_rejected() {
    let app = TestApp::start().await;
    let own = app.address;
    for (host, origin, expected) in [
        ("evil.example", "http://evil.example", 403),
        ("evil.example", "http://127.0.0.1:1", 403),
        (&own.to_string(), &format!("http://{own}"), 422),
        ("localhost:8080", "http://localhost:8080", 422),
    ] {
        for path in ["/quote", "/contact"] {
            let mut stream = TcpStream::connect(own).await.unwrap();
            let request = format!(
                "POST {path} HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nconnection: close\r\n\
                 content-type: application/x-www-form-urlencoded\r\ncontent-length: 0\r\n\r\n"
            );
            stream.write_all(request.as_bytes()).await.unwrap();
            let answer = head_of_answer(&mut stream).await;
            let status = format!("http/1.1 {expected} ");
            assert!(
                answer.starts_with(&status),
                "{path} {host} {origin}: {answer}"
            );
        }
    }
}
