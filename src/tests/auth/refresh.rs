//! Refresh tokens: rotation, lost responses, concurrent tabs, and theft.

use reqwest::Method;
use serde_json::{Value, json};

use super::AuthResponse;
use crate::support::app::TestApp;

pub(super) async fn refresh(app: &TestApp, token: &str) -> AuthResponse {
    app.auth_post(
        "/token?grant_type=refresh_token",
        json!({ "refresh_token": token }),
    )
    .await
}

pub(super) fn token(session: &Value) -> String {
    session["refresh_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_lost_refresh_can_be_repeated_at_any_time() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let lost = refresh(&app, &member.refresh_token).await.ok();
    app.clock.advance(3_600_000);
    let again = refresh(&app, &member.refresh_token).await.ok();
    assert_eq!(token(&again), token(&lost));
    refresh(&app, &token(&again)).await.ok();
}

#[tokio::test]
async fn a_reused_old_token_ends_its_session_and_no_other() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let elsewhere = app.sign_in(&member.email).await;
    let second = token(&refresh(&app, &member.refresh_token).await.ok());
    let third = refresh(&app, &second).await.ok();
    app.clock.advance(10_000);
    let theft = refresh(&app, &member.refresh_token).await;
    assert_eq!(theft.error(), (400, "refresh_token_already_used"));
    assert_eq!(theft.body["message"], "Invalid Refresh Token: Already Used");
    let access = third["access_token"].as_str().unwrap();
    assert_eq!(
        app.auth_get("/user", access).await.error(),
        (403, "session_not_found")
    );
    for dead in [&member.refresh_token, &second, &token(&third)] {
        assert_eq!(
            refresh(&app, dead).await.error(),
            (400, "refresh_token_not_found")
        );
    }
    app.auth_get("/user", &elsewhere.access_token).await.ok();
    refresh(&app, &elsewhere.refresh_token).await.ok();
}

#[tokio::test]
async fn a_session_ends_after_its_idle_time_and_its_maximum_age() {
    let app = TestApp::with(|config| {
        config.auth.session_idle_seconds = 3_600;
        config.auth.session_absolute_seconds = 10_000;
    })
    .await;
    let idle = app.member().await;
    app.clock.advance(3_600_000);
    assert_eq!(
        refresh(&app, &idle.refresh_token).await.error(),
        (400, "session_expired")
    );
    let old = app.sign_in(&idle.email).await;
    let mut last = old.refresh_token;
    for _ in 0..3 {
        app.clock.advance(3_000_000);
        last = token(&refresh(&app, &last).await.ok());
    }
    app.clock.advance(500_000);
    let session = refresh(&app, &last).await.ok();
    assert_eq!(session["expires_in"], 500, "no token outlives its session");
    app.clock.advance(500_000);
    assert_eq!(
        refresh(&app, &token(&session)).await.error(),
        (400, "session_expired")
    );
}

#[tokio::test]
async fn a_user_can_list_and_end_only_its_own_sessions() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let elsewhere = app.sign_in(&member.email).await;
    let admin = app.admin().await;
    let list = app.auth_get("/sessions", &member.access_token).await.ok();
    let sessions = list["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    let other = sessions
        .iter()
        .find(|session| session["current"] == false)
        .unwrap();
    let path = format!("/sessions/{}", other["id"].as_str().unwrap());
    let foreign = app
        .auth_call(Method::DELETE, &path, Some(&admin.access_token), None)
        .await;
    assert_eq!(foreign.error(), (404, "session_not_found"));
    app.auth_call(Method::DELETE, &path, Some(&member.access_token), None)
        .await
        .ok();
    assert_eq!(
        app.auth_get("/user", &elsewhere.access_token).await.error(),
        (403, "session_not_found")
    );
    app.auth_get("/user", &member.access_token).await.ok();
}
