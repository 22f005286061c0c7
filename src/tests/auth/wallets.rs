//! Sign-in with a message signed by a wallet; unit tests in `auth::providers::web3` cover parsing
//! and signatures.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ed25519_compact::{KeyPair, Seed};
use serde_json::{Value, json};

use super::AuthResponse;
use crate::support::app::TestApp;

async fn open() -> TestApp {
    TestApp::with(|config| {
        config.auth.signup = true;
        config.auth.web3.solana = true;
    })
    .await
}

/// A message for `site`, signed by a wallet, issued now.
pub(super) fn signed_message(app: &TestApp, site: &str) -> Value {
    let key = KeyPair::from_seed(Seed::new([7; 32]));
    let address = bs58::encode(*key.pk).into_string();
    let host = site.split_once("://").unwrap().1;
    let message = format!(
        "{host} wants you to sign in with your Solana account:\n{address}\n\nVersion: 1\n\
         URI: {site}\nIssued At: {}",
        app.clock.now()
    );
    let signature = *key.sk.sign(&message, None);
    json!({ "chain": "solana", "message": message,
        "signature": BASE64_URL_SAFE_NO_PAD.encode(signature) })
}

pub(super) async fn sign_in(app: &TestApp, body: Value) -> AuthResponse {
    app.auth_post("/token?grant_type=web3", body).await
}

#[tokio::test]
async fn a_message_works_once() {
    let app = open().await;
    let body = signed_message(&app, &app.config.server.origin());
    sign_in(&app, body.clone()).await.ok();
    app.clock.advance(1);
    for seconds in [0, 598] {
        app.clock.advance(seconds * 1000);
        let again = sign_in(&app, body.clone()).await;
        assert_eq!(again.error(), (400, "invalid_credentials"));
        let row = app.audit_trail(1).await.remove(0);
        assert_eq!(row.action, "sign_in_failed");
        assert!(row.client.is_some());
        app.clock.advance(1);
    }
}
