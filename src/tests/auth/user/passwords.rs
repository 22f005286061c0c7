//! A new password: what it ends, and what users must prove to set it.

use reqwest::Method;
use serde_json::json;

use super::change;
use crate::support::app::TestApp;
use crate::support::people::{PASSWORD, Person};

const NEW: &str = "another lantern at the gate";

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
    let row = app.audit_trail(1).await.remove(0);
    assert_eq!(row.action, "sign_in_failed");
    assert_eq!(row.detail["method"], "current_password");
    assert_eq!(row.subject_id, Some(member.id));
    assert!(row.client.is_some());
}
