//! Second factors: a code works once, AAL1 gives no access to what AAL2 protects, and a lost phone
//! does not lock the user out.

use reqwest::Method;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use super::AuthResponse;
use crate::app::TestApp;
use crate::people::Person;

/// The code that the authenticator app shows, `steps` from now.
pub(crate) fn totp_code(app: &TestApp, secret: &str, steps: i64) -> String {
    let totp = Builder::new()
        .with_secret(Secret::try_from_base32(secret).unwrap())
        .build()
        .unwrap();
    let at = u64::try_from(app.clock.now().seconds() + 30 * steps).unwrap();
    totp.generate(at).to_string()
}

pub(crate) async fn post(app: &TestApp, who: &Person, path: &str, body: Value) -> AuthResponse {
    app.auth_call(Method::POST, path, Some(&who.access_token), Some(body))
        .await
}

/// Enrolls a factor; returns its id and secret.
async fn enroll(app: &TestApp, who: &Person, name: &str) -> (String, String) {
    let body = json!({ "factor_type": "totp", "friendly_name": name });
    let factor = post(app, who, "/factors", body).await.ok();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&factor["id"]), text(&factor["totp"]["secret"]))
}

pub(crate) async fn challenge(app: &TestApp, who: &Person, factor: &str) -> String {
    let challenge = post(app, who, &format!("/factors/{factor}/challenge"), json!({}))
        .await
        .ok();
    challenge["id"].as_str().unwrap().to_owned()
}

pub(crate) async fn verify_factor(
    app: &TestApp,
    who: &Person,
    factor: &str,
    code: &str,
) -> AuthResponse {
    let challenge = challenge(app, who, factor).await;
    let body = json!({ "challenge_id": challenge, "code": code });
    post(app, who, &format!("/factors/{factor}/verify"), body).await
}

/// A member with a verified factor, at AAL2.
pub(crate) struct FactorUser {
    pub person: Person,
    pub factor: String,
    pub secret: String,
}

pub(crate) async fn with_factor(app: &TestApp, person: Person) -> FactorUser {
    let (factor, secret) = enroll(app, &person, "phone").await;
    let code = totp_code(app, &secret, 0);
    let session = verify_factor(app, &person, &factor, &code).await.ok();
    assert_eq!(session["aal"], "aal2");
    FactorUser {
        person: Person::of(&session),
        factor,
        secret,
    }
}

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
async fn a_correct_code_raises_the_session_to_aal2_and_ends_the_others() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let other = app.sign_in(&member.email).await;
    enroll(&app, &member, "an old phone").await;
    let secured = with_factor(&app, member.clone()).await;
    assert_eq!(
        app.auth_get("/user", &other.access_token).await.error(),
        (403, "session_not_found")
    );
    let user = app
        .auth_get("/user", &secured.person.access_token)
        .await
        .ok();
    assert_eq!(
        user["factors"].as_array().unwrap().len(),
        1,
        "what was begun and not verified is gone"
    );
    let refresh = json!({ "refresh_token": secured.person.refresh_token });
    assert_eq!(
        app.auth_post("/token?grant_type=refresh_token", refresh)
            .await
            .ok()["aal"],
        "aal2"
    );
}

#[tokio::test]
async fn no_aal1_token_yields_an_aal2_session() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let secured = with_factor(&app, member.clone()).await;
    let old = json!({ "refresh_token": member.refresh_token });
    let at_once = app
        .auth_post("/token?grant_type=refresh_token", old.clone())
        .await;
    assert_eq!(at_once.error(), (400, "refresh_token_already_used"));
    app.auth_get("/user", &secured.person.access_token)
        .await
        .ok();
    app.clock.advance(10_000);
    let later = app.auth_post("/token?grant_type=refresh_token", old).await;
    assert_eq!(later.error(), (400, "refresh_token_already_used"));
    let after = app.auth_get("/user", &secured.person.access_token).await;
    assert_eq!(
        after.error(),
        (403, "session_not_found"),
        "later it is theft"
    );
    let again = app.sign_in(&member.email).await;
    let password = json!({ "password": "another lantern at the gate" });
    let thief = app
        .auth_call(
            Method::PUT,
            "/user",
            Some(&again.access_token),
            Some(password),
        )
        .await;
    assert_eq!(thief.error(), (401, "insufficient_aal"));
}

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
    verify_factor(&app, &again, &secured.factor, &next)
        .await
        .ok();
}

#[tokio::test]
async fn wrong_codes_are_limited() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let secured = with_factor(&app, member.clone()).await;
    let again = app.sign_in(&member.email).await;
    let right = totp_code(&app, &secured.secret, 1);
    let wrong = if right == "000000" {
        "000001"
    } else {
        "000000"
    };
    let mut last = 422;
    for _ in 0..21 {
        last = verify_factor(&app, &again, &secured.factor, wrong)
            .await
            .status;
    }
    assert_eq!(last, 429);
    let stopped = verify_factor(&app, &again, &secured.factor, &right).await;
    assert_eq!(stopped.error(), (429, "over_request_rate_limit"));
    assert!(stopped.headers.contains_key("retry-after"));
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
async fn an_aal1_session_cannot_change_factors_and_other_users_see_none() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let secured = with_factor(&app, member.clone()).await;
    let again = app.sign_in(&member.email).await;
    let path = format!("/factors/{}", secured.factor);
    let remove = async |who: &Person| {
        app.auth_call(Method::DELETE, &path, Some(&who.access_token), None)
            .await
    };
    assert_eq!(remove(&again).await.error(), (422, "insufficient_aal"));
    let body = json!({ "factor_type": "totp", "friendly_name": "mine" });
    assert_eq!(
        post(&app, &again, "/factors", body).await.error(),
        (403, "insufficient_aal")
    );
    let stranger = app.admin().await;
    assert_eq!(
        remove(&stranger).await.error(),
        (404, "mfa_factor_not_found")
    );
    let foreign = post(&app, &stranger, &format!("{path}/challenge"), json!({})).await;
    assert_eq!(foreign.error(), (404, "mfa_factor_not_found"));
    assert_eq!(
        remove(&secured.person).await.ok(),
        json!({ "id": secured.factor })
    );
    let refresh = json!({ "refresh_token": secured.person.refresh_token });
    assert_eq!(
        app.auth_post("/token?grant_type=refresh_token", refresh)
            .await
            .ok()["aal"],
        "aal1"
    );
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
async fn an_aal1_session_can_end_only_itself() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let owner = with_factor(&app, member.clone()).await.person;
    let thief = app.sign_in(&member.email).await;
    let sessions = app.auth_get("/sessions", &thief.access_token).await.ok();
    let id_of = |current: bool| {
        let mut all = sessions["sessions"].as_array().unwrap().iter();
        let found = all.find(|session| session["current"] == current).unwrap();
        found["id"].as_str().unwrap().to_owned()
    };
    let call = async |method: Method, path: &str, who: &Person| {
        app.auth_call(method, path, Some(&who.access_token), None)
            .await
    };
    for (method, path) in [
        (Method::POST, "/logout".to_owned()),
        (Method::POST, "/logout?scope=global".to_owned()),
        (Method::POST, "/logout?scope=others".to_owned()),
        (Method::DELETE, format!("/sessions/{}", id_of(false))),
    ] {
        let refused = call(method, &path, &thief).await;
        assert_eq!(refused.error(), (422, "insufficient_aal"), "{path}");
    }
    app.auth_get("/user", &owner.access_token).await.ok();
    let own = format!("/sessions/{}", id_of(true));
    assert_eq!(call(Method::DELETE, &own, &thief).await.status, 200);
    let again = app.sign_in(&member.email).await;
    let local = call(Method::POST, "/logout?scope=local", &again).await;
    assert_eq!(local.status, 204);
    app.sign_in(&member.email).await;
    let others = call(Method::POST, "/logout?scope=others", &owner).await;
    assert_eq!(others.status, 204);
    let left = app.auth_get("/sessions", &owner.access_token).await.ok();
    assert_eq!(left["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_wrong_code_is_audited_with_its_client() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let secured = with_factor(&app, member.clone()).await;
    app.clock.advance(1);
    let wrong = verify_factor(&app, &secured.person, &secured.factor, "no code").await;
    assert_eq!(wrong.status, 422);
    let row = app.auth.audit_trail(1).await.unwrap().remove(0);
    assert_eq!(row.action, "factor_failed");
    assert_eq!(row.subject_id.as_deref(), Some(&*secured.person.id));
    assert!(row.client.is_some());
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

#[tokio::test]
async fn a_recovery_code_replaces_the_authenticator_once() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let early = post(&app, &member, "/account/recovery-codes", json!({})).await;
    assert_eq!(early.error(), (422, "insufficient_aal"));
    let secured = with_factor(&app, member.clone()).await;
    let made = post(&app, &secured.person, "/account/recovery-codes", json!({}))
        .await
        .ok();
    let codes: Vec<String> = serde_json::from_value(made["codes"].clone()).unwrap();
    assert_eq!(codes.len(), 10);
    let again = app.sign_in(&member.email).await;
    let give = async |who: &Person, code: &str| {
        post(
            &app,
            who,
            "/account/recovery-codes/verify",
            json!({ "code": code }),
        )
        .await
    };
    assert_eq!(
        give(&again, "2222-2222-2222-2222").await.error(),
        (422, "mfa_verification_failed")
    );
    let session = give(&again, &codes[0].to_uppercase().replace('-', " "))
        .await
        .ok();
    assert_eq!(session["aal"], "aal2");
    let raised = Person::of(&session);
    let left = app
        .auth_get("/account/recovery-codes", &raised.access_token)
        .await
        .ok();
    assert_eq!(left["left"], 9);
    let third = app.sign_in(&member.email).await;
    assert_eq!(give(&third, &codes[0]).await.status, 422, "used");
    let stored: Vec<String> = app
        .store
        .read(|conn| {
            let mut all = conn.prepare("SELECT digest FROM recovery_codes")?;
            Ok(all
                .query_map([], |row| row.get(0))?
                .collect::<Result<_, _>>()?)
        })
        .await
        .unwrap();
    assert!(stored.iter().all(|digest| {
        codes
            .iter()
            .all(|code| !digest.contains(&code.replace('-', "")))
    }));
    let path = format!("/factors/{}", secured.factor);
    app.auth_call(Method::DELETE, &path, Some(&raised.access_token), None)
        .await
        .ok();
    let gone = app
        .auth_get("/account/recovery-codes", &raised.access_token)
        .await
        .ok();
    assert_eq!(
        gone["left"], 0,
        "without a factor there is nothing to stand in for"
    );
}

#[tokio::test]
async fn wrong_recovery_codes_count_together_with_wrong_codes() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let secured = with_factor(&app, member.clone()).await;
    let again = app.sign_in(&member.email).await;
    let path = "/account/recovery-codes/verify";
    let guess = json!({ "code": "2222-2222-2222-2222" });
    for _ in 0..20 {
        let wrong = post(&app, &again, path, guess.clone()).await;
        assert_eq!(wrong.error(), (422, "mfa_verification_failed"));
    }
    let stopped = post(&app, &again, path, guess).await;
    assert_eq!(stopped.error(), (429, "over_request_rate_limit"));
    let right = totp_code(&app, &secured.secret, 1);
    let stopped = verify_factor(&app, &again, &secured.factor, &right).await;
    assert_eq!(stopped.error(), (429, "over_request_rate_limit"));
}

#[tokio::test]
async fn an_admin_with_a_factor_needs_it_for_every_call() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let secured = with_factor(&app, admin.clone()).await;
    app.auth_get("/admin/users", &secured.person.access_token)
        .await
        .ok();
    let below = app.sign_in(&admin.email).await;
    assert_eq!(
        app.auth_get("/admin/users", &below.access_token)
            .await
            .error(),
        (401, "insufficient_aal")
    );
    let quotes = async |who: &Person| {
        let answer = app
            .http
            .get(app.url("/api/admin/quotes"))
            .bearer_auth(&who.access_token)
            .send()
            .await;
        answer.unwrap().status().as_u16()
    };
    assert_eq!(
        (quotes(&below).await, quotes(&secured.person).await),
        (403, 200)
    );
}

#[tokio::test]
async fn with_required_factors_an_admin_without_one_can_only_enroll() {
    let app = TestApp::with(|config| config.auth.require_factor = true).await;
    let admin = app.admin().await;
    assert_eq!(
        app.auth_get("/admin/users", &admin.access_token)
            .await
            .error(),
        (401, "insufficient_aal")
    );
    let quotes = app
        .http
        .get(app.url("/api/admin/quotes"))
        .bearer_auth(&admin.access_token)
        .send()
        .await
        .unwrap();
    assert_eq!(quotes.status(), 403);
    let problem: Value = quotes.json().await.unwrap();
    assert_eq!(problem["code"], "insufficient_aal");
    let secured = with_factor(&app, admin).await;
    app.auth_get("/admin/users", &secured.person.access_token)
        .await
        .ok();
    let admitted = app
        .http
        .get(app.url("/api/admin/quotes"))
        .bearer_auth(&secured.person.access_token)
        .send()
        .await
        .unwrap();
    assert_eq!(admitted.status(), 200);
}
