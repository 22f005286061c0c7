//! `[auth]`

use futures_util::FutureExt;
use reqwest::Method;
use serde_json::{Value, json};

use crate::auth::AuthResponse;
use crate::support::app::TestApp;

#[tokio::test]
async fn an_invitation_ends_after_a_day() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut links = Vec::new();
    for email in ["ivy@guard.example", "joe@guard.example"] {
        let body = json!({ "email": email, "role": "admin" });
        let token = Some(admin.access_token.as_str());
        let invited = app.auth_call(Method::POST, "/admin/invite", token, Some(body));
        invited.await.ok();
        links.push(app.mail_to(email).await.link().unwrap());
    }
    for (link, waited, succeeds) in [(&links[0], 86_399_999, true), (&links[1], 1, false)] {
        app.clock.advance(waited);
        let pressed = app.confirm(link).await;
        assert_eq!(pressed.fragment("access_token").is_some(), succeeds);
    }
}

#[tokio::test]
async fn the_length_of_a_password_is_a_setting() {
    let app = TestApp::with(|config| {
        config.auth.signup = true;
        config.auth.password_min_length = 30;
    })
    .await;
    for (password, reasons) in [
        ("A lantern at the 2 north gates", Value::Null),
        ("A lantern at the 2 north gate", json!(["length"])),
    ] {
        let email = format!("{}@guard.example", password.len());
        let body = json!({ "email": email, "password": password });
        let answer = app.auth_post("/signup", body).await;
        assert_eq!(
            answer.body["weak_password"]["reasons"], reasons,
            "{password}"
        );
    }
}

#[tokio::test]
async fn concurrent_and_queued_hashes_are_limited() {
    for (at_once, waiting) in [(1, 0), (3, 0), (1, 4)] {
        let app = TestApp::with(|config| {
            // Slow enough that none is ready while the others arrive.
            config.auth.argon2_memory_kib = 19_456;
            config.auth.argon2_iterations = 2;
            config.auth.hashes_at_once = at_once;
            config.auth.hashes_waiting = waiting;
        })
        .await;
        let hasher = &app.auth.hasher;
        let mut flood: Vec<_> = (0..20)
            .map(|_| Box::pin(hasher.verify("x", None)))
            .collect();
        let answers = flood.iter_mut().filter_map(FutureExt::now_or_never);
        let refused = answers.filter(Result::is_err).count();
        assert_eq!(hasher.running(), at_once as usize);
        assert_eq!(refused, 20 - (at_once + waiting) as usize);
    }
}

#[tokio::test]
async fn the_retention_of_audit_rows_is_a_setting() {
    let app = TestApp::with(|config| config.auth.audit_days = 2).await;
    app.member().await;
    app.clock.advance(2 * 86_400_000 - 1);
    app.auth.clean_up().await.unwrap();
    assert_ne!(app.rows("audit").await, 0);
    app.clock.advance(2);
    app.auth.clean_up().await.unwrap();
    assert_eq!(app.rows("audit").await, 0);
}

#[tokio::test]
async fn wallet_sign_in_is_enabled_per_chain() {
    for (ethereum, solana) in [(true, false), (false, true)] {
        let app = TestApp::with(|config| {
            config.auth.web3.ethereum = ethereum;
            config.auth.web3.solana = solana;
        })
        .await;
        for (chain, on) in [("ethereum", ethereum), ("solana", solana)] {
            let answer = sign_in_with_invalid_signature(&app, chain).await;
            let off = answer.error() == (422, "web3_provider_disabled");
            assert_eq!(!off, on, "{chain}: {:?}", answer.error());
        }
    }
}

/// The response to a message with an invalid signature.
async fn sign_in_with_invalid_signature(app: &TestApp, chain: &str) -> AuthResponse {
    let body = json!({ "chain": chain, "message": "let me in", "signature": "AAAA" });
    app.auth_post("/token?grant_type=web3", body).await
}
