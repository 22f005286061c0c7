//! Which account an id_token opens, creates or is linked to.

use serde_json::json;

use super::{acme, app_with, sign_in};
use crate::support::app::TestApp;
use crate::support::issuer::Issuer;

#[tokio::test]
async fn a_companys_provider_is_trusted_for_its_own_domains_only() {
    let issuer = Issuer::start("employee-7", "ann@example.com").await;
    let app = TestApp::with(|config| {
        config.auth.signup = true;
        issuer.configure(config, "acme");
        config.auth.sso = vec![config::SsoDomain {
            domain: "acme.example".to_owned(),
            provider: "acme".to_owned(),
        }];
    })
    .await;
    let id = app.join("ann@example.com").await;
    let theirs = app.join("ann@acme.example").await;
    let session = sign_in(&app, &issuer.token(json!({}))).await.ok();
    assert_ne!(session["user"]["id"], id);
    let own = issuer.token(json!({ "sub": "employee-8", "email": "Ann@Acme.example" }));
    assert_eq!(sign_in(&app, &own).await.ok()["user"]["id"], theirs);
}

#[tokio::test]
async fn a_banned_user_cannot_sign_in_by_a_provider() {
    let (issuer, app) = acme().await;
    let id = app.join("ann@example.com").await;
    let admin = app.admin().await;
    let path = format!("/admin/users/{id}");
    let ban = Some(json!({ "ban_duration": "1h" }));
    let bearer = Some(admin.access_token.as_str());
    app.auth_call(reqwest::Method::PUT, &path, bearer, ban)
        .await
        .ok();
    app.clock.advance(1);
    let answer = sign_in(&app, &issuer.token(json!({}))).await;
    assert_eq!(answer.error(), (400, "user_banned"));
    let rows = app.audit_trail(5).await;
    let failed = rows.into_iter().find(|row| row.action == "sign_in_failed");
    assert_eq!(failed.unwrap().subject_id, Some(id));
}

#[tokio::test]
async fn the_kelvin_sign_does_not_match_the_letter_k() {
    let issuer = Issuer::start("248289761001", "\u{212a}ate@example.com").await;
    let app = app_with(&issuer).await;
    let id = app.join("kate@example.com").await;
    let session = sign_in(&app, &issuer.token(json!({}))).await.ok();
    assert_ne!(session["user"]["id"], id);
}
