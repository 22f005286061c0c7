//! Changes of users to their account, and the required proofs.

mod email_change;
mod passwords;

use reqwest::Method;
use serde_json::{Value, json};

use super::AuthResponse;
use crate::support::app::TestApp;
use crate::support::people::Person;

async fn change(app: &TestApp, person: &Person, body: Value) -> AuthResponse {
    app.auth_call(Method::PUT, "/user", Some(&person.access_token), Some(body))
        .await
}

#[tokio::test]
async fn metadata_is_merged_and_grants_no_role() {
    let app = TestApp::start().await;
    let member = app.member().await;
    change(
        &app,
        &member,
        json!({ "data": { "name": "Max", "shift": "night", "role": "admin" } }),
    )
    .await
    .ok();
    let user = change(
        &app,
        &member,
        json!({ "data": { "shift": null, "dock": 4 }, "role": "admin", "id": "x", "aud": "y" }),
    )
    .await
    .ok();
    assert_eq!(
        user["user_metadata"],
        json!({ "name": "Max", "role": "admin", "dock": 4 })
    );
    assert_eq!(
        (&user["id"], &user["role"], &user["aud"]),
        (
            &json!(member.id),
            &json!("authenticated"),
            &json!("authenticated")
        )
    );
    assert_eq!(
        app.auth_get("/admin/users", &member.access_token)
            .await
            .error(),
        (403, "not_admin")
    );
    let app_metadata = json!({ "app_metadata": { "role": "admin" } });
    assert_eq!(
        change(&app, &member, app_metadata).await.error(),
        (403, "not_admin")
    );
    let long = json!({ "data": { "note": "x".repeat(20_000) } });
    assert_eq!(
        change(&app, &member, long).await.error(),
        (400, "validation_failed")
    );
}
