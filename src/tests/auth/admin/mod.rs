//! What admins can and cannot do to accounts, and the audit rows of it.

mod links;
mod roles;
mod user_list;
mod users;

use reqwest::Method;
use serde_json::{Value, json};

use super::AuthResponse;
use crate::support::app::TestApp;
use crate::support::people::{PASSWORD, Person};

struct Desk {
    app: TestApp,
    admin: Person,
}

impl Desk {
    async fn open() -> Self {
        let app = TestApp::start().await;
        let admin = app.admin().await;
        Self { app, admin }
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> AuthResponse {
        let body = (method != Method::GET).then_some(body);
        self.app
            .auth_call(method, path, Some(&self.admin.access_token), body)
            .await
    }

    async fn put(&self, id: &str, body: Value) -> AuthResponse {
        self.call(Method::PUT, &format!("/admin/users/{id}"), body)
            .await
    }
}

#[tokio::test]
async fn events_are_audited_without_secrets() {
    let desk = Desk::open().await;
    let member = desk.app.member().await;
    let wrong = json!({ "email": member.email, "password": "a wrong password" });
    desk.app
        .auth_post("/token?grant_type=password", wrong)
        .await;
    desk.put(
        &member.id,
        json!({ "role": "admin", "password": "another lantern at the gate" }),
    )
    .await
    .ok();
    desk.call(
        Method::DELETE,
        &format!("/admin/users/{}", member.id),
        json!({}),
    )
    .await
    .ok();
    let trail = desk.app.audit_trail(100).await;
    let actions: Vec<&str> = trail.iter().map(|row| row.action.as_str()).collect();
    for action in [
        "sign_in",
        "sign_in_failed",
        "role_granted",
        "password_changed",
        "user_changed",
        "user_deleted",
    ] {
        assert!(actions.contains(&action), "{action} in {actions:?}");
    }
    let by_admin = trail
        .iter()
        .find(|row| row.action == "user_deleted")
        .unwrap();
    assert_eq!(
        (&by_admin.actor, by_admin.subject_id.as_ref()),
        (&desk.admin.id, Some(&member.id))
    );
    let whole = format!("{trail:?}");
    for secret in [
        PASSWORD,
        "a wrong password",
        "another lantern",
        &member.email,
        &member.access_token,
        &member.refresh_token,
    ] {
        assert!(!whole.contains(secret), "{secret}");
    }
}
