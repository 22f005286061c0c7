//! `[limits]`

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::app::TestApp;

#[tokio::test]
async fn forms_are_limited_to_a_number_in_a_window() {
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
async fn failed_sign_ins_to_an_account_run_out() {
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
async fn the_next_mail_of_a_kind_waits() {
    let app = TestApp::with(|config| config.limits.mail_interval_seconds = 10).await;
    app.join("max@guard.example").await;
    let ask = || app.auth_post("/recover", json!({ "email": "max@guard.example" }));
    ask().await.ok();
    app.clock.advance(9_999);
    assert_eq!(ask().await.status, 429);
    app.clock.advance(1);
    ask().await.ok();
}
