//! Users that an admin creates, changes and deletes.

use reqwest::Method;
use serde_json::json;

use super::Desk;
use crate::support::people::PASSWORD;

#[tokio::test]
async fn a_soft_deleted_user_keeps_no_personal_data() {
    let desk = Desk::open().await;
    let member = desk.app.member().await;
    let path = format!("/admin/users/{}", member.id);
    desk.app
        .sql(
            "UPDATE users SET display_name = 'Max', signature = 'Max';
             INSERT INTO reply_templates SELECT id || shared, id, shared, '', 'x', shared, '', ''
             FROM users, (SELECT 0 AS shared UNION SELECT 1)",
        )
        .await;
    desk.call(Method::DELETE, &path, json!({ "should_soft_delete": true }))
        .await
        .ok();
    let named = "users WHERE deleted_at IS NOT NULL AND coalesce(display_name, signature) <> ''";
    assert_eq!(desk.app.rows(named).await, 0);
    let left = "reply_templates WHERE owner IS NULL AND shared = 1";
    assert_eq!(desk.app.rows(left).await, 1, "the shared template");
    let kept = "reply_templates JOIN users ON users.id = owner WHERE deleted_at IS NOT NULL";
    assert_eq!(desk.app.rows(kept).await, 0);
    let shell = desk.call(Method::GET, &path, json!({})).await.ok();
    assert_eq!(
        (&shell["email"], &shell["identities"]),
        (&json!(""), &json!([]))
    );
    assert!(shell["deleted_at"].is_string());
    assert_eq!(
        desk.app
            .auth_get("/user", &member.access_token)
            .await
            .error(),
        (403, "user_not_found")
    );
    desk.app.join(&member.email).await;
}

#[tokio::test]
async fn invalid_users_are_rejected_without_a_change() {
    let desk = Desk::open().await;
    for (body, refusal) in [
        (json!({}), (400, "validation_failed")),
        (json!({ "email": "nobody" }), (400, "validation_failed")),
        (json!({ "phone": "call me" }), (400, "validation_failed")),
        (
            json!({ "email": "a@b.example", "id": "7" }),
            (400, "validation_failed"),
        ),
        (
            json!({ "email": "a@b.example", "role": "service_role" }),
            (400, "validation_failed"),
        ),
        (
            json!({ "email": "a@b.example", "ban_duration": "1 day" }),
            (400, "validation_failed"),
        ),
        (
            json!({ "email": "a@b.example", "password_hash": "$2b$10$x" }),
            (400, "validation_failed"),
        ),
        (
            json!({ "email": "a@b.example", "password": PASSWORD, "password_hash": "x" }),
            (400, "validation_failed"),
        ),
        (
            json!({ "email": "a@b.example", "password": "short" }),
            (422, "weak_password"),
        ),
        (
            json!({ "email": "a@b.example", "app_metadata": 7 }),
            (400, "bad_json"),
        ),
    ] {
        let answer = desk.call(Method::POST, "/admin/users", body.clone()).await;
        assert_eq!(answer.error(), refusal, "{body}");
    }
    let member = desk.app.member().await;
    let taken = json!({ "email": desk.admin.email, "role": "admin", "user_metadata": { "a": 1 },
        "ban_duration": "1h" });
    assert_eq!(
        desk.put(&member.id, taken).await.error(),
        (422, "email_exists")
    );
    assert_eq!(
        desk.app
            .auth_get("/admin/users", &member.access_token)
            .await
            .error(),
        (403, "not_admin")
    );
    assert_eq!(
        desk.put("7", json!({})).await.error(),
        (404, "validation_failed")
    );
    let nobody = "01900000-0000-7000-8000-000000000000";
    assert_eq!(
        desk.put(nobody, json!({})).await.error(),
        (404, "user_not_found")
    );
}
