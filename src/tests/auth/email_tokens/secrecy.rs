//! What requests for an email do not reveal, and where its secrets are not.

use serde_json::json;

use super::{MAX, app_with_magic_link, verify_body};
use crate::auth::emails::{contains_text, token_of};
use crate::support::app::TestApp;

#[tokio::test]
async fn a_sign_in_email_does_not_reveal_accounts() {
    let app = TestApp::with(|config| config.auth.signup = true).await;
    app.join(MAX).await;
    for email in [MAX, "nobody@guard.example"] {
        let body = json!({ "email": email, "create_user": false });
        assert_eq!(app.auth_post("/otp", body.clone()).await.ok(), json!({}));
        let soon = app.auth_post("/otp", body).await;
        assert_eq!(soon.error(), (429, "over_email_send_rate_limit"));
    }
    assert_eq!(app.mails_to(MAX).await.len(), 1);
    assert!(app.mails_to("nobody@guard.example").await.is_empty());
    app.auth_post("/otp", json!({ "email": "eve@guard.example" }))
        .await
        .ok();
    assert!(
        app.mail_to("eve@guard.example")
            .await
            .link()
            .unwrap()
            .contains("type=signup")
    );
}

#[tokio::test]
async fn a_token_is_neither_stored_nor_derived_from_its_code() {
    use sha2::{Digest, Sha224, Sha256};
    let app = app_with_magic_link().await;
    let mail = app.mail_to(MAX).await;
    let (code, token) = (mail.code(), token_of(&mail.link().unwrap()));
    let rows: Vec<(String, String)> = app
        .store
        .read(|conn| {
            let mut all = conn.prepare("SELECT digest, nonce FROM one_time_tokens")?;
            let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
        .unwrap();
    for (digest, nonce) in rows {
        assert_ne!(digest, token);
        assert!(!nonce.contains(&code));
    }
    assert_ne!(token, hex::encode(Sha224::digest(format!("{MAX}{code}"))));
    assert_ne!(token, hex::encode(Sha256::digest(format!("{MAX}{code}"))));
}

#[tokio::test]
async fn secrets_are_in_their_emails_and_nowhere_else() {
    let app = app_with_magic_link().await;
    let mail = app.mail_to(MAX).await;
    let (code, token) = (mail.code(), token_of(&mail.link().unwrap()));
    let session = app.auth_post("/verify", verify_body(&code)).await.ok();
    assert!(!contains_text(&session["user"], &token) && !contains_text(&session["user"], &code));
    let trail = format!("{:?}", app.audit_trail(100).await);
    for secret in [
        &code,
        &token,
        MAX,
        session["refresh_token"].as_str().unwrap(),
    ] {
        assert!(!trail.contains(secret), "{secret} in {trail}");
    }
}
