//! What is asked of a provider and expected in its tokens, and the provider of a company.

use base64::Engine;
use config::SsoDomain;
use serde_json::{Value, json};

use super::{Browser, params};
use crate::support::app::TestApp;
use crate::support::issuer::Issuer;

#[tokio::test]
async fn sso_redirects_to_the_companys_provider_and_needs_no_sign_up() {
    let issuer = Issuer::start("employee-7", "ann@acme.example").await;
    let app = TestApp::with(|config| {
        issuer.configure(config, "acme");
        config.auth.sso = vec![SsoDomain {
            domain: "acme.example".to_owned(),
            provider: "acme".to_owned(),
        }];
    })
    .await;
    let browser = Browser::of(&app);
    let url = browser.sso("ACME.example").await;
    assert!(url.starts_with(&issuer.url));
    let callback = browser.follow(&url).await;
    let found = params(browser.follow(callback.as_str()).await.fragment());
    let user = app.auth_get("/user", &found["access_token"]).await.ok();
    assert_eq!(user["email"], "ann@acme.example");
    let elsewhere = browser.follow(&browser.sso("acme.example").await).await;
    let other = Browser::of(&app).follow(elsewhere.as_str()).await;
    assert_eq!(params(other.fragment())["error_code"], "bad_oauth_state");
    let stranger = app
        .auth_post("/sso", json!({ "domain": "other.example" }))
        .await;
    assert_eq!(stranger.error(), (404, "sso_provider_not_found"));
}

#[tokio::test]
async fn the_token_request_authenticates_the_client_as_the_metadata_says() {
    let folder = tempfile::tempdir().unwrap();
    let secret_file = folder.path().join("secret");
    std::fs::write(&secret_file, "s3cret: 100%\n").unwrap();
    let id = || Some("guardpost".to_owned());
    // RFC 6749, section 2.3.1: both are form-encoded before they are joined.
    let basic = base64::prelude::BASE64_STANDARD.encode("guardpost:s3cret%3A+100%25");
    let by_header = [Some(format!("Basic {basic}")), None, None];
    let by_form = [None, id(), Some("s3cret: 100%".to_owned())];
    for (methods, has_secret, expected) in [
        (Value::Null, true, by_header.clone()),
        (
            json!(["client_secret_post", "client_secret_basic"]),
            true,
            by_header,
        ),
        (json!(["client_secret_post"]), true, by_form),
        (Value::Null, false, [None, id(), None]),
    ] {
        let issuer = Issuer::start("248289761001", "ann@acme.example").await;
        issuer.state().auth_methods = methods.clone();
        let app = TestApp::with(|config| {
            config.auth.signup = true;
            issuer.configure(config, "acme");
            if has_secret {
                let file = secret_file.to_str().unwrap();
                config.auth.providers[0].client_secret_file = file.to_owned();
            }
        })
        .await;
        let browser = Browser::of(&app);
        let callback = browser.consent("").await;
        let landed = browser.follow(callback.as_str()).await;
        assert!(params(landed.fragment()).contains_key("access_token"));
        assert_eq!(issuer.state().client_auth, expected, "{methods}");
    }
}
