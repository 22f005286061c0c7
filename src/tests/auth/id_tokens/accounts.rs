//! Which account an id_token opens, creates or is linked to.

use serde_json::json;
use store::NewUser;

use super::{acme, advance_clocks, app_with, sign_in};
use crate::support::app::TestApp;
use crate::support::issuer::Issuer;
use crate::support::people::PASSWORD;

#[tokio::test]
async fn a_verified_email_is_linked_to_the_account_that_confirmed_it() {
    let (issuer, app) = acme().await;
    let id = app.join("ann@example.com").await;
    advance_clocks(&app, &issuer, 1);
    let session = sign_in(&app, &issuer.token(json!({}))).await.ok();
    assert_eq!(session["user"]["id"], id);
    assert_eq!(
        session["user"]["app_metadata"]["providers"],
        json!(["email", "acme"])
    );
}

#[tokio::test]
async fn an_unverified_email_is_linked_to_no_account() {
    let (issuer, app) = acme().await;
    let id = app.join("ann@example.com").await;
    for said in [json!(false), json!("false"), json!(null)] {
        let token = issuer.token(json!({ "email_verified": said }));
        let session = sign_in(&app, &token).await.ok();
        assert_ne!(session["user"]["id"], id, "{said}");
        assert_eq!(session["user"]["email"], "", "{said}");
    }
}

#[tokio::test]
async fn an_account_that_never_confirmed_its_address_is_not_linked() {
    let (issuer, app) = acme().await;
    let squatter = NewUser {
        email: Some("ann@example.com".parse().unwrap()),
        password_hash: Some(app.auth.hasher().hash(PASSWORD).await.unwrap()),
        ..NewUser::default()
    };
    let now = app.clock.now();
    let squatter = app
        .auth
        .write(move |conn| auth::accounts::create_user_with_identity(conn, squatter, None, now))
        .await
        .unwrap();
    let session = sign_in(&app, &issuer.token(json!({}))).await.ok();
    assert_ne!(session["user"]["id"], squatter.id.as_str());
    assert_eq!(session["user"]["email"], "");
}

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
async fn providers_create_no_accounts_if_sign_up_is_disabled() {
    let issuer = Issuer::start("248289761001", "ann@example.com").await;
    let app = TestApp::with(|config| issuer.configure(config, "acme")).await;
    let answer = sign_in(&app, &issuer.token(json!({}))).await;
    assert_eq!(answer.error(), (422, "signup_disabled"));
    let id = app.join("ann@example.com").await;
    assert_eq!(
        sign_in(&app, &issuer.token(json!({}))).await.ok()["user"]["id"],
        id
    );
}

#[tokio::test]
async fn an_identity_is_linked_to_the_bearer_and_then_to_no_other_user() {
    let (issuer, app) = acme().await;
    let max = app.member().await;
    let body =
        json!({ "provider": "acme", "id_token": issuer.token(json!({})), "link_identity": true });
    let path = "/token?grant_type=id_token";
    let nobody = app.auth_post(path, body.clone()).await;
    assert_eq!(nobody.error(), (401, "no_authorization"));
    let bearer = Some(max.access_token.as_str());
    let linked = app
        .auth_call(reqwest::Method::POST, path, bearer, Some(body.clone()))
        .await
        .ok();
    assert_eq!(linked["user"]["id"], max.id.as_str());
    assert_eq!(
        sign_in(&app, &issuer.token(json!({}))).await.ok()["user"]["id"],
        max.id.as_str()
    );
    app.join("eve@guard.example").await;
    let eve = app.sign_in("eve@guard.example").await;
    let bearer = Some(eve.access_token.as_str());
    let replayed = app
        .auth_call(reqwest::Method::POST, path, bearer, Some(body.clone()))
        .await;
    assert_eq!(replayed.error(), (400, "validation_failed"));
    let mut body = body;
    body["id_token"] = json!(issuer.token(json!({})));
    let again = app
        .auth_call(reqwest::Method::POST, path, bearer, Some(body))
        .await;
    assert_eq!(again.error(), (422, "identity_already_exists"));
}

#[tokio::test]
async fn the_kelvin_sign_does_not_match_the_letter_k() {
    let issuer = Issuer::start("248289761001", "\u{212a}ate@example.com").await;
    let app = app_with(&issuer).await;
    let id = app.join("kate@example.com").await;
    let session = sign_in(&app, &issuer.token(json!({}))).await.ok();
    assert_ne!(session["user"]["id"], id);
}
