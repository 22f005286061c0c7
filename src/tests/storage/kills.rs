//! The server is killed during uploads: each file is whole or absent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::visitors;
use crate::support::visitors::quote;

/// Settings with which one machine may send as much as many clients.
pub(super) const CONFIG: &str =
    "[server]\ntrusted_proxies = [\"127.0.0.0/8\"]\n[limits]\napi_per_minute = 1000000\n";
/// Number of kills.
const KILLS: u32 = 8;
/// Uploads at once.
const UPLOADS: u32 = 4;

/// A document of some hundred kilobytes that depends on `n`.
fn document(n: u32) -> Vec<u8> {
    let mut content = format!("%PDF-1.7\n% {n}\n").into_bytes();
    content.resize(300_000 + n as usize, b'x');
    content
}

/// Requests quotes with a file each until the server is gone.
async fn send(http: reqwest::Client, origin: String, next: Arc<AtomicU32>) -> Vec<String> {
    let mut acknowledged = Vec::new();
    loop {
        let n = next.fetch_add(1, Ordering::Relaxed);
        let body = quote(json!({"location": format!("Houston, lot {n}"), "attachments": true}));
        let asked = visitors::ask(&http, &origin, &visitors::visitor(n), None, &body).await;
        let Ok(asked) = asked else {
            return acknowledged;
        };
        let Ok(receipt) = asked.json::<Value>().await else {
            return acknowledged;
        };
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let (url, token) = (
            text(&receipt["uploads"]["url"]),
            text(&receipt["uploads"]["token"]),
        );
        let sent = http
            .put(format!("{origin}{url}plan.pdf?token={token}"))
            .body(document(n))
            .send();
        match sent.await {
            Ok(answer) if answer.status().is_success() => {
                acknowledged.push(text(&receipt["id"]));
            }
            Ok(answer) => panic!("{}", answer.status()),
            Err(_) => return acknowledged,
        }
    }
}

/// Kills the server of `cli` again and again while visitors send files; returns the requests whose
/// files were acknowledged.
pub(super) async fn kill_during_uploads(cli: &Cli) -> Vec<String> {
    let next = Arc::new(AtomicU32::new(0));
    let mut acknowledged = Vec::new();
    let mut pause = Duration::from_millis(150);
    for _ in 0..KILLS {
        let server = ServerProcess::start(cli, &[]);
        let http = reqwest::Client::new();
        let clients: Vec<_> = (0..UPLOADS)
            .map(|_| tokio::spawn(send(http.clone(), server.origin(), next.clone())))
            .collect();
        tokio::time::sleep(pause).await;
        server.kill();
        for client in clients {
            acknowledged.extend(client.await.unwrap());
        }
        // At another point of the uploads each time; a slow machine needs longer for the first one.
        pause = match acknowledged.is_empty() {
            true => 2 * pause,
            false => pause + Duration::from_millis(37),
        };
    }
    assert!(!acknowledged.is_empty());
    acknowledged
}

/// Checks that each listed file is whole, which `read` returns by its SHA-256, and that every
/// acknowledged one is listed.
pub(super) fn all_are_whole(cli: &Cli, acknowledged: &[String], read: impl Fn(&str) -> Vec<u8>) {
    let check = cli.run_ok(&["files", "check", "--json"]);
    let check: Value = serde_json::from_str(&check).unwrap();
    assert_eq!(check["without_bytes"], json!([]));
    let listed = cli.run_ok(&["files", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let listed = listed.as_array().unwrap();
    for id in acknowledged {
        let key = format!("{id}/plan.pdf");
        assert!(
            listed.iter().any(|file| file["key"] == key.as_str()),
            "{key} is lost"
        );
    }
    for file in listed {
        let sha256 = file["sha256"].as_str().unwrap();
        assert_eq!(hex::encode(Sha256::digest(read(sha256))), sha256);
    }
}

/// Checks that a start sweeps the temporary files of uploads that a kill has cut.
pub(super) async fn a_start_sweeps_temporary_files(cli: &Cli) {
    let server = ServerProcess::start(cli, &[]);
    let tmp = cli.path("data/files/tmp");
    let is_empty = || std::fs::read_dir(&tmp).is_ok_and(|mut entries| entries.next().is_none());
    for _ in 0..200 {
        if is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert!(is_empty(), "the start sweeps temporary files");
    let (is_clean, log) = server.stop("-TERM");
    assert!(is_clean, "{log}");
}

#[tokio::test]
async fn a_killed_server_leaves_each_file_whole_or_absent() {
    let cli = Cli::new();
    std::fs::write(cli.path("config.toml"), CONFIG).unwrap();
    let acknowledged = kill_during_uploads(&cli).await;
    all_are_whole(&cli, &acknowledged, |sha256| {
        let path = cli.path(&format!("data/files/{}/{sha256}", &sha256[..2]));
        std::fs::read(path).unwrap()
    });
    a_start_sweeps_temporary_files(&cli).await;
}
