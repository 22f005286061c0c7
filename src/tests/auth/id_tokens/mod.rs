//! Sign-in with an id_token: who must have issued it, what it must contain, and which account it
//! opens.

mod accounts;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::AuthResponse;
use crate::support::app::TestApp;
use crate::support::issuer::{Issuer, sha256_hex};

/// An app with the issuer as provider `acme` and open sign-up.
async fn app_with(issuer: &Issuer) -> TestApp {
    TestApp::with(|config| {
        config.auth.signup = true;
        issuer.configure(config, "acme");
    })
    .await
}

async fn acme() -> (Issuer, TestApp) {
    let issuer = Issuer::start("248289761001", "ann@example.com").await;
    let app = app_with(&issuer).await;
    (issuer, app)
}

async fn sign_in_with(app: &TestApp, token: &str, more: Value) -> AuthResponse {
    let mut body = json!({ "provider": "acme", "id_token": token });
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    app.auth_post("/token?grant_type=id_token", body).await
}

async fn sign_in(app: &TestApp, token: &str) -> AuthResponse {
    sign_in_with(app, token, json!({})).await
}

#[tokio::test]
async fn keys_are_cached_ten_minutes_and_fetched_at_most_once_a_minute() {
    let (issuer, app) = acme().await;
    sign_in(&app, &issuer.token(json!({}))).await.ok();
    sign_in(&app, &issuer.token(json!({}))).await.ok();
    assert_eq!(issuer.state().asked, 1);
    issuer.change_key("second");
    assert_eq!(sign_in(&app, &issuer.token(json!({}))).await.status, 400);
    assert_eq!(issuer.state().asked, 1, "too soon to ask again");
    advance_clocks(&app, &issuer, 60);
    sign_in(&app, &issuer.token(json!({}))).await.ok();
    assert_eq!(issuer.state().asked, 2);
    advance_clocks(&app, &issuer, 599);
    sign_in(&app, &issuer.token(json!({}))).await.ok();
    assert_eq!(issuer.state().asked, 2);
    advance_clocks(&app, &issuer, 1);
    sign_in(&app, &issuer.token(json!({}))).await.ok();
    assert_eq!(issuer.state().asked, 3);
}

fn advance_clocks(app: &TestApp, issuer: &Issuer, seconds: i64) {
    app.clock.advance(seconds * 1000);
    issuer.state().clock.advance(seconds * 1000);
}

#[tokio::test]
async fn an_unreachable_provider_is_a_server_error_that_can_be_retried() {
    let issuer = Issuer::start("248289761001", "ann@example.com").await;
    let app = app_with(&issuer).await;
    let token = issuer.token(json!({}));
    drop(issuer);
    tokio::task::yield_now().await;
    let answer = sign_in(&app, &token).await;
    assert_eq!(answer.status, 503);
    assert!(answer.headers.contains_key("retry-after"));
}

#[tokio::test]
async fn an_id_token_works_once_within_its_lifetime() {
    let (issuer, app) = acme().await;
    let nonce = json!({ "nonce": "raw" });
    let token = issuer.token(json!({ "nonce": sha256_hex("raw") }));
    sign_in_with(&app, &token, nonce.clone()).await.ok();
    // The same claims under another signature are the same token: with ECDSA anyone can rewrite a
    // signature.
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let rewritten = format!("{signed}.{}", other_signature(signature));
    for copy in [&token, &rewritten] {
        let replayed = sign_in_with(&app, copy, nonce.clone()).await;
        assert_eq!(replayed.error(), (400, "validation_failed"));
        assert_eq!(
            replayed.body["message"],
            "The id_token has been used already"
        );
    }
    advance_clocks(&app, &issuer, 359);
    app.auth.clean_up().await.unwrap();
    let replayed = sign_in_with(&app, &token, nonce.clone()).await;
    assert_eq!(
        replayed.body["message"],
        "The id_token has been used already"
    );
    advance_clocks(&app, &issuer, 1);
    let late = sign_in_with(&app, &token, nonce).await;
    assert_eq!(late.body["message"], "The id_token has expired");
    advance_clocks(&app, &issuer, 7 * 86_400);
    app.auth.clean_up().await.unwrap();
    assert_eq!(app.rows("spent").await, 0);
}

/// The other valid signature by the same key: `n - s` instead of `s` (P-256).
fn other_signature(signature: &str) -> String {
    const N: &str = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(signature).unwrap();
    let order = hex::decode(N).unwrap();
    let mut borrow = 0_i16;
    for at in (0..32).rev() {
        let left = i16::from(order[at]) - i16::from(bytes[32 + at]) - borrow;
        borrow = i16::from(left < 0);
        bytes[32 + at] = u8::try_from(left.rem_euclid(256)).unwrap();
    }
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

#[tokio::test]
async fn rejected_tokens_are_audited_with_reason_and_client() {
    let (issuer, app) = acme().await;
    let now = app.clock.now().seconds();
    let expired = issuer.token(json!({ "exp": now - 61 }));
    assert_eq!(sign_in(&app, &expired).await.status, 400);
    let row = app.audit_trail(1).await.remove(0);
    assert_eq!(row.action, "sign_in_failed");
    assert_eq!(row.detail["method"], "oauth");
    assert_eq!((row.subject_id, row.client.is_some()), (None, true));
}
