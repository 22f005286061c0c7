//! What users change of their own account, and what they must prove for it.

use reqwest::Method;
use serde_json::{Value, json};

use super::AuthResponse;
use crate::app::TestApp;
use crate::people::{PASSWORD, Person};

const NEW: &str = "another lantern at the gate";
const ANNA: &str = "anna@guard.example";

async fn change(app: &TestApp, person: &Person, body: Value) -> AuthResponse {
    app.auth_call(Method::PUT, "/user", Some(&person.access_token), Some(body))
        .await
}

#[tokio::test]
async fn a_new_password_ends_other_sessions_and_invalidates_emailed_links() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let other = app.sign_in(&member.email).await;
    app.auth_post("/recover", json!({ "email": member.email }))
        .await
        .ok();
    let mail = app.mail_to(&member.email).await;
    change(&app, &member, json!({ "password": NEW })).await.ok();
    app.auth_get("/user", &member.access_token).await.ok();
    assert_eq!(
        app.auth_get("/user", &other.access_token).await.error(),
        (403, "session_not_found")
    );
    let code = json!({ "type": "recovery", "email": member.email, "token": mail.code() });
    assert_eq!(app.auth_post("/verify", code).await.status, 403);
    let old = json!({ "email": member.email, "password": PASSWORD });
    assert_eq!(
        app.auth_post("/token?grant_type=password", old)
            .await
            .status,
        400
    );
    let new = json!({ "email": member.email, "password": NEW });
    app.auth_post("/token?grant_type=password", new).await.ok();
}

#[tokio::test]
async fn weak_unchanged_and_unconfirmed_passwords_are_rejected() {
    let app = TestApp::start().await;
    let member = app.member().await;
    assert_eq!(
        change(&app, &member, json!({ "password": "short" }))
            .await
            .error(),
        (422, "weak_password")
    );
    assert_eq!(
        change(&app, &member, json!({ "password": PASSWORD }))
            .await
            .error(),
        (422, "same_password")
    );
    let wrong = json!({ "password": NEW, "current_password": "wrong" });
    assert_eq!(change(&app, &member, wrong).await.status, 422);
    let right = json!({ "password": NEW, "current_password": PASSWORD });
    change(&app, &member, right).await.ok();
}

#[tokio::test]
async fn password_attempts_in_a_session_are_limited_as_at_sign_in() {
    // The first sends the current password; the second learns it from `same_password`, and a taken
    // address keeps a wrong guess from becoming the password.
    for (guess, right) in [
        (
            json!({ "password": NEW, "current_password": "a wrong password" }),
            json!({ "password": NEW, "current_password": PASSWORD }),
        ),
        (
            json!({ "password": NEW, "email": "eve@guard.example" }),
            json!({ "password": PASSWORD, "email": "eve@guard.example" }),
        ),
    ] {
        let app = TestApp::start().await;
        app.join("eve@guard.example").await;
        let member = app.member().await;
        for _ in 0..20 {
            let answer = change(&app, &member, guess.clone()).await;
            assert_eq!(answer.status, 422, "{guess}");
        }
        let answer = change(&app, &member, right).await;
        assert_eq!(answer.error(), (429, "over_request_rate_limit"));
    }
}

#[tokio::test]
async fn a_correct_password_given_for_a_change_does_not_count_as_an_attempt() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let (mut now, mut next) = (PASSWORD, NEW);
    for _ in 0..25 {
        let body = json!({ "password": next, "current_password": now });
        change(&app, &member, body).await.ok();
        (now, next) = (next, now);
    }
}

/// The same session, slightly more than a day later.
async fn a_day_later(app: &TestApp, person: &Person) -> Person {
    app.clock.advance(86_400_000);
    let body = json!({ "refresh_token": person.refresh_token });
    Person::of(
        &app.auth_post("/token?grant_type=refresh_token", body)
            .await
            .ok(),
    )
}

#[tokio::test]
async fn an_old_session_must_reauthenticate_once_by_an_emailed_code() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let member = a_day_later(&app, &member).await;
    assert_eq!(
        change(&app, &member, json!({ "password": NEW }))
            .await
            .error(),
        (400, "reauthentication_needed")
    );
    app.auth_get("/reauthenticate", &member.access_token)
        .await
        .ok();
    let mail = app.mail_to(&member.email).await;
    assert_eq!(mail.link(), None);
    let wrong = if mail.code() == "123456" {
        "654321"
    } else {
        "123456"
    };
    let guess = json!({ "password": NEW, "nonce": wrong });
    assert_eq!(
        change(&app, &member, guess).await.error(),
        (422, "reauthentication_not_valid")
    );
    let body = json!({ "password": NEW, "nonce": mail.code() });
    change(&app, &member, body).await.ok();
    let again = json!({ "password": PASSWORD, "nonce": mail.code() });
    assert_eq!(
        change(&app, &member, again).await.error(),
        (422, "reauthentication_not_valid")
    );
}

#[tokio::test]
async fn a_nonce_is_checked_in_new_sessions_too_and_expires() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let made_up = json!({ "password": NEW, "nonce": "123456" });
    assert_eq!(
        change(&app, &member, made_up).await.error(),
        (422, "reauthentication_not_valid")
    );
    app.auth_get("/reauthenticate", &member.access_token)
        .await
        .ok();
    let code = app.mail_to(&member.email).await.code();
    app.clock.advance(3_600_000);
    let member = app.sign_in(&member.email).await;
    let late = json!({ "password": NEW, "nonce": code });
    assert_eq!(
        change(&app, &member, late).await.error(),
        (422, "reauthentication_not_valid")
    );
}

#[tokio::test]
async fn metadata_is_merged_and_grants_no_role() {
    let app = TestApp::start().await;
    let member = app.member().await;
    change(
        &app,
        &member,
        json!({ "data": { "name": "Max", "shift": "night", "role": "admin" } }),
    )
    .await
    .ok();
    let user = change(
        &app,
        &member,
        json!({ "data": { "shift": null, "dock": 4 }, "role": "admin", "id": "x", "aud": "y" }),
    )
    .await
    .ok();
    assert_eq!(
        user["user_metadata"],
        json!({ "name": "Max", "role": "admin", "dock": 4 })
    );
    assert_eq!(
        (&user["id"], &user["role"], &user["aud"]),
        (
            &json!(member.id),
            &json!("authenticated"),
            &json!("authenticated")
        )
    );
    assert_eq!(
        app.auth_get("/admin/users", &member.access_token)
            .await
            .error(),
        (403, "not_admin")
    );
    let app_metadata = json!({ "app_metadata": { "role": "admin" } });
    assert_eq!(
        change(&app, &member, app_metadata).await.error(),
        (403, "not_admin")
    );
    let long = json!({ "data": { "note": "x".repeat(20_000) } });
    assert_eq!(
        change(&app, &member, long).await.error(),
        (400, "validation_failed")
    );
}

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

#[tokio::test]
async fn a_wrong_current_password_is_audited_with_subject_and_client() {
    let app = TestApp::start().await;
    let member = app.member().await;
    app.clock.advance(1);
    let body = json!({ "password": "another lantern at the gate", "current_password": "wrong" });
    let bearer = Some(member.access_token.as_str());
    let answer = app
        .auth_call(Method::PUT, "/user", bearer, Some(body))
        .await;
    assert_eq!(answer.error(), (422, "current_password_mismatch"));
    let row = app.auth.audit_trail(1).await.unwrap().remove(0);
    assert_eq!(row.action, "sign_in_failed");
    assert_eq!(row.detail["method"], "current_password");
    assert_eq!(row.subject_id, Some(member.id));
    assert!(row.client.is_some());
}
