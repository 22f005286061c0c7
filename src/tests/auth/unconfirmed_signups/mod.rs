//! Sign-ups by attackers: signing up with another person's address gives no access to the later
//! account, and client requests do not replace what an admin has sent.

mod sent_links;
mod sign_ups;

use domain::account::Role;
use reqwest::Method;
use serde_json::{Value, json};

use super::AuthResponse;
use crate::support::app::TestApp;
use crate::support::people::{PASSWORD, Person};

const OWNER: &str = "owner@guard.example";
/// The password of an attacker who signs up with the owner's address.
const STRANGERS_PASSWORD: &str = "a crowbar behind the shed";
const MINUTE: i64 = 60_000;

async fn open() -> TestApp {
    TestApp::with(|config| config.auth.signup = true).await
}

async fn sign_up(app: &TestApp, password: &str, name: &str) -> Value {
    let body = json!({ "email": OWNER, "password": password, "data": { "name": name } });
    app.auth_post("/signup", body).await.ok()
}

async fn sign_in(app: &TestApp, password: &str) -> AuthResponse {
    let body = json!({ "email": OWNER, "password": password });
    app.auth_post("/token?grant_type=password", body).await
}

async fn type_code(app: &TestApp, code: &str) -> AuthResponse {
    let body = json!({ "type": "email", "email": OWNER, "token": code });
    app.auth_post("/verify", body).await
}

async fn admin_call(app: &TestApp, admin: &Person, path: &str, body: Value) -> AuthResponse {
    let bearer = Some(admin.access_token.as_str());
    app.auth_call(Method::POST, path, bearer, Some(body)).await
}

async fn admin_put(app: &TestApp, admin: &Person, id: &Value, body: Value) -> AuthResponse {
    let (bearer, path) = (
        Some(admin.access_token.as_str()),
        format!("/admin/users/{}", id.as_str().unwrap()),
    );
    app.auth_call(Method::PUT, &path, bearer, Some(body)).await
}

/// A wrong code.
fn another(code: &str) -> &'static str {
    if code == "123456" { "654321" } else { "123456" }
}

/// The attacker's password does not work, and neither do the link and code of the attacker's
/// sign-up.
async fn assert_nothing_left(app: &TestApp, mail: &crate::support::mail::Mail, how: &str) {
    let refused = sign_in(app, STRANGERS_PASSWORD).await;
    assert_eq!(refused.error(), (400, "invalid_credentials"), "{how}");
    let pressed = app.confirm(&mail.link().unwrap()).await;
    assert_eq!(pressed.fragment("access_token"), None, "{how}");
    assert_eq!(type_code(app, &mail.code()).await.status, 403, "{how}");
}

#[tokio::test]
async fn a_pending_account_that_an_admin_confirms_or_promotes_loses_the_strangers_data() {
    for (how, body) in [
        ("confirmed", json!({ "email_confirm": true })),
        ("promoted", json!({ "role": "admin" })),
        ("both", json!({ "role": "admin", "email_confirm": true })),
        ("described", json!({ "app_metadata": { "site": "north" } })),
    ] {
        let app = open().await;
        let admin = app.admin().await;
        let pending = sign_up(&app, STRANGERS_PASSWORD, "Eve").await;
        let mail = app.mail_to(OWNER).await;
        let user = admin_put(&app, &admin, &pending["id"], body).await.ok();
        assert_eq!(user["user_metadata"], json!({}), "{how}");
        assert_nothing_left(&app, &mail, how).await;
    }
}

#[tokio::test]
async fn a_password_set_together_with_the_role_is_the_valid_one() {
    let app = open().await;
    let admin = app.admin().await;
    let pending = sign_up(&app, STRANGERS_PASSWORD, "Eve").await;
    let body = json!({ "role": "admin", "email_confirm": true, "password": PASSWORD });
    admin_put(&app, &admin, &pending["id"], body).await.ok();
    assert_eq!(sign_in(&app, STRANGERS_PASSWORD).await.status, 400);
    let owner = Person::of(&sign_in(&app, PASSWORD).await.ok());
    app.auth_get("/admin/users", &owner.access_token).await.ok();
}

#[tokio::test]
async fn create_admin_sets_the_password_of_a_pending_account() {
    let app = open().await;
    sign_up(&app, STRANGERS_PASSWORD, "Eve").await;
    let mail = app.mail_to(OWNER).await;
    let made = app
        .auth
        .create_with_role(OWNER.parse().unwrap(), PASSWORD, Role::Admin);
    made.await.unwrap();
    assert_nothing_left(&app, &mail, "create-admin").await;
    let owner = Person::of(&sign_in(&app, PASSWORD).await.ok());
    app.auth_get("/admin/users", &owner.access_token).await.ok();
}

#[tokio::test]
async fn an_invitation_discards_an_earlier_sign_up() {
    let app = open().await;
    let admin = app.admin().await;
    sign_up(&app, STRANGERS_PASSWORD, "Eve").await;
    let strange = app.mail_to(OWNER).await;
    app.clock.advance(MINUTE);
    let body = json!({ "email": OWNER, "role": "admin" });
    admin_call(&app, &admin, "/admin/invite", body).await.ok();
    assert_nothing_left(&app, &strange, "invited").await;
    // The attacker requests the confirmation again and signs up again: the owner gets invitations.
    for path in ["/resend", "/signup", "/otp"] {
        app.clock.advance(2 * MINUTE);
        let body = json!({ "type": "signup", "email": OWNER, "password": STRANGERS_PASSWORD,
            "data": { "name": "Eve" } });
        let answer = app.auth_post(path, body).await.ok();
        assert_eq!(answer.get("invited_at"), None, "{path} tells nobody of it");
        let mail = app.mail_to(OWNER).await;
        let link = mail.link().unwrap();
        assert!(link.contains("type=invite"), "{path}: {link}");
    }
    let link = app.mail_to(OWNER).await.link().unwrap();
    let pressed = app.confirm(&link).await;
    let token = pressed.fragment("access_token").unwrap();
    let owner = app.auth_get("/user", &token).await.ok();
    assert_eq!(owner["user_metadata"], json!({}));
    assert_eq!(sign_in(&app, STRANGERS_PASSWORD).await.status, 400);
    app.auth_get("/admin/users", &token).await.ok();
}

#[tokio::test]
async fn a_sign_up_sets_no_password_on_an_account_that_an_admin_created() {
    let app = open().await;
    let admin = app.admin().await;
    let made = json!({ "email": OWNER, "role": "admin" });
    admin_call(&app, &admin, "/admin/users", made).await.ok();
    let shown = sign_up(&app, STRANGERS_PASSWORD, "Eve").await;
    assert_eq!(shown["user_metadata"], json!({ "name": "Eve" }));
    let code = app.mail_to(OWNER).await.code();
    let session = type_code(&app, &code).await.ok();
    assert_eq!(session["user"]["user_metadata"], json!({}));
    assert_eq!(sign_in(&app, STRANGERS_PASSWORD).await.status, 400);
}

#[tokio::test]
async fn a_generated_sign_up_link_sets_the_password_that_the_admin_gave() {
    let app = open().await;
    let admin = app.admin().await;
    sign_up(&app, STRANGERS_PASSWORD, "Eve").await;
    let strange = app.mail_to(OWNER).await;
    let body = json!({ "type": "signup", "email": OWNER, "password": PASSWORD });
    let link = admin_call(&app, &admin, "/admin/generate_link", body).await;
    let hash = link.ok()["hashed_token"].clone();
    assert_nothing_left(&app, &strange, "link made").await;
    let early = sign_in(&app, PASSWORD).await;
    assert_eq!(early.error(), (400, "email_not_confirmed"));
    let body = json!({ "type": "signup", "token_hash": hash });
    app.auth_post("/verify", body).await.ok();
    sign_in(&app, PASSWORD).await.ok();
}

#[tokio::test]
async fn a_password_of_before_the_confirmation_stays_only_if_a_sign_up_is_confirmed() {
    for (path, body, status) in [
        ("/resend", json!({ "email": OWNER, "type": "signup" }), 200),
        ("/otp", json!({ "email": OWNER }), 400),
        ("/recover", json!({ "email": OWNER }), 400),
    ] {
        let app = open().await;
        let admin = app.admin().await;
        let user = json!({ "email": OWNER, "password": PASSWORD });
        admin_call(&app, &admin, "/admin/users", user).await.ok();
        app.auth_post(path, body).await.ok();
        let link = app.mail_to(OWNER).await.link().unwrap();
        let session = app.confirm(&link).await;
        assert!(session.fragment("access_token").is_some(), "{path}");
        assert_eq!(sign_in(&app, PASSWORD).await.status, status, "{path}");
    }
}
