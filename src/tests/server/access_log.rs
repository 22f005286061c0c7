//! The access log: one line per request, without personal data.

use std::fs;
use std::time::Duration;

use regex::Regex;
use serde_json::json;
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::support::app::TestApp;
use crate::support::visitors::quote;

const BOUND: Duration = Duration::from_secs(10);

#[tokio::test]
async fn the_access_log_has_one_line_per_request_without_personal_data() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("access.log");
    let app = TestApp::with(|config| config.server.access_log = file.display().to_string()).await;
    let id = "019a0000-0000-7000-8000-000000000000";
    for path in [
        "/?utm_source=jane@example.com",
        "/jane@example.com",
        &format!("/api/admin/quotes/{id}"),
        "/api/jane@example.com",
        "/healthz",
    ] {
        app.http.get(app.url(path)).send().await.unwrap();
    }
    let posted = app
        .http
        .post(app.url("/api/quotes"))
        .json(&quote(json!({})));
    assert_eq!(posted.send().await.unwrap().status(), 201);

    let written = async {
        loop {
            let text = fs::read_to_string(&file).unwrap();
            if text.lines().count() >= 6 {
                return text;
            }
            yield_now().await;
        }
    };
    let text = timeout(BOUND, written).await.unwrap();
    let shapes = [
        r"GET / 200 \d{3,} \d+",
        r"GET - 404 \d+ \d+",
        r"GET /api/admin/quotes/\{id\} 401 \d+ \d+",
        r"GET - 404 \d+ \d+",
        r"GET /healthz 200 \d+ \d+",
        r"POST /api/quotes 201 \d+ \d+",
    ];
    assert_eq!(text.lines().count(), shapes.len(), "{text}");
    for (line, shape) in text.lines().zip(shapes) {
        let whole = format!(r"^2026-11-21T12:00:00\.\d{{3}}Z {shape}$");
        assert!(Regex::new(&whole).unwrap().is_match(line), "{line}");
    }
    for personal in ["jane", "127.0.0.1", "?", id, "maria"] {
        assert!(!text.contains(personal), "{personal}: {text}");
    }
}
