//! Codes and links in emails: they work once, in time, for the right user, and only from our own
//! page.

use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::json;

use super::emails::{contains_text, token_of};
use crate::app::TestApp;
use crate::people::Person;

const MAX: &str = "max@guard.example";

/// An app in which a member has just requested a magic link.
async fn app_with_magic_link() -> TestApp {
    let app = TestApp::with(|config| config.limits.mail_interval_seconds = 0).await;
    app.join(MAX).await;
    app.auth_post("/otp", json!({ "email": MAX })).await.ok();
    app
}

fn verify_body(code: &str) -> serde_json::Value {
    json!({ "type": "email", "email": MAX, "token": code })
}

#[tokio::test]
async fn a_code_signs_in_once() {
    let app = app_with_magic_link().await;
    let mail = app.mail_to(MAX).await;
    let session = app
        .auth_post("/verify", verify_body(&mail.code()))
        .await
        .ok();
    app.auth_get("/user", session["access_token"].as_str().unwrap())
        .await
        .ok();
    let again = app.auth_post("/verify", verify_body(&mail.code())).await;
    assert_eq!(again.error(), (403, "otp_expired"));
    assert_eq!(again.body["message"], "Token has expired or is invalid");
    assert_eq!(
        app.confirm(&mail.link().unwrap())
            .await
            .fragment("error_code")
            .unwrap(),
        "otp_expired"
    );
}

#[tokio::test]
async fn code_and_link_expire_after_an_hour() {
    let app = app_with_magic_link().await;
    let mail = app.mail_to(MAX).await;
    app.clock.advance(3_600_000);
    assert_eq!(
        app.auth_post("/verify", verify_body(&mail.code()))
            .await
            .status,
        403
    );
    app.auth_post("/otp", json!({ "email": MAX })).await.ok();
    let link = app.mail_to(MAX).await.link().unwrap();
    app.clock.advance(3_600_000);
    let token = json!({ "type": "magiclink", "token_hash": token_of(&link) });
    let late = app.auth_post("/verify", token).await;
    assert_eq!(late.error(), (403, "otp_expired"));
    assert_eq!(late.body["message"], "Email link is invalid or has expired");
}

#[tokio::test]
async fn the_fifth_wrong_code_invalidates_the_code_and_its_link() {
    let app = app_with_magic_link().await;
    let mail = app.mail_to(MAX).await;
    let wrong = if mail.code() == "123456" {
        "654321"
    } else {
        "123456"
    };
    for _ in 0..5 {
        assert_eq!(
            app.auth_post("/verify", verify_body(wrong)).await.status,
            403
        );
    }
    assert_eq!(
        app.auth_post("/verify", verify_body(&mail.code()))
            .await
            .status,
        403
    );
    assert!(
        app.confirm(&mail.link().unwrap())
            .await
            .fragment("access_token")
            .is_none()
    );
}

#[tokio::test]
async fn a_new_code_does_not_reset_the_attempts() {
    let app = app_with_magic_link().await;
    let mut refused = 0;
    for _ in 0..30 {
        app.auth_post("/otp", json!({ "email": MAX })).await.ok();
        let code = app.mail_to(MAX).await.code();
        let wrong = if code == "123456" { "654321" } else { "123456" };
        let answer = app.auth_post("/verify", verify_body(wrong)).await;
        refused += u32::from(answer.status == 429);
    }
    assert_eq!(refused, 10, "twenty an hour");
}

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

#[tokio::test]
async fn recovery_does_not_reveal_accounts() {
    let app = TestApp::start().await;
    app.join(MAX).await;
    let known = app.auth_post("/recover", json!({ "email": MAX })).await;
    let unknown = app
        .auth_post("/recover", json!({ "email": "nobody@guard.example" }))
        .await;
    assert_eq!((known.status, &known.body), (unknown.status, &unknown.body));
    for email in [MAX, "nobody@guard.example"] {
        let soon = app.auth_post("/recover", json!({ "email": email })).await;
        assert_eq!(soon.error(), (429, "over_email_send_rate_limit"));
        assert_eq!(soon.headers["retry-after"], "60");
    }
    assert_eq!(app.mails_to(MAX).await.len(), 1);
    assert!(app.mails_to("nobody@guard.example").await.is_empty());
    app.clock.advance(60_000);
    app.auth_post("/recover", json!({ "email": MAX }))
        .await
        .ok();
}

#[tokio::test]
async fn a_sign_in_email_does_not_reveal_accounts() {
    let app = TestApp::with(|config| config.auth.signup = true).await;
    app.join(MAX).await;
    for email in [MAX, "nobody@guard.example"] {
        let body = json!({ "email": email, "create_user": false });
        assert_eq!(app.auth_post("/otp", body.clone()).await.ok(), json!({}));
        let soon = app.auth_post("/otp", body).await;
        assert_eq!(soon.error(), (429, "over_email_send_rate_limit"));
    }
    assert_eq!(app.mails_to(MAX).await.len(), 1);
    assert!(app.mails_to("nobody@guard.example").await.is_empty());
    app.auth_post("/otp", json!({ "email": "eve@guard.example" }))
        .await
        .ok();
    assert!(
        app.mail_to("eve@guard.example")
            .await
            .link()
            .unwrap()
            .contains("type=signup")
    );
}

#[tokio::test]
async fn malformed_verifications_are_rejected_with_a_message() {
    let app = TestApp::start().await;
    for body in [
        json!({ "email": MAX, "token": "123456" }),
        json!({ "email": MAX, "type": "email" }),
        json!({ "token": "123456", "type": "email" }),
        json!({ "email": MAX, "token": "123456", "token_hash": "x", "type": "email" }),
        json!({ "email": MAX, "token_hash": "x", "type": "email" }),
        json!({ "email": MAX, "token": "123456", "type": "pigeon" }),
    ] {
        assert_eq!(
            app.auth_post("/verify", body.clone()).await.error(),
            (400, "validation_failed"),
            "{body}"
        );
    }
    let sms = json!({ "phone": "+15550100", "token": "123456", "type": "sms" });
    assert_eq!(
        app.auth_post("/verify", sms).await.error(),
        (400, "phone_provider_disabled")
    );
    for kind in ["recovery", "pigeon", ""] {
        let body = json!({ "type": kind, "email": MAX });
        assert_eq!(
            app.auth_post("/resend", body).await.error(),
            (400, "validation_failed")
        );
    }
}

#[tokio::test]
async fn a_token_is_neither_stored_nor_derived_from_its_code() {
    use sha2::{Digest, Sha224, Sha256};
    let app = app_with_magic_link().await;
    let mail = app.mail_to(MAX).await;
    let (code, token) = (mail.code(), token_of(&mail.link().unwrap()));
    let rows: Vec<(String, String)> = app
        .store
        .read(|conn| {
            let mut all = conn.prepare("SELECT digest, nonce FROM one_time_tokens")?;
            let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
        .unwrap();
    for (digest, nonce) in rows {
        assert_ne!(digest, token);
        assert!(!nonce.contains(&code));
    }
    assert_ne!(token, hex::encode(Sha224::digest(format!("{MAX}{code}"))));
    assert_ne!(token, hex::encode(Sha256::digest(format!("{MAX}{code}"))));
}

#[tokio::test]
async fn secrets_are_in_their_emails_and_nowhere_else() {
    let app = app_with_magic_link().await;
    let mail = app.mail_to(MAX).await;
    let (code, token) = (mail.code(), token_of(&mail.link().unwrap()));
    let session = app.auth_post("/verify", verify_body(&code)).await.ok();
    assert!(!contains_text(&session["user"], &token) && !contains_text(&session["user"], &code));
    let trail = format!("{:?}", app.auth.audit_trail(100).await.unwrap());
    for secret in [
        &code,
        &token,
        MAX,
        session["refresh_token"].as_str().unwrap(),
    ] {
        assert!(!trail.contains(secret), "{secret} in {trail}");
    }
}

#[tokio::test]
async fn a_banned_user_cannot_sign_in_by_any_method() {
    let app = app_with_magic_link().await;
    let (admin, max) = (app.admin().await, app.sign_in(MAX).await);
    let ban = json!({ "ban_duration": "24h" });
    let path = format!("/admin/users/{}", max.id);
    app.auth_call(Method::PUT, &path, Some(&admin.access_token), Some(ban))
        .await
        .ok();
    assert_eq!(
        app.auth_get("/user", &max.access_token).await.error(),
        (403, "user_banned")
    );
    let refresh = json!({ "refresh_token": max.refresh_token });
    assert_eq!(
        app.auth_post("/token?grant_type=refresh_token", refresh)
            .await
            .error(),
        (400, "user_banned")
    );
    let login = json!({ "email": MAX, "password": crate::people::PASSWORD });
    assert_eq!(
        app.auth_post("/token?grant_type=password", login)
            .await
            .error(),
        (400, "user_banned")
    );
    let code = app.mail_to(MAX).await.code();
    assert_eq!(
        app.auth_post("/verify", verify_body(&code)).await.error(),
        (403, "user_banned")
    );
    app.clock.advance(86_400_000);
    let Person { access_token, .. } = app.sign_in(MAX).await;
    app.auth_get("/user", &access_token).await.ok();
}
