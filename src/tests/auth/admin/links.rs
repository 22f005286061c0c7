//! Links that an admin generates, and invitations.

use reqwest::Method;
use serde_json::{Value, json};

use super::Desk;
use crate::auth::emails::token_of;
use crate::support::people::PASSWORD;

#[tokio::test]
async fn generated_links_send_no_email() {
    let desk = Desk::open().await;
    desk.app.join("max@guard.example").await;
    let make = async |body: Value| desk.call(Method::POST, "/admin/generate_link", body).await;
    let link = make(json!({ "type": "recovery", "email": "max@guard.example",
        "redirect_to": "https://evil.example" }))
    .await
    .ok();
    assert_eq!(
        (&link["email"], &link["verification_type"]),
        (&json!("max@guard.example"), &json!("recovery"))
    );
    assert_eq!(link["redirect_to"], "http://127.0.0.1:8080/");
    assert_eq!(
        token_of(link["action_link"].as_str().unwrap()),
        link["hashed_token"]
    );
    let verify = json!({ "type": "recovery", "token_hash": link["hashed_token"] });
    desk.app.auth_post("/verify", verify).await.ok();
    let unknown = make(json!({ "type": "magiclink", "email": "eve@guard.example" }))
        .await
        .ok();
    assert_eq!(unknown["verification_type"], "signup");
    let code =
        json!({ "type": "email", "email": "eve@guard.example", "token": unknown["email_otp"] });
    desk.app.auth_post("/verify", code).await.ok();
    let invite = make(json!({ "type": "invite", "email": "ivy@guard.example" }))
        .await
        .ok();
    assert!(invite["invited_at"].is_string());
    for (body, refusal) in [
        (
            json!({ "type": "recovery", "email": "nobody@guard.example" }),
            (404, "user_not_found"),
        ),
        (
            json!({ "type": "signup", "email": "max@guard.example", "password": PASSWORD }),
            (422, "email_exists"),
        ),
        (
            json!({ "type": "invite", "email": "max@guard.example" }),
            (422, "email_exists"),
        ),
        (
            json!({ "type": "signup", "email": "new@guard.example", "password": "short" }),
            (422, "weak_password"),
        ),
        (
            json!({ "type": "email_change_new", "email": "max@guard.example" }),
            (400, "validation_failed"),
        ),
        (
            json!({ "type": "email_change_new", "email": "max@guard.example",
                "new_email": "eve@guard.example" }),
            (422, "email_exists"),
        ),
        (
            json!({ "type": "pigeon", "email": "max@guard.example" }),
            (400, "validation_failed"),
        ),
    ] {
        assert_eq!(make(body.clone()).await.error(), refusal, "{body}");
    }
    for side in ["current", "new"] {
        let kind = format!("email_change_{side}");
        let link = make(json!({ "type": kind, "email": "max@guard.example",
            "new_email": "mona@guard.example" }))
        .await
        .ok();
        let verify = json!({ "type": "email_change", "token_hash": link["hashed_token"] });
        desk.app.auth_post("/verify", verify).await.ok();
    }
    desk.app.sign_in("mona@guard.example").await;
    desk.app.run_outbox().await;
    assert!(desk.app.mailbox().is_empty());
}

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
