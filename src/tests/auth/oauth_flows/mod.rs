//! The OAuth flow: state, nonce and code work once and only for the browser that started it;
//! redirect targets are checked.

mod callbacks;
mod providers;

use std::collections::HashMap;
use std::sync::Mutex;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use config::SsoDomain;
use reqwest::Url;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::app::TestApp;
use crate::support::issuer::Issuer;

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

async fn acme() -> (Issuer, TestApp) {
    let issuer = Issuer::start("248289761001", "ann@acme.example").await;
    let app = TestApp::with(|config| {
        config.auth.signup = true;
        issuer.configure(config, "acme");
        config.auth.sso = vec![SsoDomain {
            domain: "acme.example".to_owned(),
            provider: "acme".to_owned(),
        }];
    })
    .await;
    (issuer, app)
}

/// A browser: it stores the site's cookie and sends it back.
struct Browser<'a> {
    app: &'a TestApp,
    cookie: Mutex<Option<String>>,
}

impl<'a> Browser<'a> {
    fn of(app: &'a TestApp) -> Self {
        Self {
            app,
            cookie: Mutex::default(),
        }
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> reqwest::Response {
        let cookie = self.cookie.lock().unwrap().clone();
        let request = match cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        };
        let answer = request.send().await.unwrap();
        if let Some(set) = answer.headers().get("set-cookie") {
            let pair = set.to_str().unwrap().split(';').next().unwrap();
            *self.cookie.lock().unwrap() = Some(pair.to_owned());
        }
        answer
    }

    /// Follows a redirect. The site's own host leads to the test's socket.
    async fn follow(&self, address: &str) -> Url {
        let address = address.replace(&*self.app.config.server.origin(), &self.app.url(""));
        let answer = self.send(self.app.http.get(&address)).await;
        redirect_target(&answer)
    }

    /// From our authorize endpoint to the provider's callback URL.
    async fn consent(&self, query: &str) -> Url {
        let url = format!("/auth/v1/authorize?provider=acme{query}");
        let away = self.follow(&self.app.url(&url)).await;
        self.follow(away.as_str()).await
    }

    /// The authorization URL of an SSO provider.
    async fn sso(&self, domain: &str) -> String {
        let body = json!({ "domain": domain, "skip_http_redirect": true });
        let request = self.app.http.post(self.app.url("/auth/v1/sso")).json(&body);
        let answer: Value = self.send(request).await.json().await.unwrap();
        answer["url"].as_str().unwrap().to_owned()
    }
}

fn redirect_target(answer: &reqwest::Response) -> Url {
    let status = answer.status();
    assert!(status.is_redirection(), "{}: {status}", answer.url());
    Url::parse(answer.headers()["location"].to_str().unwrap()).unwrap()
}

fn params(text: Option<&str>) -> HashMap<String, String> {
    serde_urlencoded::from_str(text.unwrap_or_default()).unwrap()
}

fn pkce() -> String {
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
    format!("&code_challenge={challenge}&code_challenge_method=s256")
}

#[tokio::test]
async fn without_pkce_the_session_is_in_the_fragment() {
    let (_issuer, app) = acme().await;
    let browser = Browser::of(&app);
    let callback = browser.consent("").await;
    let landed = browser.follow(callback.as_str()).await;
    assert!(landed.as_str().starts_with(&*app.config.server.origin()));
    let found = params(landed.fragment());
    assert_eq!(found["token_type"], "bearer");
    assert_eq!(found["provider_token"], "provider-access");
    let user = app.auth_get("/user", &found["access_token"]).await.ok();
    assert_eq!(user["email"], "ann@acme.example");
}

#[tokio::test]
async fn with_pkce_a_code_is_in_the_query_and_is_exchanged_once() {
    let (_issuer, app) = acme().await;
    let browser = Browser::of(&app);
    let callback = browser.consent(&pkce()).await;
    let landed = browser.follow(callback.as_str()).await;
    assert_eq!(landed.fragment(), None);
    let code = &params(landed.query())["code"];
    let body = json!({ "auth_code": code, "code_verifier": VERIFIER });
    let session = app
        .auth_post("/token?grant_type=pkce", body.clone())
        .await
        .ok();
    assert_eq!(session["provider_token"], "provider-access");
    assert_eq!(session["provider_refresh_token"], "provider-refresh");
    let again = app.auth_post("/token?grant_type=pkce", body).await;
    assert_eq!(again.error(), (404, "flow_state_not_found"));
}

#[tokio::test]
async fn a_wrong_verifier_invalidates_the_code() {
    let (_issuer, app) = acme().await;
    let browser = Browser::of(&app);
    let landed = browser
        .follow(browser.consent(&pkce()).await.as_str())
        .await;
    let code = &params(landed.query())["code"];
    let wrong = json!({ "auth_code": code, "code_verifier": "w".repeat(43) });
    let answer = app.auth_post("/token?grant_type=pkce", wrong).await;
    assert_eq!(answer.error(), (400, "bad_code_verifier"));
    let right = json!({ "auth_code": code, "code_verifier": VERIFIER });
    let answer = app.auth_post("/token?grant_type=pkce", right).await;
    assert_eq!(answer.error(), (404, "flow_state_not_found"));
}

#[tokio::test]
async fn redirects_to_foreign_sites_are_rejected() {
    let (_issuer, app) = acme().await;
    let browser = Browser::of(&app);
    for asked in [
        "https://evil.example/",
        "//evil.example",
        "javascript:alert(1)",
    ] {
        let callback = browser.consent(&format!("&redirect_to={asked}")).await;
        let landed = browser.follow(callback.as_str()).await;
        assert!(
            landed.as_str().starts_with(&*app.config.server.origin()),
            "{asked}: {landed}"
        );
    }
}
