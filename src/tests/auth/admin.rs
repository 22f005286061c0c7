//! What admins can and cannot do to accounts, and the audit rows of it.

use reqwest::Method;
use serde_json::{Value, json};

use super::AuthResponse;
use super::emails::token_of;
use crate::app::TestApp;
use crate::people::{PASSWORD, Person};

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
async fn a_demoted_admin_loses_access_at_once() {
    let desk = Desk::open().await;
    let other = desk.app.member().await;
    desk.put(&other.id, json!({ "role": "admin" })).await.ok();
    desk.app
        .auth_get("/admin/users", &other.access_token)
        .await
        .ok();
    desk.put(&other.id, json!({ "role": "authenticated" }))
        .await
        .ok();
    assert_eq!(
        desk.app
            .auth_get("/admin/users", &other.access_token)
            .await
            .error(),
        (403, "not_admin")
    );
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
async fn an_admin_can_neither_ban_nor_delete_itself() {
    let desk = Desk::open().await;
    let other = desk.app.member().await;
    desk.put(&other.id, json!({ "role": "admin" })).await.ok();
    let me = &desk.admin.id;
    let ban = desk.put(me, json!({ "ban_duration": "24h" })).await;
    assert_eq!(ban.error(), (422, "validation_failed"));
    let mine = format!("/admin/users/{me}");
    for softly in [true, false] {
        let body = json!({ "should_soft_delete": softly });
        let gone = desk.call(Method::DELETE, &mine, body).await;
        assert_eq!(gone.error(), (422, "validation_failed"));
    }
    desk.app
        .auth_get("/admin/users", &desk.admin.access_token)
        .await
        .ok();
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

#[tokio::test]
async fn users_are_created_updated_and_deleted() {
    let desk = Desk::open().await;
    let body = json!({ "email": "Eve@guard.example", "password": PASSWORD, "email_confirm": true,
        "user_metadata": { "name": "Eve" }, "app_metadata": { "site": "north" } });
    let user = desk
        .call(Method::POST, "/admin/users", body.clone())
        .await
        .ok();
    assert_eq!(
        user["app_metadata"],
        json!({ "site": "north", "provider": "email", "providers": ["email"] })
    );
    assert_eq!(
        desk.call(Method::POST, "/admin/users", body).await.error(),
        (422, "email_exists")
    );
    let eve = desk.app.sign_in("eve@guard.example").await;
    let changed = desk
        .put(
            &eve.id,
            json!({ "user_metadata": { "shift": "night" }, "email": "eva@guard.example" }),
        )
        .await
        .ok();
    assert_eq!(
        changed["user_metadata"],
        json!({ "name": "Eve", "shift": "night" })
    );
    assert_eq!(changed["identities"][0]["email"], "eva@guard.example");
    desk.app.auth_get("/user", &eve.access_token).await.ok();
    desk.put(
        &eve.id,
        json!({ "password": "another lantern at the gate" }),
    )
    .await
    .ok();
    assert_eq!(
        desk.app.auth_get("/user", &eve.access_token).await.error(),
        (403, "session_not_found")
    );
    let path = format!("/admin/users/{}", eve.id);
    assert_eq!(
        desk.call(
            Method::DELETE,
            &path,
            json!({ "should_soft_delete": false })
        )
        .await
        .ok(),
        json!({})
    );
    assert_eq!(
        desk.call(Method::GET, &path, json!({})).await.error(),
        (404, "user_not_found")
    );
    assert_eq!(
        desk.app.auth_get("/user", &eve.access_token).await.error(),
        (403, "user_not_found")
    );
    assert!(
        desk.app.mails_to("eve@guard.example").await.is_empty(),
        "nothing is mailed"
    );
}

#[tokio::test]
async fn a_user_is_deleted_without_a_request_body() {
    let desk = Desk::open().await;
    let member = desk.app.member().await;
    let path = format!("/admin/users/{}", member.id);
    let bearer = Some(desk.admin.access_token.as_str());
    let gone = desk
        .app
        .auth_call(Method::DELETE, &path, bearer, None)
        .await;
    assert_eq!(gone.ok(), json!({}));
    let answer = desk.call(Method::GET, &path, json!({})).await;
    assert_eq!(answer.error(), (404, "user_not_found"));
}

#[tokio::test]
async fn a_soft_deleted_user_keeps_no_personal_data() {
    let desk = Desk::open().await;
    let member = desk.app.member().await;
    let path = format!("/admin/users/{}", member.id);
    desk.call(Method::DELETE, &path, json!({ "should_soft_delete": true }))
        .await
        .ok();
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

#[tokio::test]
async fn the_list_is_paged_newest_first() {
    let desk = Desk::open().await;
    for n in 0..4 {
        desk.app.clock.advance(1_000);
        desk.app.join(&format!("guard{n}@guard.example")).await;
    }
    let page = desk
        .call(Method::GET, "/admin/users?page=2&per_page=2", json!({}))
        .await;
    assert_eq!(page.headers["x-total-count"], "5");
    let links = page.headers["link"].to_str().unwrap().to_owned();
    assert_eq!(
        links,
        "</auth/v1/admin/users?page=3&per_page=2>; rel=\"next\", \
         </auth/v1/admin/users?page=3&per_page=2>; rel=\"last\""
    );
    let body = page.ok();
    let emails: Vec<&str> = body["users"]
        .as_array()
        .unwrap()
        .iter()
        .map(|user| user["email"].as_str().unwrap())
        .collect();
    assert_eq!(emails, ["guard1@guard.example", "guard0@guard.example"]);
    desk.call(Method::GET, "/admin/users?page=&per_page=", json!({}))
        .await
        .ok();
    for query in [
        "page=0",
        "page=x",
        "per_page=0",
        "per_page=-1",
        "per_page=100000",
        "cursor=2",
        "cursor=2026-11-21T12:00:00.000Z_2",
    ] {
        let answer = desk
            .call(Method::GET, &format!("/admin/users?{query}"), json!({}))
            .await;
        assert_eq!(answer.error(), (400, "validation_failed"), "{query}");
    }
}

#[tokio::test]
async fn a_cursor_continues_after_its_page_despite_new_users() {
    let desk = Desk::open().await;
    for n in 0..4 {
        // Two users created in the same millisecond.
        desk.app.clock.advance(if n == 2 { 0 } else { 1_000 });
        desk.app.join(&format!("guard{n}@guard.example")).await;
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/admin/users?per_page=2{cursor}");
        let page = desk.call(Method::GET, &path, json!({})).await;
        assert_eq!(page.headers.contains_key("link"), cursor.is_empty());
        let body = page.ok();
        let users = body["users"].as_array().unwrap();
        seen.extend(users.iter().map(|user| user["email"].to_string()));
        let Some(next) = body["next_cursor"].as_str() else {
            break;
        };
        cursor = format!("&cursor={next}");
        desk.app.clock.advance(1_000);
        let newcomer = format!("newcomer{}@guard.example", seen.len());
        desk.app.join(&newcomer).await;
    }
    seen.sort();
    let mut first = vec![json!("ada@guard.example").to_string()];
    first.extend((0..4).map(|n| json!(format!("guard{n}@guard.example")).to_string()));
    assert_eq!(seen, first, "those who were there, each once");
}

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
    let trail = desk.app.auth.audit_trail(100).await.unwrap();
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
