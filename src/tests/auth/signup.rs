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
async fn a_new_user_signs_up_confirms_and_signs_in() {
    let app = open().await;
    let user = app
        .auth_post("/signup", signup("Eve@Guard.example"))
        .await
        .ok();
    assert_eq!(
        (&user["email"], &user["user_metadata"]["name"]),
        (&json!("eve@guard.example"), &json!("Eve"))
    );
    assert_eq!(user["email_confirmed_at"], Value::Null);
    let login = json!({ "email": "eve@guard.example", "password": PASSWORD });
    let early = app
        .auth_post("/token?grant_type=password", login.clone())
        .await;
    assert_eq!(early.error(), (400, "email_not_confirmed"));
    let wrong = json!({ "email": "eve@guard.example", "password": "wrong" });
    let guess = app.auth_post("/token?grant_type=password", wrong).await;
    assert_eq!(
        guess.error(),
        (400, "invalid_credentials"),
        "told only to who knows the password"
    );
    let mail = app.mail_to("eve@guard.example").await;
    let session = app
        .auth_post(
            "/verify",
            json!({ "type": "signup", "email": "eve@guard.example", "token": mail.code() }),
        )
        .await
        .ok();
    assert!(session["user"]["email_confirmed_at"].is_string());
    assert_eq!(
        session["user"]["identities"][0]["identity_data"]["email_verified"],
        true
    );
    app.auth_post("/token?grant_type=password", login)
        .await
        .ok();
}

#[tokio::test]
async fn a_sign_up_with_a_known_address_gets_the_same_response_and_changes_nothing() {
    let app = open().await;
    let id = app.join("max@guard.example").await;
    let before = app.auth.hasher().operations();
    let made_up = app
        .auth_post("/signup", signup("max@guard.example"))
        .await
        .ok();
    let known = app.auth.hasher().operations();
    let fresh = app
        .auth_post("/signup", signup("eve@guard.example"))
        .await
        .ok();
    assert_eq!(known - before, app.auth.hasher().operations() - known);
    let keys = |user: &Value| {
        user.as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(&made_up), keys(&fresh));
    assert_ne!(made_up["id"], json!(id));
    assert_eq!(made_up["app_metadata"], fresh["app_metadata"]);
    assert_eq!(
        (&made_up["identities"], &made_up["role"]),
        (&json!([]), &json!(""))
    );
    assert!(app.mails_to("max@guard.example").await.is_empty());
    app.sign_in("max@guard.example").await;
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
async fn a_second_sign_up_is_pending_beside_the_first_with_its_own_email() {
    let app = open().await;
    let first = app
        .auth_post("/signup", signup("eve@guard.example"))
        .await
        .ok();
    app.clock.advance(60_000);
    let other = json!({ "email": "eve@guard.example", "password": "another lantern, another gate",
        "data": { "name": "Mallory" } });
    let second = app.auth_post("/signup", other).await.ok();
    assert_eq!(
        (&second["id"], &second["user_metadata"]["name"]),
        (&first["id"], &json!("Mallory"))
    );
    let mails = app.mails_to("eve@guard.example").await;
    assert_eq!(mails.len(), 2);
    let verify =
        |code: String| json!({ "type": "signup", "email": "eve@guard.example", "token": code });
    if mails[0].code() != mails[1].code() {
        assert_eq!(
            app.auth_post("/verify", verify(mails[0].code()))
                .await
                .status,
            403
        );
    }
    // The link in the first email still applies its own sign-up: the auth API binds a password to
    // its email.
    let link = mails[0].link().unwrap();
    assert!(app.confirm(&link).await.fragment("access_token").is_some());
    app.sign_in("eve@guard.example").await;
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
async fn malformed_sign_ups_are_rejected_with_a_message() {
    let app = open().await;
    for (body, refusal) in [
        (json!({}), (422, "anonymous_provider_disabled")),
        (
            json!({ "phone": "+15550100", "password": PASSWORD }),
            (400, "phone_provider_disabled"),
        ),
        (
            json!({ "email": "a@b.example", "phone": "+15550100", "password": PASSWORD }),
            (400, "validation_failed"),
        ),
        (
            json!({ "email": "nobody", "password": PASSWORD }),
            (400, "validation_failed"),
        ),
        (
            json!({ "email": "a@b.example" }),
            (400, "validation_failed"),
        ),
        (
            json!({ "email": "a@b.example", "password": "x".repeat(129) }),
            (400, "validation_failed"),
        ),
        (
            json!({ "email": "a@b.example", "password": PASSWORD, "code_challenge": "x" }),
            (400, "validation_failed"),
        ),
        (
            json!({ "email": "a@b.example", "password": "short" }),
            (422, "weak_password"),
        ),
    ] {
        let answer = app.auth_post("/signup", body.clone()).await;
        assert_eq!(answer.error(), refusal, "{body}");
    }
    let weak = app
        .auth_post(
            "/signup",
            json!({ "email": "a@b.example", "password": "password" }),
        )
        .await;
    assert_eq!(
        weak.body["weak_password"]["reasons"],
        json!(["length", "pwned"])
    );
    let own = json!({ "email": "bartholomew.webb@b.example", "password": "bartholomew.webb" });
    assert_eq!(
        app.auth_post("/signup", own).await.body["weak_password"]["reasons"],
        json!(["pwned"])
    );
}

#[tokio::test]
async fn sign_up_is_disabled_by_default() {
    let app = TestApp::start().await;
    let answer = app.auth_post("/signup", signup("eve@guard.example")).await;
    assert_eq!(answer.error(), (422, "signup_disabled"));
    // This endpoint gives known and unknown addresses the same response, so it cannot report the
    // difference.
    let otp = json!({ "email": "eve@guard.example" });
    assert_eq!(app.auth_post("/otp", otp).await.ok(), json!({}));
    assert_eq!(app.rows("users").await, 0);
    assert!(app.mails_to("eve@guard.example").await.is_empty());
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
