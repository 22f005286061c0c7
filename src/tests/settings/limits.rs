//! `[limits]`

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::app::TestApp;

#[tokio::test]
async fn form_posts_are_limited_within_a_window() {
    let app = TestApp::with(|config| {
        config.limits.form_max = 2;
        config.limits.form_window_ms = 60_000;
    })
    .await;
    let client = "198.51.100.1";
    for lot in ["Lot 1", "Lot 2"] {
        assert_eq!(app.met(client, lot).await, StatusCode::CREATED);
    }
    let refused = app.met(client, "Lot 3").await;
    assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS);
    app.clock.advance(60_000);
    assert_eq!(app.met(client, "Lot 3").await, StatusCode::CREATED);
}

#[tokio::test]
async fn failed_sign_ins_per_account_are_limited() {
    let app = TestApp::with(|config| config.limits.account_failures_per_hour = 2).await;
    let wrong = json!({ "email": "max@guard.example", "password": "a guess" });
    let statuses = [400, 400, 429];
    for status in statuses {
        assert_eq!(sign_in(&app, &wrong).await, status);
    }
    // One of two an hour comes back after half an hour.
    app.clock.advance(30 * 60_000);
    assert_eq!(sign_in(&app, &wrong).await, 400);
}

async fn sign_in(app: &TestApp, body: &Value) -> u16 {
    let path = "/token?grant_type=password";
    app.auth_post(path, body.clone()).await.status
}

#[tokio::test]
async fn the_interval_between_emails_of_a_kind_is_a_setting() {
    let app = TestApp::with(|config| config.limits.mail_interval_seconds = 10).await;
    app.join("max@guard.example").await;
    let ask = || app.auth_post("/recover", json!({ "email": "max@guard.example" }));
    ask().await.ok();
    app.clock.advance(9_999);
    assert_eq!(ask().await.status, 429);
    app.clock.advance(1);
    ask().await.ok();
}
