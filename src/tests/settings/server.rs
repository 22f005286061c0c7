//! `[server]`

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::app::TestApp;
use crate::support::cli_process::{Cli, ServerProcess};

/// Longer than any setting here, shorter than the defaults.
const SOON: Duration = Duration::from_secs(8);

#[tokio::test]
async fn the_listening_address_is_a_setting() {
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
async fn only_a_trusted_proxys_forwarded_address_is_used() {
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
async fn start_request(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = "POST /api/contact HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    let request = format!("{head}content-length: 2\r\nexpect: 100-continue\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    // The server sends `100 Continue` when it starts reading the body.
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).await.unwrap();
    stream.write_all(b"{").await.unwrap();
    stream
}

#[tokio::test]
async fn a_shutdown_waits_for_a_slow_request_up_to_the_timeout() {
    let cli = Cli::new();
    let settings = "[server]\nlisten = \"127.0.0.1:0\"\nshutdown_seconds = 1\n";
    std::fs::write(cli.path("config.toml"), settings).unwrap();
    let server = ServerProcess::run(cli.command(&["serve"]));
    let address = server.origin().replace("http://", "");
    let _slow = start_request(&address).await;
    let asked = Instant::now();
    let (good, log) = server.stop("-TERM");
    assert!(good, "{log}");
    let took = asked.elapsed();
    assert!(took >= Duration::from_secs(1), "it did not wait: {took:?}");
    assert!(took < SOON, "it waited too long: {took:?}");
}

#[tokio::test]
async fn the_log_is_text_or_json_and_names_the_missing_trusted_proxy_once() {
    let line = "add to [server]: trusted_proxies = [\"127.0.0.1/32\"]";
    for format in ["text", "json"] {
        let cli = Cli::new();
        let settings = format!("[server]\nlisten = \"127.0.0.1:0\"\nlog_format = \"{format}\"\n");
        std::fs::write(cli.path("config.toml"), settings).unwrap();
        let server = ServerProcess::run(cli.command(&["serve"]));
        let (http, url) = (
            reqwest::Client::new(),
            format!("{}/api/openapi.json", server.origin()),
        );
        for _ in 0..3 {
            let asked = http.get(&url).header("x-forwarded-for", "198.51.100.1");
            assert_eq!(asked.send().await.unwrap().status(), StatusCode::OK);
        }
        assert!(server.banner_url("Dashboard").ends_with("/admin"));
        let (good, log) = server.stop("-TERM");
        assert!(good && !log.contains("198.51.100.1"), "{log}");
        let messages: Vec<String> = match format {
            "json" => log
                .lines()
                .map(|line| {
                    let event: serde_json::Value = serde_json::from_str(line).unwrap();
                    assert!(
                        event["time"].is_string() && event["level"].is_string(),
                        "{event}"
                    );
                    event["message"].as_str().unwrap().to_owned()
                })
                .collect(),
            _ => log.lines().map(str::to_owned).collect(),
        };
        let warnings = messages.iter().filter(|message| message.contains(line));
        assert_eq!(warnings.count(), 1, "{log}");
    }
}
