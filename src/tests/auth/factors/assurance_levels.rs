//! Sessions at AAL1 and AAL2: what raises a session, and what one at AAL1 cannot do.

use reqwest::Method;
use serde_json::{Value, json};

use super::{enroll, post, with_factor};
use crate::support::app::TestApp;
use crate::support::people::Person;

#[tokio::test]
async fn a_correct_code_raises_the_session_to_aal2_and_ends_the_others() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let other = app.sign_in(&member.email).await;
    enroll(&app, &member, "an old phone").await;
    let secured = with_factor(&app, member.clone()).await;
    assert_eq!(
        app.auth_get("/user", &other.access_token).await.error(),
        (403, "session_not_found")
    );
    let user = app
        .auth_get("/user", &secured.person.access_token)
        .await
        .ok();
    assert_eq!(
        user["factors"].as_array().unwrap().len(),
        1,
        "what was begun and not verified is gone"
    );
    let refresh = json!({ "refresh_token": secured.person.refresh_token });
    assert_eq!(
        app.auth_post("/token?grant_type=refresh_token", refresh)
            .await
            .ok()["aal"],
        "aal2"
    );
}

#[tokio::test]
async fn no_aal1_token_yields_an_aal2_session() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let secured = with_factor(&app, member.clone()).await;
    let old = json!({ "refresh_token": member.refresh_token });
    let at_once = app
        .auth_post("/token?grant_type=refresh_token", old.clone())
        .await;
    assert_eq!(at_once.error(), (400, "refresh_token_already_used"));
    app.auth_get("/user", &secured.person.access_token)
        .await
        .ok();
    app.clock.advance(10_000);
    let later = app.auth_post("/token?grant_type=refresh_token", old).await;
    assert_eq!(later.error(), (400, "refresh_token_already_used"));
    let after = app.auth_get("/user", &secured.person.access_token).await;
    assert_eq!(
        after.error(),
        (403, "session_not_found"),
        "later it is theft"
    );
    let again = app.sign_in(&member.email).await;
    let password = json!({ "password": "another lantern at the gate" });
    let thief = app
        .auth_call(
            Method::PUT,
            "/user",
            Some(&again.access_token),
            Some(password),
        )
        .await;
    assert_eq!(thief.error(), (401, "insufficient_aal"));
}

#[tokio::test]
async fn an_aal1_session_cannot_change_factors_and_other_users_see_none() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let secured = with_factor(&app, member.clone()).await;
    let again = app.sign_in(&member.email).await;
    let path = format!("/factors/{}", secured.factor);
    let remove = async |who: &Person| {
        app.auth_call(Method::DELETE, &path, Some(&who.access_token), None)
            .await
    };
    assert_eq!(remove(&again).await.error(), (422, "insufficient_aal"));
    let body = json!({ "factor_type": "totp", "friendly_name": "mine" });
    assert_eq!(
        post(&app, &again, "/factors", body).await.error(),
        (403, "insufficient_aal")
    );
    let stranger = app.admin().await;
    assert_eq!(
        remove(&stranger).await.error(),
        (404, "mfa_factor_not_found")
    );
    let foreign = post(&app, &stranger, &format!("{path}/challenge"), json!({})).await;
    assert_eq!(foreign.error(), (404, "mfa_factor_not_found"));
    assert_eq!(
        remove(&secured.person).await.ok(),
        json!({ "id": secured.factor })
    );
    let refresh = json!({ "refresh_token": secured.person.refresh_token });
    assert_eq!(
        app.auth_post("/token?grant_type=refresh_token", refresh)
            .await
            .ok()["aal"],
        "aal1"
    );
}

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
async fn an_admin_with_a_factor_needs_it_for_every_call() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let secured = with_factor(&app, admin.clone()).await;
    app.auth_get("/admin/users", &secured.person.access_token)
        .await
        .ok();
    let below = app.sign_in(&admin.email).await;
    assert_eq!(
        app.auth_get("/admin/users", &below.access_token)
            .await
            .error(),
        (401, "insufficient_aal")
    );
    let quotes = async |who: &Person| {
        let answer = app
            .http
            .get(app.url("/api/admin/quotes"))
            .bearer_auth(&who.access_token)
            .send()
            .await;
        answer.unwrap().status().as_u16()
    };
    assert_eq!(
        (quotes(&below).await, quotes(&secured.person).await),
        (403, 200)
    );
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
