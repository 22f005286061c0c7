//! Second factors: a code works once, AAL1 gives no access to what AAL2 protects, and a lost phone
//! does not lock the user out.

mod assurance_levels;
mod codes;
mod enrollment;
mod recovery_codes;

use reqwest::Method;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use super::AuthResponse;
use crate::support::app::TestApp;
use crate::support::people::Person;

/// The code that the authenticator app shows, `steps` from now.
pub(crate) fn totp_code(app: &TestApp, secret: &str, steps: i64) -> String {
    let totp = Builder::new()
        .with_secret(Secret::try_from_base32(secret).unwrap())
        .build()
        .unwrap();
    let at = u64::try_from(app.clock.machine().seconds() + 30 * steps).unwrap();
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
