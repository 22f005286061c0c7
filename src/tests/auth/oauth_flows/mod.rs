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
