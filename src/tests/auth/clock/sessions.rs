//! A changed clock and sessions: their tokens and keys, and what is kept on record.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::{DAY, Jump, MAX, SECOND};
use crate::auth::refresh::{refresh, token};

pub(super) async fn tokens_of_a_session(jump: Jump<'_>) {
    let app = jump.app;
    let person = app.sign_in(MAX).await;
    jump.apply().await;
    let session = refresh(app, &person.refresh_token).await.ok();
    let fresh = session["access_token"].as_str().unwrap();
    app.auth_get("/user", fresh).await.ok();
}

pub(super) async fn an_idle_session(jump: Jump<'_>) {
    let app = jump.app;
    let person = app.sign_in(MAX).await;
    jump.apply().await;
    app.clock.advance(7 * DAY);
    assert_eq!(refresh(app, &person.refresh_token).await.status, 400);
}

pub(super) async fn the_longest_session(jump: Jump<'_>) {
    let app = jump.app;
    let mut last = app.sign_in(MAX).await.refresh_token;
    jump.apply().await;
    for _ in 0..5 {
        last = token(&refresh(app, &last).await.ok());
        app.clock.advance(6 * DAY);
    }
    assert_eq!(refresh(app, &last).await.status, 400);
}

pub(super) async fn a_refresh_token_that_was_used(jump: Jump<'_>) {
    let app = jump.app;
    let stolen = app.sign_in(MAX).await.refresh_token;
    let second = token(&refresh(app, &stolen).await.ok());
    let third = token(&refresh(app, &second).await.ok());
    jump.apply().await;
    app.clock.advance(10 * SECOND);
    let theft = refresh(app, &stolen).await;
    assert_eq!(theft.error(), (400, "refresh_token_already_used"));
    assert_eq!(refresh(app, &third).await.status, 400, "the session ended");
}

pub(super) async fn a_new_signing_key(jump: Jump<'_>) {
    let app = jump.app;
    let kid = app.auth.rotate_keys(app.folder.path()).await.unwrap();
    app.clock.advance(6 * SECOND);
    app.sign_in(MAX).await;
    jump.apply().await;
    app.sign_in(MAX).await;
    app.clock.advance(600 * SECOND);
    let person = app.sign_in(MAX).await;
    let footer = person.access_token.rsplit('.').next().unwrap();
    let footer = URL_SAFE_NO_PAD.decode(footer).unwrap();
    let footer: Value = serde_json::from_slice(&footer).unwrap();
    assert_eq!(footer["kid"], json!(kid), "the new key signs");
    app.clock.advance(2 * 900 * SECOND);
    let set = app.http.get(app.url("/auth/v1/.well-known/jwks.json"));
    let set: Value = set.send().await.unwrap().json().await.unwrap();
    assert_eq!(
        set["keys"].as_array().unwrap().len(),
        1,
        "the old one ended"
    );
}

pub(super) async fn what_is_kept_on_record(jump: Jump<'_>) {
    let app = jump.app;
    app.sign_in(MAX).await;
    app.stored(json!({})).await;
    app.run_outbox().await;
    let before = app.rows("audit").await;
    jump.apply().await;
    app.mailbox_worker().run_housekeeping().await;
    assert_eq!(app.rows("audit").await, before);
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 1);
    assert_eq!(app.rows("sessions").await, 1);
}
