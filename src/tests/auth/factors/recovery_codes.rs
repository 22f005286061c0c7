//! Recovery codes, which replace a lost authenticator.

use reqwest::Method;
use serde_json::json;

use super::{post, totp_code, verify_factor, with_factor};
use crate::support::app::TestApp;
use crate::support::people::Person;

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
