//! The accept loop with hostile, slow and broken clients.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::app::TestApp;

/// Longer than any response takes.
const SOON: Duration = Duration::from_secs(8);

/// Sends `bytes` as they are and reads until the other side closes. `None` when it does not close
/// in time.
async fn raw(app: &TestApp, bytes: &[u8]) -> Option<String> {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    let done = timeout(SOON, stream.read_to_end(&mut answer)).await;
    done.ok()?.ok();
    Some(String::from_utf8_lossy(&answer).into_owned())
}

/// The status code of each response.
fn statuses(answer: &str) -> Vec<&str> {
    let lines = answer.lines().filter(|line| line.starts_with("HTTP/1.1 "));
    lines.map(|line| &line[9..12]).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_slow_drip_connections_do_not_keep_a_visitor_waiting() {
    let app = TestApp::with(|config| config.server.head_seconds = 3).await;
    let mut drips = Vec::new();
    for _ in 0..1000 {
        let mut stream = TcpStream::connect(app.address).await.unwrap();
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: x\r\nx-slow: ")
            .await
            .unwrap();
        drips.push(stream);
    }
    let start = Instant::now();
    let page = app.http.get(app.url("/")).send().await.unwrap();
    assert_eq!(page.status(), 200);
    assert!(
        start.elapsed() < Duration::from_secs(1),
        "{:?}",
        start.elapsed()
    );
    for mut stream in drips {
        // Still dripping does not help: the head has to be whole in time.
        let _ = stream.write_all(b"x").await;
        let mut rest = Vec::new();
        timeout(SOON, stream.read_to_end(&mut rest))
            .await
            .expect("dropped")
            .ok();
        assert!(rest.is_empty());
    }
}

#[tokio::test]
async fn a_connection_that_sends_nothing_is_closed() {
    let app = TestApp::with(|config| config.server.head_seconds = 1).await;
    for opening in [
        &b""[..],
        b"PRI * HTTP/2.0\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let answer = raw(&app, opening).await.expect("the connection is dropped");
        assert!(!answer.contains("200"), "{answer}");
    }
}

#[tokio::test]
async fn connections_beyond_the_limit_wait_for_a_slot() {
    let app = TestApp::with(|config| {
        config.server.max_connections = 1;
        config.server.head_seconds = 1;
    })
    .await;
    let first = TcpStream::connect(app.address).await.unwrap();
    let page = app.http.get(app.url("/healthz")).send().await.unwrap();
    assert_eq!(
        page.status(),
        200,
        "served when the silent one has been dropped"
    );
    drop(first);
}

#[tokio::test]
async fn hostile_heads_and_paths_get_a_clear_error() {
    let app = TestApp::start().await;
    let long = format!(
        "GET /{} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
        "a".repeat(60_000)
    );
    for (bytes, allowed) in [
        (
            "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            &["404"][..],
        ),
        (
            "GET /../../etc/passwd HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            &["404"],
        ),
        (
            "GET /assets/..%2f..%2fCargo.toml HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            &["404"],
        ),
        (
            "GET /%00 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            &["404"],
        ),
        (
            "GET /%ff%fe HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            &["404"],
        ),
        (
            "GET /% HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            &["404", "400"],
        ),
        (
            "GET /a\0b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            &["400"],
        ),
        ("GET / HTTP/1.1\r\nconnection: close\r\n\r\n", &["400"]),
        (
            "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n",
            &["400"],
        ),
        (
            "GET / HTTP/1.1\r\nhost : x\r\nconnection: close\r\n\r\n",
            &["400"],
        ),
        (
            "GET / HTTP/1.1\r\nhost: x\r\nbad name: x\r\nconnection: close\r\n\r\n",
            &["400"],
        ),
        (
            "CONNECT evil.example:443 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            &["400"],
        ),
        (
            "GET * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            &["400"],
        ),
        ("GARBAGE\r\n\r\n", &["400"]),
        (&long, &["414", "431", "404"]),
    ] {
        let answer = raw(&app, bytes.as_bytes())
            .await
            .expect("the connection is closed");
        let shown = &bytes[..bytes.len().min(60)];
        assert_eq!(statuses(&answer).len(), 1, "{shown:?}: {answer}");
        assert!(
            allowed.contains(&statuses(&answer)[0]),
            "{shown:?}: {answer}"
        );
    }
}

#[tokio::test]
async fn a_request_smuggled_in_a_body_is_not_answered() {
    let app = TestApp::start().await;
    let hidden = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    for head in [
        "content-length: 0\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding: chunked\r\ncontent-length: 4\r\n",
        "content-length: 4\r\ncontent-length: 5\r\n",
        "content-length: +4\r\n",
        "content-length: 4, 5\r\n",
        "transfer-encoding: xchunked\r\n",
        "transfer-encoding: chunked, identity\r\n",
        "transfer-encoding: identity, chunked\r\n",
        "transfer-encoding: chunked, chunked\r\n",
        "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding : chunked\r\n",
        "transfer-encoding:\x0bchunked\r\n",
    ] {
        let request = format!(
            "POST /api/quotes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{head}\r\n\
             0\r\n\r\n{hidden}"
        );
        let answer = raw(&app, request.as_bytes())
            .await
            .expect("the connection is closed");
        let got = statuses(&answer);
        assert_eq!(got.len(), 1, "{head:?}: {answer}");
        assert!(got[0].starts_with('4'), "{head:?}: {answer}");
    }
}

#[tokio::test]
async fn a_running_request_is_finished_when_the_server_stops() {
    let mut app = TestApp::start().await;
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let body = "{}";
    let head = format!(
        "POST /api/contact HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
         expect: 100-continue\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).await.unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    app.stop();
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(SOON, stream.read_to_string(&mut answer))
        .await
        .expect("answered and closed")
        .unwrap();
    assert_eq!(statuses(&answer), ["422"], "{answer}");
    assert!(
        answer.to_lowercase().contains("connection: close"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_request_head_has_at_most_16_kb_and_100_headers() {
    let app = TestApp::start().await;
    let get = async |headers: String| {
        let head =
            format!("GET /robots.txt HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n");
        let answer = raw(&app, head.as_bytes()).await.expect("closed");
        assert_eq!(statuses(&answer).len(), 1, "{answer:.100}");
        (head.len(), statuses(&answer)[0].to_owned())
    };
    let fat = |length: usize| format!("x: {}\r\n", "a".repeat(length));
    let (rest, _) = get(fat(0)).await;
    assert_eq!(get(fat(16 * 1024 - rest)).await, (16 * 1024, "200".into()));
    for length in [16 * 1024 + 1, 20_000, 31_000, 40_000] {
        assert_eq!(get(fat(length - rest)).await, (length, "431".into()));
    }
    assert_eq!(get("a: b\r\n".repeat(98)).await.1, "200");
    assert_eq!(get("a: b\r\n".repeat(99)).await.1, "431");
}
