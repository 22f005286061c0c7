//! Changes of users to their account, and the required proofs.

mod email_change;
mod passwords;

use reqwest::Method;
use serde_json::Value;

use super::AuthResponse;
use crate::support::app::TestApp;
use crate::support::people::Person;

async fn change(app: &TestApp, person: &Person, body: Value) -> AuthResponse {
    app.auth_call(Method::PUT, "/user", Some(&person.access_token), Some(body))
        .await
}
