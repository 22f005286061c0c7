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
