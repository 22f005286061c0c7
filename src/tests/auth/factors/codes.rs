//! Codes of an authenticator and their challenges: they work once, in time, and guesses are limited
//! and audited.

use serde_json::json;

use super::{challenge, enroll, post, totp_code, verify_factor, with_factor};
use crate::support::app::TestApp;
use crate::support::people::Person;

#[tokio::test]
async fn a_code_and_earlier_codes_cannot_be_replayed() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let secured = with_factor(&app, member.clone()).await;
    let again = app.sign_in(&member.email).await;
    for steps in [0, -1] {
        let code = totp_code(&app, &secured.secret, steps);
        let replayed = verify_factor(&app, &again, &secured.factor, &code).await;
        assert_eq!(
            replayed.error(),
            (422, "mfa_verification_failed"),
            "{steps}"
        );
        assert_eq!(replayed.body["message"], "Invalid TOTP code entered");
        assert_eq!(replayed.body["reasons"], json!(["used"]), "{steps}");
    }
    let far = totp_code(&app, &secured.secret, 2);
    assert_eq!(
        verify_factor(&app, &again, &secured.factor, &far)
            .await
            .status,
        422,
        "two steps ahead"
    );
    let next = totp_code(&app, &secured.secret, 1);
    let in_groups = format!("{} {}", &next[..3], &next[3..]);
    verify_factor(&app, &again, &secured.factor, &in_groups)
        .await
        .ok();
}

#[tokio::test]
async fn a_challenge_is_bound_to_its_factor_client_and_time_and_works_once() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let one = with_factor(&app, member.clone()).await;
    app.clock.advance(30_000);
    let code = totp_code(&app, &one.secret, 0);
    let path = format!("/factors/{}/verify", one.factor);
    let unknown = json!({ "challenge_id": "01900000-0000-7000-8000-000000000000", "code": code });
    assert_eq!(
        post(&app, &one.person, &path, unknown).await.error(),
        (422, "mfa_factor_not_found")
    );
    let (other, _) = enroll(&app, &one.person, "tablet").await;
    let foreign =
        json!({ "challenge_id": challenge(&app, &one.person, &other).await, "code": code });
    assert_eq!(
        post(&app, &one.person, &path, foreign).await.error(),
        (422, "mfa_factor_not_found")
    );
    let id = challenge(&app, &one.person, &one.factor).await;
    let elsewhere = app
        .http
        .post(app.url(&format!("/auth/v1{path}")))
        .header("x-supabase-api-version", "2024-01-01")
        .header("x-forwarded-for", "203.0.113.77")
        .bearer_auth(&one.person.access_token)
        .json(&json!({ "challenge_id": id, "code": code }))
        .send()
        .await
        .unwrap();
    assert_eq!(elsewhere.status(), 422);
    assert!(
        elsewhere
            .text()
            .await
            .unwrap()
            .contains("mfa_ip_address_mismatch")
    );
    let body = json!({ "challenge_id": id, "code": code });
    let raised = Person::of(&post(&app, &one.person, &path, body.clone()).await.ok());
    assert_eq!(
        post(&app, &raised, &path, body).await.error(),
        (422, "mfa_ip_address_mismatch")
    );
    let id = challenge(&app, &raised, &one.factor).await;
    app.clock.advance(300_000);
    let late = json!({ "challenge_id": id, "code": totp_code(&app, &one.secret, 0) });
    assert_eq!(
        post(&app, &raised, &path, late).await.error(),
        (422, "mfa_challenge_expired")
    );
    let empty = json!({ "challenge_id": id, "code": "" });
    assert_eq!(
        post(&app, &raised, &path, empty).await.error(),
        (400, "validation_failed")
    );
}

#[tokio::test]
async fn a_wrong_code_is_audited_with_its_client() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let secured = with_factor(&app, member.clone()).await;
    app.clock.advance(1);
    let wrong = verify_factor(&app, &secured.person, &secured.factor, "no code").await;
    assert_eq!(wrong.status, 422);
    let row = app.audit_trail(1).await.remove(0);
    assert_eq!(row.action, "factor_failed");
    assert_eq!(row.subject_id.as_deref(), Some(&*secured.person.id));
    assert!(row.client.is_some());
}
