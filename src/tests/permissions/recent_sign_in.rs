//! Erasing a person, exporting lists and publishing need a sign-in of the last ten minutes.

use reqwest::Method;
use serde_json::{Value, json};

use crate::auth::factors::{totp_code, verify_factor, with_factor};
use crate::support::app::TestApp;
use crate::support::people::PASSWORD;

/// More than ten minutes, in milliseconds, and less than an access token lasts.
const LONG: i64 = 601_000;

/// Status and `code` of a try to export.
async fn export(app: &TestApp, token: &str) -> (u16, String) {
    let answer = app
        .call(token, Method::GET, "/api/admin/export", Value::Null)
        .await;
    let status = answer.status().as_u16();
    let body: Value = answer.json().await.unwrap_or_default();
    (status, body["code"].as_str().unwrap_or_default().to_owned())
}

fn needed() -> (u16, String) {
    (403, "reauthentication_needed".to_owned())
}

async fn reauthenticate(app: &TestApp, token: &str, body: Value) -> (u16, String) {
    let path = "/auth/v1/account/reauthenticate";
    let answer = app.call(token, Method::POST, path, body).await;
    let status = answer.status().as_u16();
    let body: Value = answer.json().await.unwrap_or_default();
    let code = body["error_code"].as_str().unwrap_or_default();
    (status, code.to_owned())
}

#[tokio::test]
async fn an_old_sign_in_neither_erases_nor_exports_nor_publishes() {
    let app = TestApp::start().await;
    let token = app.admin().await.access_token;
    app.stored(json!({})).await;
    app.clock.advance(LONG);
    let erase = json!({ "email": "maria@property.example", "confirm": "maria@property.example" });
    for (method, path, body) in [
        (Method::GET, "/api/admin/export", Value::Null),
        (Method::POST, "/api/admin/person/erase", erase.clone()),
        (
            Method::POST,
            "/api/admin/site/publish",
            json!({ "version": 0, "drafts": {} }),
        ),
        (
            Method::POST,
            "/api/admin/site/back",
            json!({ "version": 0 }),
        ),
    ] {
        let answer = app.call(&token, method, path, body).await;
        assert_eq!(answer.status(), 403, "{path}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(problem["code"], "reauthentication_needed", "{path}");
        assert_eq!(problem["title"], "Confirm that it is you", "{path}");
    }
    assert_eq!(app.rows("quotes").await, 1);
    let read = app
        .call(&token, Method::GET, "/api/admin/inbox", Value::Null)
        .await;
    assert_eq!(read.status(), 200, "the daily work needs no new sign-in");

    let password = json!({ "password": PASSWORD });
    let proved = reauthenticate(&app, &token, password).await;
    assert_eq!(proved, (204, String::new()));
    let erased = app
        .call(&token, Method::POST, "/api/admin/person/erase", erase)
        .await;
    assert_eq!(erased.status(), 200);
    assert_eq!(app.rows("quotes").await, 0);
    assert_eq!(app.rows("audit WHERE action = 'reauthenticated'").await, 1);
}

#[tokio::test]
async fn a_wrong_password_proves_nothing_and_counts_as_a_try() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.clock.advance(LONG);
    let token = &admin.access_token;
    let both = json!({ "password": PASSWORD, "nonce": "123456" });
    for body in [json!({}), both] {
        let refused = reauthenticate(&app, token, body).await;
        assert_eq!(refused, (400, "validation_failed".to_owned()));
    }
    let mut last = String::new();
    for _ in 0..30 {
        let wrong = json!({ "password": "not the password at all" });
        let (status, code) = reauthenticate(&app, token, wrong).await;
        assert!([422, 429].contains(&status), "{status}");
        last = code;
    }
    assert_eq!(last, "over_request_rate_limit");
    assert_eq!(export(&app, token).await, needed());
    let nobody = reauthenticate(&app, "noise", json!({ "password": PASSWORD })).await;
    assert_eq!(nobody.0, 403);
}

#[tokio::test]
async fn an_emailed_code_and_a_second_factor_are_proofs_too() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let token = &admin.access_token;
    app.clock.advance(LONG);
    assert_eq!(export(&app, token).await, needed());
    app.auth_get("/reauthenticate", token).await.ok();
    let code = app.mail_to(&admin.email).await.code();
    let wrong = reauthenticate(&app, token, json!({ "nonce": "000000" })).await;
    assert_eq!(wrong, (422, "reauthentication_not_valid".to_owned()));
    let right = reauthenticate(&app, token, json!({ "nonce": code })).await;
    assert_eq!(right.0, 204);
    assert_eq!(export(&app, token).await.0, 200);
    let again = reauthenticate(&app, token, json!({ "nonce": code })).await;
    assert_eq!(again.0, 422, "a code works once");

    let user = with_factor(&app, app.sign_in(&admin.email).await).await;
    app.clock.advance(LONG);
    let token = &user.person.access_token;
    assert_eq!(export(&app, token).await, needed());
    let code = totp_code(&app, &user.secret, 0);
    let verified = verify_factor(&app, &user.person, &user.factor, &code);
    verified.await.ok();
    assert_eq!(export(&app, token).await.0, 200);
}

#[tokio::test]
async fn who_holds_an_old_session_makes_no_proof_of_their_own() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.clock.advance(LONG);
    let changed = json!({ "password": "a second lantern at the gate" });
    let token = Some(admin.access_token.as_str());
    let refused = app
        .auth_call(Method::PUT, "/user", token, Some(changed.clone()))
        .await;
    assert_eq!(refused.error(), (400, "reauthentication_needed"));
    let user = with_factor(&app, admin).await;
    let token = &user.person.access_token;
    assert_eq!(
        export(&app, token).await,
        needed(),
        "a factor of this session"
    );
    let password = json!({ "password": PASSWORD });
    assert_eq!(reauthenticate(&app, token, password).await.0, 204);
    assert_eq!(export(&app, token).await.0, 200);
    app.auth_call(Method::PUT, "/user", Some(token), Some(changed))
        .await
        .ok();
}
