//! Links that an admin generates, and invitations.

use reqwest::Method;
use serde_json::json;

use super::Desk;
use crate::support::people::PASSWORD;

#[tokio::test]
async fn an_invited_admin_signs_in_by_the_email_and_sets_a_password() {
    let desk = Desk::open().await;
    let body = json!({ "email": "ivy@guard.example", "role": "admin" });
    desk.call(Method::POST, "/admin/invite", body.clone())
        .await
        .ok();
    let link = desk.app.mail_to("ivy@guard.example").await.link().unwrap();
    let pressed = desk.app.confirm(&link).await;
    assert!(
        pressed
            .location
            .starts_with("http://127.0.0.1:8080/admin#access_token=")
    );
    let token = pressed.fragment("access_token").unwrap();
    let password = json!({ "password": PASSWORD });
    desk.app
        .auth_call(Method::PUT, "/user", Some(&token), Some(password))
        .await
        .ok();
    let ivy = desk.app.sign_in("ivy@guard.example").await;
    desk.app
        .auth_get("/admin/users", &ivy.access_token)
        .await
        .ok();
    assert_eq!(
        desk.call(Method::POST, "/admin/invite", body).await.error(),
        (422, "email_exists")
    );
}
