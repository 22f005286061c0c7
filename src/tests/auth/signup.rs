//! Sign-up: it reveals no account, and no one can prepare an account for another person.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::people::PASSWORD;

async fn open() -> TestApp {
    TestApp::with(|config| config.auth.signup = true).await
}

fn signup(email: &str) -> Value {
    json!({ "email": email, "password": PASSWORD, "data": { "name": "Eve" } })
}

#[tokio::test]
async fn a_sign_up_just_after_the_confirmation_gets_the_same_response() {
    let app = open().await;
    let eve = "eve@guard.example";
    let first = app.auth_post("/signup", signup(eve)).await.ok();
    let soon = app.auth_post("/signup", signup(eve)).await;
    assert_eq!(soon.error(), (429, "over_email_send_rate_limit"));
    let code = app.mail_to(eve).await.code();
    let confirm = json!({ "type": "signup", "email": eve, "token": code });
    app.auth_post("/verify", confirm).await.ok();
    let again = app.auth_post("/signup", signup(eve)).await.ok();
    assert_ne!(again["id"], first["id"]);
    assert_eq!(again["identities"], json!([]));
}

#[tokio::test]
async fn a_strangers_password_is_discarded_when_the_owner_signs_in_another_way() {
    let app = open().await;
    app.auth_post("/signup", signup("eve@guard.example"))
        .await
        .ok();
    // The order of emails sent at the same time is undefined: the second is sent a minute later.
    app.clock.advance(61_000);
    app.auth_post("/otp", json!({ "email": "eve@guard.example" }))
        .await
        .ok();
    let mail = app.mail_to("eve@guard.example").await;
    app.auth_post(
        "/verify",
        json!({ "type": "email", "email": "eve@guard.example", "token": mail.code() }),
    )
    .await
    .ok();
    let login = json!({ "email": "eve@guard.example", "password": PASSWORD });
    let stranger = app.auth_post("/token?grant_type=password", login).await;
    assert_eq!(stranger.error(), (400, "invalid_credentials"));
}

#[tokio::test]
async fn with_autoconfirm_a_sign_up_creates_a_session() {
    let app = TestApp::with(|config| {
        config.auth.signup = true;
        config.auth.autoconfirm = true;
    })
    .await;
    let session = app
        .auth_post("/signup", signup("eve@guard.example"))
        .await
        .ok();
    app.auth_get("/user", session["access_token"].as_str().unwrap())
        .await
        .ok();
    let again = app.auth_post("/signup", signup("eve@guard.example")).await;
    assert_eq!(again.error(), (422, "user_already_exists"));
}
