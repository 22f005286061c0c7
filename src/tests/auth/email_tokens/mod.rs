//! Codes and links in emails: they work once, in time, for the right user, and only from our own
//! page.

mod links;
mod secrecy;

use reqwest::Method;
use serde_json::json;

use super::emails::token_of;
use crate::support::app::TestApp;
use crate::support::people::Person;

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
    let login = json!({ "email": MAX, "password": crate::support::people::PASSWORD });
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
