//! The OAuth flow: state, nonce and code work once and only for the browser that started it;
//! redirect targets are checked.

use std::collections::HashMap;
use std::sync::Mutex;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use guardpost::config::SsoDomain;
use reqwest::Url;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::issuer::Issuer;
use crate::app::TestApp;

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
async fn a_state_works_once() {
    let (issuer, app) = acme().await;
    let browser = Browser::of(&app);
    let away = browser
        .follow(&app.url("/auth/v1/authorize?provider=acme"))
        .await;
    let first = browser.follow(away.as_str()).await;
    // The same state with a new code: only our own record of the state rejects it.
    let second = browser.follow(away.as_str()).await;
    assert!(params(browser.follow(first.as_str()).await.fragment()).contains_key("access_token"));
    for again in [first, second] {
        let found = params(browser.follow(again.as_str()).await.fragment());
        assert_eq!(found["error_code"], "bad_oauth_state");
        assert!(!found.contains_key("access_token"));
    }
    drop(issuer);
}

#[tokio::test]
async fn a_state_expires_after_five_minutes() {
    let (issuer, app) = acme().await;
    let browser = Browser::of(&app);
    for (seconds, arrives) in [(299, true), (300, false)] {
        let callback = browser.consent("").await;
        app.clock.advance(seconds * 1000);
        issuer.state().clock.advance(seconds * 1000);
        let found = params(browser.follow(callback.as_str()).await.fragment());
        assert_eq!(found.contains_key("access_token"), arrives, "{seconds}");
    }
}

#[tokio::test]
async fn an_unknown_state_is_rejected() {
    let (_issuer, app) = acme().await;
    let browser = Browser::of(&app);
    // Another browser has a flow with a valid code.
    let under_way = browser.consent("").await;
    let code = params(under_way.query())["code"].clone();
    for query in ["?state=unknown", "?state=", "?", "?state=unknown&error=x"] {
        let landed = browser
            .follow(&app.url(&format!("/auth/v1/callback{query}&code={code}")))
            .await;
        let found = params(landed.fragment());
        assert_eq!(found["error_code"], "bad_oauth_state", "{query}");
        assert!(!found.contains_key("access_token"), "{query}");
    }
    let landed = browser.follow(under_way.as_str()).await;
    assert!(params(landed.fragment()).contains_key("access_token"));
}

#[tokio::test]
async fn an_id_token_with_a_foreign_nonce_or_audience_is_rejected() {
    let (issuer, app) = acme().await;
    let browser = Browser::of(&app);
    for (key, value) in [("nonce", "another"), ("aud", "somebody-else")] {
        let callback = browser.consent("").await;
        issuer.state().claims[key] = json!(value);
        let found = params(browser.follow(callback.as_str()).await.fragment());
        assert_eq!(found["error"], "access_denied", "{key}");
        assert!(!found.contains_key("access_token"), "{key}");
        issuer.state().claims.as_object_mut().unwrap().remove(key);
    }
}

#[tokio::test]
async fn an_error_of_the_provider_is_passed_on_in_the_redirect() {
    let (_issuer, app) = acme().await;
    let browser = Browser::of(&app);
    for (query, in_query) in [(String::new(), false), (pkce(), true)] {
        let away = browser
            .follow(&app.url(&format!("/auth/v1/authorize?provider=acme{query}")))
            .await;
        let state = &params(away.query())["state"];
        let denied = app.url(&format!(
            "/auth/v1/callback?state={state}&error=access_denied"
        ));
        let landed = browser.follow(&denied).await;
        assert_eq!(
            params(landed.fragment())["error_code"],
            "bad_oauth_callback"
        );
        assert_eq!(params(landed.query()).contains_key("error_code"), in_query);
    }
}

#[tokio::test]
async fn a_provider_may_respond_with_a_form_post() {
    let (_issuer, app) = acme().await;
    let browser = Browser::of(&app);
    let callback = browser.consent("").await;
    let form = params(callback.query());
    // Another site's form sends no cookie; it redirects to our own URL, where the browser sends it.
    let post = async |form: &HashMap<String, String>| {
        let request = app.http.post(app.url("/auth/v1/callback"));
        let request = request.header("sec-fetch-site", "cross-site").form(form);
        request.send().await.unwrap()
    };
    let answer = post(&form).await;
    assert_eq!(answer.status(), 303);
    assert_eq!(answer.headers()["referrer-policy"], "no-referrer");
    let bounced = redirect_target(&answer);
    assert!(bounced.path().starts_with("/auth/v1/callback"));
    let arrived = browser.follow(bounced.as_str()).await;
    assert!(params(arrived.fragment()).contains_key("access_token"));
    let long = HashMap::from([("code".to_owned(), "x".repeat(10_000))]);
    let refused = redirect_target(&post(&long).await);
    assert_eq!(params(refused.fragment())["error_code"], "bad_oauth_state");
}

#[tokio::test]
async fn a_callback_in_another_browser_is_rejected() {
    let (_issuer, app) = acme().await;
    let (stranger, victim) = (Browser::of(&app), Browser::of(&app));
    let nowhere = async |browser: &Browser<'_>, callback: &Url| {
        let found = params(browser.follow(callback.as_str()).await.fragment());
        assert!(!found.contains_key("access_token"));
        found["error_code"].clone()
    };
    let bait = stranger.consent("").await;
    assert_eq!(nowhere(&victim, &bait).await, "bad_oauth_state");
    let row = app.auth.audit_trail(1).await.unwrap().remove(0);
    assert_eq!(row.action, "sign_in_failed");
    assert_eq!(row.detail["code"], "bad_oauth_state");
    assert_eq!(nowhere(&stranger, &bait).await, "bad_oauth_state", "once");
    // A browser with a flow of its own is still another browser, with and without PKCE.
    let own = victim.consent("").await;
    for query in [String::new(), pkce()] {
        let bait = stranger.consent(&query).await;
        assert_eq!(nowhere(&victim, &bait).await, "bad_oauth_state");
    }
    let found = params(victim.follow(own.as_str()).await.fragment());
    assert!(found.contains_key("access_token"));
}

#[tokio::test]
async fn two_tabs_of_a_browser_can_sign_in_at_once() {
    let (_issuer, app) = acme().await;
    let browser = Browser::of(&app);
    let (one, other) = (browser.consent("").await, browser.consent("").await);
    for callback in [one, other] {
        let found = params(browser.follow(callback.as_str()).await.fragment());
        assert!(found.contains_key("access_token"));
    }
}

#[tokio::test]
async fn the_cookie_is_http_only_and_expires_with_the_flow() {
    let issuer = Issuer::start("248289761001", "ann@acme.example").await;
    let app = TestApp::with(|config| {
        issuer.configure(config, "acme");
        config.server.base_url = "https://guard.example".to_owned();
    })
    .await;
    let url = app.url("/auth/v1/authorize?provider=acme");
    let answer = app.http.get(url).send().await.unwrap();
    let cookie = answer.headers()["set-cookie"].to_str().unwrap();
    let (pair, attributes) = cookie.split_once("; ").unwrap();
    assert!(pair.starts_with("__Host-guardpost-sign-in="));
    assert_eq!(
        attributes,
        "Path=/; Secure; Max-Age=300; HttpOnly; SameSite=Lax"
    );
    assert_eq!(answer.headers()["cache-control"], "no-store");
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
