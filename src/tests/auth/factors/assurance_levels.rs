//! Sessions at AAL1 and AAL2: what raises a session, and what one at AAL1 cannot do.

use reqwest::Method;
use serde_json::Value;

use super::with_factor;
use crate::support::app::TestApp;
use crate::support::people::Person;

#[tokio::test]
async fn an_aal1_session_can_end_only_itself() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let owner = with_factor(&app, member.clone()).await.person;
    let thief = app.sign_in(&member.email).await;
    let sessions = app.auth_get("/sessions", &thief.access_token).await.ok();
    let id_of = |current: bool| {
        let mut all = sessions["sessions"].as_array().unwrap().iter();
        let found = all.find(|session| session["current"] == current).unwrap();
        found["id"].as_str().unwrap().to_owned()
    };
    let call = async |method: Method, path: &str, who: &Person| {
        app.auth_call(method, path, Some(&who.access_token), None)
            .await
    };
    for (method, path) in [
        (Method::POST, "/logout".to_owned()),
        (Method::POST, "/logout?scope=global".to_owned()),
        (Method::POST, "/logout?scope=others".to_owned()),
        (Method::DELETE, format!("/sessions/{}", id_of(false))),
    ] {
        let refused = call(method, &path, &thief).await;
        assert_eq!(refused.error(), (422, "insufficient_aal"), "{path}");
    }
    app.auth_get("/user", &owner.access_token).await.ok();
    let own = format!("/sessions/{}", id_of(true));
    assert_eq!(call(Method::DELETE, &own, &thief).await.status, 200);
    let again = app.sign_in(&member.email).await;
    let local = call(Method::POST, "/logout?scope=local", &again).await;
    assert_eq!(local.status, 204);
    app.sign_in(&member.email).await;
    let others = call(Method::POST, "/logout?scope=others", &owner).await;
    assert_eq!(others.status, 204);
    let left = app.auth_get("/sessions", &owner.access_token).await.ok();
    assert_eq!(left["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn with_required_factors_an_admin_without_one_can_only_enroll() {
    let app = TestApp::with(|config| config.auth.require_factor = true).await;
    let admin = app.admin().await;
    assert_eq!(
        app.auth_get("/admin/users", &admin.access_token)
            .await
            .error(),
        (401, "insufficient_aal")
    );
    let quotes = app
        .http
        .get(app.url("/api/admin/quotes"))
        .bearer_auth(&admin.access_token)
        .send()
        .await
        .unwrap();
    assert_eq!(quotes.status(), 403);
    let problem: Value = quotes.json().await.unwrap();
    assert_eq!(problem["code"], "insufficient_aal");
    let secured = with_factor(&app, admin).await;
    app.auth_get("/admin/users", &secured.person.access_token)
        .await
        .ok();
    let admitted = app
        .http
        .get(app.url("/api/admin/quotes"))
        .bearer_auth(&secured.person.access_token)
        .send()
        .await
        .unwrap();
    assert_eq!(admitted.status(), 200);
}
