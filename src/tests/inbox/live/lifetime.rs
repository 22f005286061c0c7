//! Who may open an event stream, how many, and when one ends.

use config::Config;
use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::time::timeout;

use super::{Live, SOON, call, connect, second_admin};
use crate::support::app::TestApp;

#[tokio::test]
async fn the_stream_is_for_admins_and_is_neither_stored_nor_buffered() {
    let app = TestApp::start().await;
    let (admin, member) = (app.admin().await, app.member().await);
    let refused = connect(&app, "nonsense", None).await.status();
    assert_eq!(refused, StatusCode::UNAUTHORIZED);
    let refused = connect(&app, &member.access_token, None).await.status();
    assert_eq!(refused, StatusCode::FORBIDDEN);
    let answer = connect(&app, &admin.access_token, None).await;
    for (name, value) in [
        ("content-type", "text/event-stream"),
        ("cache-control", "no-store"),
        ("x-accel-buffering", "no"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(answer.headers()[name], value, "{name}");
    }
}

#[tokio::test]
async fn an_account_has_eight_streams_and_a_ninth_when_one_is_closed() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let mut open = Vec::new();
    for _ in 0..8 {
        open.push(Live::open(&app, &ada).await);
    }
    let refused = connect(&app, &ada.access_token, None).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()["retry-after"], "60");
    Live::open(&app, &bea).await;
    open.pop();
    let ninth =
        async { while connect(&app, &ada.access_token, None).await.status() != StatusCode::OK {} };
    timeout(SOON, ninth)
        .await
        .expect("the closed stream no longer counts");
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let (one, other) = (
        app.sign_in(&admin.email).await,
        app.sign_in(&admin.email).await,
    );
    let (live, mut stays) = (Live::open(&app, &one).await, Live::open(&app, &other).await);
    let path = "/auth/v1/logout?scope=local";
    let signed_out = call(&app, &one.access_token, Method::POST, path, json!({})).await;
    assert_eq!(signed_out.status(), StatusCode::NO_CONTENT);
    live.ends("session").await;
    let id = app.stored(json!({})).await;
    assert_eq!(
        stays.event().await.data["id"],
        *id,
        "the other session goes on"
    );
}

#[tokio::test]
async fn a_stream_ends_when_another_process_ends_its_session() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    let other = app.beside().await;
    let path = "/auth/v1/logout?scope=global";
    call(&other, &admin.access_token, Method::POST, path, json!({})).await;
    let mut last = live.event().await;
    if last.name == "resync" {
        // The write of the other process, if it was announced before the session was checked.
        last = live.event().await;
    }
    assert_eq!(last.data, json!({"reason": "session"}));
    assert_eq!(live.frame().await, None);
}

#[tokio::test]
async fn a_stream_ends_when_its_user_is_no_longer_an_admin() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let live = Live::open(&app, &bea).await;
    let path = format!("/auth/v1/admin/users/{}", bea.id);
    let body = json!({"ban_duration": "1h"});
    let banned = call(&app, &ada.access_token, Method::PUT, &path, body).await;
    assert_eq!(banned.status(), StatusCode::OK);
    live.ends("session").await;
}

#[tokio::test]
async fn a_stream_ends_when_its_token_expires() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let live = Live::open(&app, &admin).await;
    app.clock.advance(15 * 60_000);
    live.ends("token").await;
}

#[tokio::test]
async fn a_shutdown_ends_streams_at_once() {
    let mut app = TestApp::with(|config| config.server.shutdown_seconds = 60).await;
    let admin = app.admin().await;
    let streams = [
        Live::open(&app, &admin).await,
        Live::open(&app, &admin).await,
    ];
    app.stop();
    for live in streams {
        live.ends("shutdown").await;
    }
}

#[tokio::test]
async fn a_stream_outlives_the_idle_timeout_and_is_not_closed_for_a_new_connection() {
    let app = TestApp::with(|config: &mut Config| {
        config.server.idle_seconds = 1;
        config.server.max_connections = 3;
    })
    .await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    for _ in 0..2 {
        // A connection that is closed when it has been idle for as long as the stream.
        let mut idle = tokio::net::TcpStream::connect(app.address).await.unwrap();
        let request = b"GET /robots.txt HTTP/1.1\r\nhost: x\r\n\r\n";
        tokio::io::AsyncWriteExt::write_all(&mut idle, request)
            .await
            .unwrap();
        let mut answer = Vec::new();
        let closed = tokio::io::AsyncReadExt::read_to_end(&mut idle, &mut answer);
        timeout(SOON, closed).await.expect("closed").unwrap();
    }
    let id = app.stored(json!({})).await;
    assert_eq!(live.event().await.data["id"], *id);
}
