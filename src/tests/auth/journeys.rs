//! The way to a provider and back: state, nonce and code work once and for whoever began; the browser ends where it may go.

use std::collections::HashMap;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use guardpost::config::SsoDomain;
use reqwest::Url;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::issuer::Issuer;
use crate::app::TestApp;

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

async fn acme() -> (Issuer, TestApp) {
    let issuer = Issuer::start("248289761001", "ann@acme.example").await;
    let app = TestApp::with(|config| {
        config.auth.signup = true;
        issuer.join(config, "acme");
        config.auth.sso = vec![SsoDomain {
            domain: "acme.example".to_owned(),
            provider: "acme".to_owned(),
        }];
    })
    .await;
    (issuer, app)
}

impl TestApp {
    /// Where an address redirects to. The site's own name leads to the test's socket.
    async fn follow(&self, address: &str) -> Url {
        let address = address.replace(&*self.config.server.origin(), &self.url(""));
        let answer = self.http.get(&address).send().await.unwrap();
        assert!(
            answer.status().is_redirection(),
            "{address}: {}",
            answer.status()
        );
        let location = answer.headers()["location"].to_str().unwrap();
        Url::parse(location).unwrap()
    }

    /// From our door to the provider's callback address.
    async fn consent(&self, query: &str) -> Url {
        let away = self
            .follow(&self.url(&format!("/auth/v1/authorize?provider=acme{query}")))
            .await;
        self.follow(away.as_str()).await
    }
}

fn parts(text: Option<&str>) -> HashMap<String, String> {
    serde_urlencoded::from_str(text.unwrap_or_default()).unwrap()
}

fn pkce() -> String {
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
    format!("&code_challenge={challenge}&code_challenge_method=s256")
}

#[tokio::test]
async fn without_pkce_the_session_comes_in_the_fragment() {
    let (_issuer, app) = acme().await;
    let callback = app.consent("").await;
    let landed = app.follow(callback.as_str()).await;
    assert!(landed.as_str().starts_with(&*app.config.server.origin()));
    let found = parts(landed.fragment());
    assert_eq!(found["token_type"], "bearer");
    assert_eq!(found["provider_token"], "provider-access");
    let user = app.auth_get("/user", &found["access_token"]).await.ok();
    assert_eq!(user["email"], "ann@acme.example");
}

#[tokio::test]
async fn with_pkce_a_code_comes_in_the_query_and_works_for_the_verifier_once() {
    let (_issuer, app) = acme().await;
    let callback = app.consent(&pkce()).await;
    let landed = app.follow(callback.as_str()).await;
    assert_eq!(landed.fragment(), None);
    let code = &parts(landed.query())["code"];
    let body = json!({ "auth_code": code, "code_verifier": VERIFIER });
    let session = app
        .auth_post("/token?grant_type=pkce", body.clone())
        .await
        .ok();
    assert_eq!(session["provider_token"], "provider-access");
    assert_eq!(session["provider_refresh_token"], "provider-refresh");
    let again = app.auth_post("/token?grant_type=pkce", body).await;
    assert_eq!(again.refusal(), (404, "flow_state_not_found"));
}

#[tokio::test]
async fn a_wrong_verifier_burns_the_code() {
    let (_issuer, app) = acme().await;
    let landed = app.follow(app.consent(&pkce()).await.as_str()).await;
    let code = &parts(landed.query())["code"];
    let wrong = json!({ "auth_code": code, "code_verifier": "w".repeat(43) });
    let answer = app.auth_post("/token?grant_type=pkce", wrong).await;
    assert_eq!(answer.refusal(), (400, "bad_code_verifier"));
    let right = json!({ "auth_code": code, "code_verifier": VERIFIER });
    let answer = app.auth_post("/token?grant_type=pkce", right).await;
    assert_eq!(answer.refusal(), (404, "flow_state_not_found"));
}

#[tokio::test]
async fn a_state_works_once() {
    let (issuer, app) = acme().await;
    let away = app
        .follow(&app.url("/auth/v1/authorize?provider=acme"))
        .await;
    let first = app.follow(away.as_str()).await;
    // The same state with a fresh code: only our own memory of the state stands in the way.
    let second = app.follow(away.as_str()).await;
    assert!(parts(app.follow(first.as_str()).await.fragment()).contains_key("access_token"));
    for again in [first, second] {
        let found = parts(app.follow(again.as_str()).await.fragment());
        assert_eq!(found["error_code"], "bad_oauth_state");
        assert!(!found.contains_key("access_token"));
    }
    drop(issuer);
}

#[tokio::test]
async fn a_state_is_good_for_five_minutes() {
    let (issuer, app) = acme().await;
    for (seconds, arrives) in [(299, true), (300, false)] {
        let callback = app.consent("").await;
        app.clock.turn(seconds * 1000);
        issuer.state().clock.turn(seconds * 1000);
        let found = parts(app.follow(callback.as_str()).await.fragment());
        assert_eq!(found.contains_key("access_token"), arrives, "{seconds}");
    }
}

#[tokio::test]
async fn a_state_that_nobody_was_given_leads_nowhere() {
    let (_issuer, app) = acme().await;
    // Somebody is on the way, with a code that is good.
    let under_way = app.consent("").await;
    let code = parts(under_way.query())["code"].clone();
    for query in ["?state=unknown", "?state=", "?", "?state=unknown&error=x"] {
        let landed = app
            .follow(&app.url(&format!("/auth/v1/callback{query}&code={code}")))
            .await;
        let found = parts(landed.fragment());
        assert_eq!(found["error_code"], "bad_oauth_state", "{query}");
        assert!(!found.contains_key("access_token"), "{query}");
    }
    let landed = app.follow(under_way.as_str()).await;
    assert!(parts(landed.fragment()).contains_key("access_token"));
}

#[tokio::test]
async fn a_token_with_another_nonce_or_audience_signs_nobody_in() {
    let (issuer, app) = acme().await;
    for (key, value) in [("nonce", "another"), ("aud", "somebody-else")] {
        let callback = app.consent("").await;
        issuer.state().claims[key] = json!(value);
        let found = parts(app.follow(callback.as_str()).await.fragment());
        assert_eq!(found["error"], "access_denied", "{key}");
        assert!(!found.contains_key("access_token"), "{key}");
        issuer.state().claims.as_object_mut().unwrap().remove(key);
    }
}

#[tokio::test]
async fn a_refusal_of_the_provider_is_told_where_the_browser_looks() {
    let (_issuer, app) = acme().await;
    for (query, in_query) in [(String::new(), false), (pkce(), true)] {
        let away = app
            .follow(&app.url(&format!("/auth/v1/authorize?provider=acme{query}")))
            .await;
        let state = &parts(away.query())["state"];
        let denied = app.url(&format!(
            "/auth/v1/callback?state={state}&error=access_denied"
        ));
        let landed = app.follow(&denied).await;
        assert_eq!(parts(landed.fragment())["error_code"], "bad_oauth_callback");
        assert_eq!(parts(landed.query()).contains_key("error_code"), in_query);
    }
}

#[tokio::test]
async fn a_provider_may_answer_by_a_form() {
    let (_issuer, app) = acme().await;
    let callback = app.consent("").await;
    let form = parts(callback.query());
    let answer = app
        .http
        .post(app.url("/auth/v1/callback"))
        .form(&form)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 303);
    let landed = Url::parse(answer.headers()["location"].to_str().unwrap()).unwrap();
    assert!(parts(landed.fragment()).contains_key("access_token"));
}

#[tokio::test]
async fn nobody_is_led_to_a_foreign_site() {
    let (_issuer, app) = acme().await;
    for asked in [
        "https://evil.example/",
        "//evil.example",
        "javascript:alert(1)",
    ] {
        let callback = app.consent(&format!("&redirect_to={asked}")).await;
        let landed = app.follow(callback.as_str()).await;
        assert!(
            landed.as_str().starts_with(&*app.config.server.origin()),
            "{asked}: {landed}"
        );
    }
}

#[tokio::test]
async fn a_companys_people_are_sent_to_its_provider_and_need_no_sign_up() {
    let issuer = Issuer::start("employee-7", "ann@acme.example").await;
    let app = TestApp::with(|config| {
        issuer.join(config, "acme");
        config.auth.sso = vec![SsoDomain {
            domain: "acme.example".to_owned(),
            provider: "acme".to_owned(),
        }];
    })
    .await;
    let body = json!({ "domain": "ACME.example", "skip_http_redirect": true });
    let url = app.auth_post("/sso", body).await.ok()["url"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(url.starts_with(&issuer.url));
    let callback = app.follow(&url).await;
    let found = parts(app.follow(callback.as_str()).await.fragment());
    let user = app.auth_get("/user", &found["access_token"]).await.ok();
    assert_eq!(user["email"], "ann@acme.example");
    let stranger = app
        .auth_post("/sso", json!({ "domain": "other.example" }))
        .await;
    assert_eq!(stranger.refusal(), (404, "sso_provider_not_found"));
}
