//! A new email address, which both the old and the new one confirm.

use serde_json::json;

use super::change;
use crate::support::app::TestApp;

const ANNA: &str = "anna@guard.example";

#[tokio::test]
async fn another_users_email_is_rejected_at_the_request_and_at_the_confirmation() {
    let app = TestApp::start().await;
    let member = app.member().await;
    app.join("eve@guard.example").await;
    let taken = change(&app, &member, json!({ "email": "eve@guard.example" })).await;
    assert_eq!(taken.error(), (422, "email_exists"));
    change(&app, &member, json!({ "email": ANNA })).await.ok();
    let half = json!({ "type": "email_change", "email": member.email,
        "token": app.mail_to(&member.email).await.code() });
    app.auth_post("/verify", half).await.ok();
    let code = app.mail_to(ANNA).await.code();
    app.join(ANNA).await;
    let late = app
        .auth_post(
            "/verify",
            json!({ "type": "email_change", "email": ANNA, "token": code }),
        )
        .await;
    assert_eq!(late.error(), (422, "email_exists"));
    assert_eq!(
        app.auth_get("/user", &member.access_token).await.ok()["email"],
        json!(member.email)
    );
}

#[tokio::test]
async fn a_changed_email_invalidates_links_sent_to_the_old_one() {
    let app = TestApp::start().await;
    let member = app.member().await;
    change(&app, &member, json!({ "email": ANNA })).await.ok();
    let sides = [member.email.as_str(), ANNA];
    let mut halves = Vec::new();
    for email in sides {
        let code = app.mail_to(email).await.code();
        halves.push(json!({ "type": "email_change", "email": email, "token": code }));
    }
    // The order of emails sent at the same time is undefined.
    app.clock.advance(1000);
    app.auth_post("/recover", json!({ "email": member.email }))
        .await
        .ok();
    let link = app.mail_to(&member.email).await.link().unwrap();
    for half in halves {
        app.auth_post("/verify", half).await.ok();
    }
    let pressed = app.confirm(&link).await;
    assert_eq!(
        pressed.fragment("error_code").as_deref(),
        Some("otp_expired")
    );
    assert_eq!(pressed.fragment("access_token"), None);
}

#[tokio::test]
async fn a_code_of_one_email_change_does_not_confirm_another() {
    let app = TestApp::with(|config| config.limits.mail_interval_seconds = 0).await;
    let member = app.member().await;
    change(&app, &member, json!({ "email": ANNA })).await.ok();
    let old = app.mail_to(ANNA).await;
    change(&app, &member, json!({ "email": "mona@guard.example" }))
        .await
        .ok();
    let stale = json!({ "type": "email_change", "email": ANNA, "token": old.code() });
    assert_eq!(app.auth_post("/verify", stale).await.status, 403);
    assert!(
        app.confirm(&old.link().unwrap())
            .await
            .fragment("message")
            .is_none()
    );
}
