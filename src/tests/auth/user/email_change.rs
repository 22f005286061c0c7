//! A new email address, which both the old and the new one confirm.

use serde_json::{Value, json};

use super::change;
use crate::support::app::TestApp;

const ANNA: &str = "anna@guard.example";

#[tokio::test]
async fn an_email_changes_when_both_addresses_have_confirmed_in_either_order() {
    let app = TestApp::with(|config| config.limits.mail_interval_seconds = 0).await;
    for new_first in [false, true] {
        let (old, new) = if new_first {
            (ANNA, "max@guard.example")
        } else {
            ("max@guard.example", ANNA)
        };
        if !new_first {
            app.join(old).await;
        }
        let member = app.sign_in(old).await;
        let user = change(&app, &member, json!({ "email": new })).await.ok();
        assert_eq!(
            (&user["email"], &user["new_email"]),
            (&json!(old), &json!(new))
        );
        let to_old =
            json!({ "type": "email_change", "email": old, "token": app.mail_to(old).await.code() });
        let to_new =
            json!({ "type": "email_change", "email": new, "token": app.mail_to(new).await.code() });
        let (first, second) = if new_first {
            (to_new, to_old)
        } else {
            (to_old, to_new)
        };
        let half = app.auth_post("/verify", first.clone()).await.ok();
        assert_eq!(
            (half["code"].as_str(), &half["access_token"]),
            (Some("200"), &Value::Null)
        );
        assert_eq!(
            app.auth_post("/verify", first).await.status,
            403,
            "the same half twice"
        );
        assert_eq!(
            app.auth_get("/user", &member.access_token).await.ok()["email"],
            json!(old)
        );
        let whole = app.auth_post("/verify", second).await.ok();
        assert_eq!(
            (&whole["user"]["email"], &whole["user"]["new_email"]),
            (&json!(new), &Value::Null)
        );
        assert_eq!(whole["user"]["identities"][0]["email"], json!(new));
    }
}

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
