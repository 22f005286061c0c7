//! The identities of an account: only its owner links and unlinks them, and only with the second
//! factor.

use reqwest::Method;
use serde_json::{Value, json};

use super::AuthResponse;
use super::factors::with_factor;
use crate::support::app::TestApp;
use crate::support::issuer::Issuer;
use crate::support::people::Person;

async fn acme() -> (Issuer, TestApp) {
    let issuer = Issuer::start("248289761001", "ann@example.com").await;
    let app = TestApp::with(|config| {
        config.auth.signup = true;
        issuer.configure(config, "acme");
    })
    .await;
    (issuer, app)
}

async fn link(app: &TestApp, issuer: &Issuer, who: &Person) -> AuthResponse {
    // The order of identities created at the same time is undefined.
    app.clock.advance(1000);
    let token = issuer.token(json!({}));
    let body = json!({ "provider": "acme", "id_token": token, "link_identity": true });
    let path = "/token?grant_type=id_token";
    app.auth_call(Method::POST, path, Some(&who.access_token), Some(body))
        .await
}

async fn unlink(app: &TestApp, who: &Person, id: &str) -> AuthResponse {
    let path = format!("/user/identities/{id}");
    app.auth_call(Method::DELETE, &path, Some(&who.access_token), None)
        .await
}

/// The id of the caller's identity at a provider.
async fn identity(app: &TestApp, who: &Person, provider: &str) -> String {
    let user = app.auth_get("/user", &who.access_token).await.ok();
    let mut all = user["identities"].as_array().unwrap().iter();
    let found = all.find(|identity| identity["provider"] == provider);
    found.unwrap()["identity_id"].as_str().unwrap().to_owned()
}

async fn providers(app: &TestApp, who: &Person) -> Value {
    let user = app.auth_get("/user", &who.access_token).await.ok();
    user["app_metadata"]["providers"].clone()
}

#[tokio::test]
async fn a_linked_identity_is_unlinked_by_its_owner_only() {
    let (issuer, app) = acme().await;
    let max = app.member().await;
    link(&app, &issuer, &max).await.ok();
    let id = identity(&app, &max, "acme").await;
    issuer.state().claims["sub"] = json!("another");
    issuer.state().claims["email"] = json!("eve@elsewhere.example");
    app.join("eve@guard.example").await;
    let eve = app.sign_in("eve@guard.example").await;
    link(&app, &issuer, &eve).await.ok();
    let foreign = unlink(&app, &eve, &id).await;
    assert_eq!(foreign.error(), (422, "identity_not_found"));
    assert_eq!(providers(&app, &max).await, json!(["email", "acme"]));
    assert_eq!(unlink(&app, &max, &id).await.ok(), json!({}));
    assert_eq!(providers(&app, &max).await, json!(["email"]));
}

#[tokio::test]
async fn linking_and_unlinking_need_the_second_factor() {
    let (issuer, app) = acme().await;
    let max = app.member().await;
    link(&app, &issuer, &max).await.ok();
    let id = identity(&app, &max, "acme").await;
    let above = with_factor(&app, max).await.person;
    let below = app.sign_in(&above.email).await;
    issuer.state().claims["sub"] = json!("another");
    for refused in [
        link(&app, &issuer, &below).await,
        unlink(&app, &below, &id).await,
    ] {
        assert_eq!(refused.error(), (401, "insufficient_aal"));
    }
    assert_eq!(providers(&app, &above).await, json!(["email", "acme"]));
    link(&app, &issuer, &above).await.ok();
    unlink(&app, &above, &id).await.ok();
}
