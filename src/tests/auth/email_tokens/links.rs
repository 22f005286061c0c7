//! Links in emails: the page that they open, its form, and where it redirects.

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::json;

use super::{MAX, app_with_magic_link, verify_body};
use crate::auth::emails::token_of;
use crate::support::app::TestApp;

#[tokio::test]
async fn opening_a_link_does_not_use_it_and_its_button_signs_in() {
    let app = app_with_magic_link().await;
    let link = app.mail_to(MAX).await.link().unwrap();
    let local = link.replace("http://127.0.0.1:8080", &app.url(""));
    for _ in 0..3 {
        let page = app.http.get(&local).send().await.unwrap();
        assert_eq!(page.status(), 200);
        // Not `no-referrer`, under which a browser hides the origin of the page's own form. Under
        // this policy no other site learns the URL, either.
        assert_eq!(page.headers()["referrer-policy"], "same-origin");
        let policy = page.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("form-action 'self';"),
            "{policy}"
        );
        let html = page.text().await.unwrap();
        assert!(html.contains(r#"<form method="post" action="/auth/v1/verify/confirm">"#));
        assert!(!html.contains("<script"));
    }
    let pressed = app.confirm(&link).await;
    assert_eq!(pressed.status, 303);
    assert!(
        pressed
            .location
            .starts_with("http://127.0.0.1:8080/#access_token=v4.public.")
    );
    for (name, value) in [
        ("token_type", "bearer"),
        ("type", "magiclink"),
        ("expires_in", "900"),
        ("sb", ""),
    ] {
        assert_eq!(pressed.fragment(name).as_deref(), Some(value));
    }
    let user = app
        .auth_get("/user", &pressed.fragment("access_token").unwrap())
        .await
        .ok();
    assert_eq!(user["email"], MAX);
}

#[tokio::test]
async fn a_link_works_once_in_browsers_and_api_clients() {
    let app = app_with_magic_link().await;
    let mail = app.mail_to(MAX).await;
    let link = mail.link().unwrap();
    let hash = json!({ "type": "magiclink", "token_hash": token_of(&link) });
    assert!(app.confirm(&link).await.fragment("access_token").is_some());
    for _ in 0..2 {
        let again = app.confirm(&link).await;
        assert_eq!(again.fragment("error_code").as_deref(), Some("otp_expired"));
        assert_eq!(again.fragment("access_token"), None);
        let program = app.auth_post("/verify", hash.clone()).await;
        assert_eq!(program.error(), (403, "otp_expired"));
    }
    let code = app.auth_post("/verify", verify_body(&mail.code())).await;
    assert_eq!(code.error(), (403, "otp_expired"), "nor does its code");
    // The order of emails sent at the same time is undefined.
    app.clock.advance(1000);
    app.auth_post("/otp", json!({ "email": MAX })).await.ok();
    let token = token_of(&app.mail_to(MAX).await.link().unwrap());
    let hash = json!({ "type": "magiclink", "token_hash": token });
    app.auth_post("/verify", hash.clone()).await.ok();
    let again = app.auth_post("/verify", hash).await;
    assert_eq!(again.error(), (403, "otp_expired"));
}

#[tokio::test]
async fn a_link_is_valid_for_its_purpose_only() {
    let app = app_with_magic_link().await;
    let token = token_of(&app.mail_to(MAX).await.link().unwrap());
    for other in ["signup", "invite", "email_change"] {
        let body = json!({ "type": other, "token_hash": token });
        let refused = app.auth_post("/verify", body).await;
        assert_eq!(refused.error(), (403, "otp_expired"), "{other}");
    }
    let body = json!({ "type": "magiclink", "token_hash": token });
    app.auth_post("/verify", body).await.ok();
}

#[tokio::test]
async fn the_confirmation_form_rejects_cross_site_posts() {
    let app = app_with_magic_link().await;
    let link = app.mail_to(MAX).await.link().unwrap();
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"),
        ("origin", "null"),
    ] {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_static(value));
        let pressed = app.confirm_with(&link, headers).await;
        assert_eq!(
            (pressed.status, pressed.location.as_str()),
            (403, ""),
            "{name}: {value}"
        );
    }
    assert_eq!(app.confirm(&link).await.status, 303);
}

#[tokio::test]
async fn the_page_escapes_its_parameters() {
    let app = TestApp::start().await;
    let script = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
    let path = format!("/auth/v1/verify?token={script}&type=%3Cb%3E&redirect_to=x");
    let page = app.http.get(app.url(&path)).send().await.unwrap();
    let html = page.text().await.unwrap();
    assert!(
        !html.contains("<script>") && !html.contains("<b>"),
        "{html}"
    );
}

#[tokio::test]
async fn links_redirect_only_to_the_site_and_to_allowed_urls() {
    let app = TestApp::with(|config| {
        config.limits.mail_interval_seconds = 0;
        config.auth.redirect_urls = vec!["https://app.example/in".into()];
    })
    .await;
    app.join(MAX).await;
    for (asked, lands) in [
        (
            "http://127.0.0.1:8080/admin?tab=1",
            "http://127.0.0.1:8080/admin?tab=1#",
        ),
        ("https://app.example/in", "https://app.example/in#"),
        ("https://app.example/elsewhere", "http://127.0.0.1:8080/#"),
        ("https://evil.example/", "http://127.0.0.1:8080/#"),
        ("//evil.example", "http://127.0.0.1:8080/#"),
        (
            "http://127.0.0.1:8080@evil.example/",
            "http://127.0.0.1:8080/#",
        ),
        (
            "http://127.0.0.1:8080\\@evil.example/",
            "http://127.0.0.1:8080/#",
        ),
        ("javascript:alert(1)", "http://127.0.0.1:8080/#"),
    ] {
        let query = serde_urlencoded::to_string([("redirect_to", asked)]).unwrap();
        app.auth_post(&format!("/otp?{query}"), json!({ "email": MAX }))
            .await
            .ok();
        let mail = app.mail_to(MAX).await;
        assert!(!mail.raw.contains("evil"), "{asked}");
        let pressed = app.confirm(&mail.link().unwrap()).await;
        assert!(
            pressed.location.starts_with(lands),
            "{asked} -> {}",
            pressed.location
        );
    }
    app.auth_post("/otp", json!({ "email": MAX })).await.ok();
    let link = app.mail_to(MAX).await.link().unwrap();
    let bent = link.replace("127.0.0.1%3A8080", "evil.example");
    assert_ne!(bent, link);
    assert!(
        app.confirm(&bent)
            .await
            .location
            .starts_with("http://127.0.0.1:8080/#")
    );
}
