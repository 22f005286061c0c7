//! The role of admins: what needs it, who sees it, and who keeps it.

use reqwest::Method;
use serde_json::json;

use super::Desk;
use crate::support::app::TestApp;

#[tokio::test]
async fn admin_calls_need_the_role() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let id = &member.id;
    for (method, path) in [
        (Method::GET, "/admin/users".to_owned()),
        (Method::POST, "/admin/users".to_owned()),
        (Method::GET, format!("/admin/users/{id}")),
        (Method::PUT, format!("/admin/users/{id}")),
        (Method::DELETE, format!("/admin/users/{id}")),
        (Method::GET, format!("/admin/users/{id}/factors")),
        (Method::DELETE, format!("/admin/users/{id}/factors/{id}")),
        (Method::POST, "/admin/generate_link".to_owned()),
        (Method::POST, "/admin/invite".to_owned()),
    ] {
        let stranger = app
            .auth_call(method.clone(), &path, None, Some(json!({})))
            .await;
        assert_eq!(
            stranger.error(),
            (401, "no_authorization"),
            "{method} {path}"
        );
        let answer = app
            .auth_call(
                method.clone(),
                &path,
                Some(&member.access_token),
                Some(json!({})),
            )
            .await;
        assert_eq!(answer.error(), (403, "not_admin"), "{method} {path}");
    }
    let quotes = app
        .http
        .get(app.url("/api/admin/quotes"))
        .bearer_auth(&member.access_token)
        .send()
        .await
        .unwrap();
    assert_eq!(quotes.status(), 403);
    let nobody = app
        .http
        .get(app.url("/api/admin/quotes"))
        .bearer_auth("noise")
        .send()
        .await
        .unwrap();
    assert_eq!(nobody.status(), 401);
    assert_eq!(nobody.headers()["content-type"], "application/problem+json");
}

#[tokio::test]
async fn an_invitation_that_was_never_accepted_is_not_another_admin() {
    let desk = Desk::open().await;
    let cli = crate::support::cli_process::Cli::on_data_of(&desk.app);
    cli.run_ok(&["invite-admin", "--email", "new@guard.example"]);
    let demote = json!({ "role": "authenticated" });
    let demoted = desk.put(&desk.admin.id, demote.clone()).await;
    assert_eq!(demoted.error(), (422, "last_admin"));
    let confirm = "UPDATE users SET email_confirmed_at = created_at";
    desk.app.sql(confirm).await;
    desk.put(&desk.admin.id, demote).await.ok();
}

#[tokio::test]
async fn the_last_admin_cannot_be_removed() {
    let desk = Desk::open().await;
    let me = &desk.admin.id;
    let mine = format!("/admin/users/{me}");
    assert_eq!(
        desk.call(Method::DELETE, &mine, json!({})).await.status,
        422
    );
    assert_eq!(
        desk.put(me, json!({ "ban_duration": "24h" })).await.status,
        422
    );
    assert_eq!(
        desk.put(me, json!({ "role": "authenticated" }))
            .await
            .error(),
        (422, "last_admin")
    );
    let other = desk.app.member().await;
    desk.put(&other.id, json!({ "role": "admin", "ban_duration": "24h" }))
        .await
        .ok();
    assert_eq!(
        desk.put(me, json!({ "role": "authenticated" }))
            .await
            .error(),
        (422, "last_admin"),
        "the other is banned"
    );
    desk.put(&other.id, json!({ "ban_duration": "none" }))
        .await
        .ok();
    desk.put(me, json!({ "role": "authenticated" })).await.ok();
    assert_eq!(
        desk.app
            .auth_get("/admin/users", &desk.admin.access_token)
            .await
            .error(),
        (403, "not_admin")
    );
}

#[tokio::test]
async fn only_admins_see_the_roles_of_users() {
    let desk = Desk::open().await;
    let member = desk.app.member().await;
    let list = desk.call(Method::GET, "/admin/users", json!({})).await.ok();
    let roles = |id: &str| {
        let users = list["users"].as_array().unwrap();
        let user = users.iter().find(|user| user["id"] == id).unwrap();
        user["roles"].clone()
    };
    assert_eq!(roles(&desk.admin.id), json!(["admin"]));
    assert_eq!(roles(&member.id), json!([]));
    let own = desk.app.auth_get("/user", &desk.admin.access_token).await;
    assert!(own.ok().get("roles").is_none());
}
