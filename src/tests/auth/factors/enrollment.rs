//! Enrollment of factors: what is shown and stored, how many there can be, and when one that was
//! not verified expires.

use serde_json::json;

use super::{challenge, enroll, post, totp_code, with_factor};
use crate::support::app::TestApp;

#[tokio::test]
async fn a_factors_secret_is_shown_once_and_stored_encrypted() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let body = json!({ "factor_type": "totp", "friendly_name": "phone", "issuer": "Guard #1" });
    let factor = post(&app, &member, "/factors", body).await.ok();
    let (qr, secret) = (
        factor["totp"]["qr_code"].as_str().unwrap(),
        factor["totp"]["secret"].as_str().unwrap(),
    );
    assert!(qr.contains("<svg") && !qr.contains('#'));
    assert!(
        factor["totp"]["uri"]
            .as_str()
            .unwrap()
            .starts_with("otpauth://totp/")
    );
    let user = app.auth_get("/user", &member.access_token).await.ok();
    assert_eq!(user["factors"][0]["status"], "unverified");
    assert!(!user.to_string().contains(secret));
    let stored: String = app
        .store
        .read(|conn| Ok(conn.query_row("SELECT secret FROM factors", [], |row| row.get(0))?))
        .await
        .unwrap();
    assert!(stored.starts_with("v4.local.") && !stored.contains(secret));
}

#[tokio::test]
async fn an_unverified_factor_does_not_replace_a_verified_one() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let secured = with_factor(&app, member.clone()).await;
    let (begun, secret) = enroll(&app, &secured.person, "tablet").await;
    let thief = app.sign_in(&member.email).await;
    let asked = post(
        &app,
        &thief,
        &format!("/factors/{begun}/challenge"),
        json!({}),
    )
    .await;
    assert_eq!(asked.error(), (403, "insufficient_aal"));
    // The owner's own challenge from the same client does not help, either.
    let challenge = challenge(&app, &secured.person, &begun).await;
    let path = format!("/factors/{begun}/verify");
    let body = json!({ "challenge_id": challenge, "code": totp_code(&app, &secret, 0) });
    let lifted = post(&app, &thief, &path, body.clone()).await;
    assert_eq!(lifted.error(), (403, "insufficient_aal"));
    let owner = post(&app, &secured.person, &path, body).await.ok();
    assert_eq!(owner["aal"], "aal2");
}

#[tokio::test]
async fn an_abandoned_enrollment_expires_and_does_not_block_another() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let mut last = (String::new(), String::new());
    for n in 0..10 {
        last = enroll(&app, &member, &format!("abandoned {n}")).await;
    }
    let body = json!({ "factor_type": "totp", "friendly_name": "at last" });
    let flood = post(&app, &member, "/factors", body.clone()).await;
    assert_eq!(flood.error(), (422, "too_many_enrolled_mfa_factors"));
    app.clock.advance(60_000);
    post(&app, &member, "/factors", body).await.ok();
    assert_eq!(app.rows("factors").await, 1, "the others gave way");
    let gone = post(
        &app,
        &member,
        &format!("/factors/{}/challenge", last.0),
        json!({}),
    )
    .await;
    assert_eq!(gone.error(), (404, "mfa_factor_not_found"));
}

#[tokio::test]
async fn an_enrollment_expires_after_fifteen_minutes() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let (late, _) = enroll(&app, &member, "late").await;
    app.clock.advance(899_000);
    challenge(&app, &member, &late).await;
    app.clock.advance(1_000);
    let member = app.sign_in(&member.email).await;
    let over = post(
        &app,
        &member,
        &format!("/factors/{late}/challenge"),
        json!({}),
    )
    .await;
    assert_eq!(over.error(), (404, "mfa_factor_not_found"));
    let kept = with_factor(&app, member).await;
    enroll(&app, &kept.person, "left").await;
    app.clock.advance(901_000);
    app.auth.clean_up().await.unwrap();
    assert_eq!(app.rows("factors").await, 1, "the verified one stays");
}

#[tokio::test]
async fn factors_have_unique_names_a_limit_of_ten_and_one_type() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let enroll = async |kind: &str, name: &str| {
        let body = json!({ "factor_type": kind, "friendly_name": name });
        post(&app, &member, "/factors", body).await
    };
    enroll("totp", "phone").await.ok();
    assert_eq!(
        enroll("totp", "phone").await.error(),
        (422, "mfa_factor_name_conflict")
    );
    assert_eq!(
        enroll("phone", "x").await.error(),
        (422, "mfa_phone_enroll_not_enabled")
    );
    assert_eq!(
        enroll("webauthn", "x").await.error(),
        (422, "mfa_webauthn_enroll_not_enabled")
    );
    assert_eq!(
        enroll("pigeon", "x").await.error(),
        (400, "validation_failed")
    );
    for _ in 0..9 {
        enroll("totp", "").await.ok();
    }
    assert_eq!(
        enroll("totp", "one more").await.error(),
        (422, "too_many_enrolled_mfa_factors")
    );
}
