//! Links in emails: the page that they open, its form, and where it redirects.

use serde_json::json;

use super::{MAX, app_with_magic_link};
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
