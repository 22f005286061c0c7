//! PKCE: the code is useless without the verifier, and works once.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::AuthResponse;
use super::emails::token_of;
use crate::support::app::TestApp;

const MAX: &str = "max@guard.example";
pub(super) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

fn challenge() -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER))
}

fn recovery_body(method: &str, challenge: &str) -> Value {
    json!({ "email": MAX, "code_challenge": challenge, "code_challenge_method": method })
}

/// The code that a browser gets for confirming a link.
pub(super) async fn code(app: &TestApp) -> String {
    app.auth_post("/recover", recovery_body("s256", &challenge()))
        .await
        .ok();
    let link = app.mail_to(MAX).await.link().unwrap();
    assert!(token_of(&link).starts_with("pkce_"));
    let pressed = app.confirm(&link).await;
    assert_eq!(
        pressed.fragment("access_token"),
        None,
        "no session without the verifier"
    );
    pressed.query("code").unwrap()
}

pub(super) async fn exchange(app: &TestApp, code: &str, verifier: &str) -> AuthResponse {
    let body = json!({ "auth_code": code, "code_verifier": verifier });
    app.auth_post("/token?grant_type=pkce", body).await
}

async fn app_with_user() -> TestApp {
    let app = TestApp::with(|config| config.limits.mail_interval_seconds = 0).await;
    app.join(MAX).await;
    app
}

#[tokio::test]
async fn a_code_ends_after_five_minutes() {
    let app = app_with_user().await;
    let code = code(&app).await;
    app.clock.advance(300_000);
    assert_eq!(
        exchange(&app, &code, VERIFIER).await.error(),
        (422, "flow_state_expired")
    );
}

#[tokio::test]
async fn weak_and_incomplete_challenges_are_rejected_everywhere() {
    let app = TestApp::with(|config| config.auth.signup = true).await;
    let member = app.member().await;
    let good = challenge();
    for path in ["/signup", "/otp", "/recover", "/resend"] {
        for (method, challenge) in [
            ("plain", good.as_str()),
            ("", &good),
            ("s256", ""),
            ("s256", "short"),
            ("s256", &"x".repeat(129)),
        ] {
            let mut body = recovery_body(method, challenge);
            body["password"] = json!(crate::support::people::PASSWORD);
            body["type"] = json!("signup");
            let answer = app.auth_post(path, body).await;
            assert_eq!(
                answer.error(),
                (400, "validation_failed"),
                "{path} {method} {challenge}"
            );
        }
    }
    let plain = json!({ "email": "new@guard.example", "code_challenge": good,
        "code_challenge_method": "plain" });
    let answer = app
        .auth_call(
            reqwest::Method::PUT,
            "/user",
            Some(&member.access_token),
            Some(plain),
        )
        .await;
    assert_eq!(answer.error(), (400, "validation_failed"));
}

#[tokio::test]
async fn a_link_whose_pkce_prefix_is_removed_still_needs_the_verifier() {
    let app = app_with_user().await;
    app.auth_post("/recover", recovery_body("s256", &challenge()))
        .await
        .ok();
    let link = app.mail_to(MAX).await.link().unwrap();
    let token = token_of(&link);
    let bare = token.strip_prefix("pkce_").unwrap();
    for token_hash in [bare, &token] {
        let body = json!({ "type": "recovery", "token_hash": token_hash });
        let answer = app.auth_post("/verify", body).await;
        assert_eq!(answer.error(), (403, "otp_expired"));
    }
    let pressed = app.confirm(&link.replace("pkce_", "")).await;
    assert_eq!(pressed.fragment("access_token"), None);
    let code = pressed.query("code").unwrap();
    exchange(&app, &code, VERIFIER).await.ok();
}

#[tokio::test]
async fn wrong_codes_links_and_verifiers_are_audited_with_subject_and_client() {
    let app = TestApp::with(|config| config.limits.mail_interval_seconds = 0).await;
    let id = app.join(MAX).await;
    let last = async || {
        let row = app.audit_trail(1).await.remove(0);
        app.clock.advance(1);
        assert_eq!(row.action, "sign_in_failed");
        assert!(row.client.is_some());
        (
            row.detail["method"].as_str().unwrap().to_owned(),
            row.subject_id,
        )
    };
    let code = code(&app).await;
    app.clock.advance(1);
    let wrong = json!({ "type": "recovery", "email": MAX, "token": "000000" });
    app.auth_post("/verify", wrong).await;
    assert_eq!(last().await, ("otp".to_owned(), Some(id.clone())));
    let unknown = json!({ "type": "recovery", "email": "no@guard.example", "token": "000000" });
    app.auth_post("/verify", unknown).await;
    let (method, subject) = last().await;
    assert_eq!(method, "otp");
    assert!(subject.is_some_and(|subject| subject != id && !subject.contains('@')));
    let link = json!({ "type": "recovery", "token_hash": "0".repeat(56) });
    app.auth_post("/verify", link).await;
    assert_eq!(last().await, ("link".to_owned(), None));
    exchange(&app, "code", VERIFIER).await;
    assert_eq!(last().await, ("pkce".to_owned(), None));
    exchange(&app, &code, &"x".repeat(43)).await;
    assert_eq!(last().await, ("recovery".to_owned(), Some(id)));
}
