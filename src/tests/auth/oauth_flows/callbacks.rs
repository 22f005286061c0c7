//! The callback of a provider: its state works once, in time, and only in the browser that started
//! the flow.

use std::collections::HashMap;

use reqwest::Url;

use super::{Browser, acme, params, pkce, redirect_target};
use crate::support::app::TestApp;
use crate::support::issuer::Issuer;

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
    let row = app.audit_trail(1).await.remove(0);
    assert_eq!(row.action, "sign_in_failed");
    assert_eq!(row.detail["code"], "bad_oauth_state");
    assert_eq!(nowhere(&stranger, &bait).await, "bad_oauth_state", "once");
    // A browser with a different flow is still another browser, with and without PKCE.
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
