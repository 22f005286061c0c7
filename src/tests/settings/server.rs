//! `[server]`

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::app::TestApp;
use crate::cli_process::{Cli, ServerProcess};

/// Longer than any setting here, shorter than the defaults.
const SOON: Duration = Duration::from_secs(8);

#[tokio::test]
async fn the_server_listens_where_it_is_told() {
    let cli = Cli::new();
    let settings = "[server]\nlisten = \"127.0.0.2:0\"\n";
    std::fs::write(cli.path("config.toml"), settings).unwrap();
    let server = ServerProcess::run(cli.command(&["serve"]));
    let origin = server.origin();
    assert!(origin.starts_with("http://127.0.0.2:"), "{origin}");
    let health = reqwest::get(format!("{origin}/healthz")).await.unwrap();
    assert_eq!(health.status(), StatusCode::OK);
}

#[tokio::test]
async fn only_a_trusted_proxy_tells_clients_apart() {
    for (trusted, second) in [
        (vec!["127.0.0.0/8".parse().unwrap()], StatusCode::CREATED),
        (vec![], StatusCode::TOO_MANY_REQUESTS),
    ] {
        let app = TestApp::with(|config| {
            config.server.trusted_proxies = trusted;
            config.limits.form_max = 1;
        })
        .await;
        let first = app.met("198.51.100.1", "Lot 1").await;
        assert_eq!(first, StatusCode::CREATED);
        assert_eq!(app.met("198.51.100.2", "Lot 2").await, second);
    }
}

/// Sends a request of which the last byte of the body is missing.
async fn begin(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = "POST /api/contact HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    let request = format!("{head}content-length: 2\r\nexpect: 100-continue\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    // It is being read when the server says that the body may come.
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).await.unwrap();
    stream.write_all(b"{").await.unwrap();
    stream
}

#[tokio::test]
async fn a_body_has_its_time_and_no_more() {
    let app = TestApp::with(|config| config.server.body_seconds = 1).await;
    let mut stream = begin(&app.address.to_string()).await;
    let mut status = [0; 12];
    let answer = timeout(SOON, stream.read_exact(&mut status)).await;
    answer.expect("an answer comes soon").unwrap();
    assert_eq!(&status, b"HTTP/1.1 408");
}

#[tokio::test]
async fn a_stop_waits_for_a_slow_request_as_long_as_it_is_told() {
    let cli = Cli::new();
    let settings = "[server]\nlisten = \"127.0.0.1:0\"\nshutdown_seconds = 1\n";
    std::fs::write(cli.path("config.toml"), settings).unwrap();
    let server = ServerProcess::run(cli.command(&["serve"]));
    let address = server.origin().replace("http://", "");
    let _slow = begin(&address).await;
    let asked = Instant::now();
    let (good, log) = server.stop("-TERM");
    assert!(good, "{log}");
    let took = asked.elapsed();
    assert!(took >= Duration::from_secs(1), "it did not wait: {took:?}");
    assert!(took < SOON, "it waited too long: {took:?}");
}
