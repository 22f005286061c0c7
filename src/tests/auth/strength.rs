//! Password strength checks do not block the site: they are queued with the hashes.

use futures_util::FutureExt;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::people::PASSWORD;

/// A hash of the highest allowed cost: it occupies the only worker for a while.
const COSTLY: &str = "$argon2id$v=19$m=65536,t=10,p=1$c2FsdHNhbHRzYWx0c2FsdA$\
                      Y5lqPIYQ5jK6x0wXXzlRe3WvQ5HqFKf0nE5kkq3YV2c";

#[tokio::test]
async fn passwords_are_scored_on_the_hashing_threads_while_pages_are_served() {
    let app = TestApp::with(|config| {
        config.auth.signup = true;
        config.auth.hashes_at_once = 1;
    })
    .await;
    let admin = app.admin().await;
    let member = app.member().await;
    let hasher = &app.auth.hasher;
    let mut busy = Box::pin(hasher.verify("x", Some(COSTLY)));
    assert!(busy.as_mut().now_or_never().is_none());

    let weak = json!({ "email": "eve@guard.example", "password": "password1234" });
    let call = |method, path, token: Option<&str>| {
        let token = token.map(ToOwned::to_owned);
        let (app, body) = (&app, weak.clone());
        async move {
            app.auth_call(method, path, token.as_deref(), Some(body))
                .await
        }
    };
    let asked = join_all([
        call(Method::POST, "/signup", None).boxed_local(),
        call(Method::PUT, "/user", Some(&member.access_token)).boxed_local(),
        call(Method::POST, "/admin/users", Some(&admin.access_token)).boxed_local(),
    ]);
    let pages = async {
        // More than the calls need to arrive.
        for _ in 0..20 {
            let page = app.http.get(app.url("/")).send().await.unwrap();
            assert_eq!(page.status(), 200);
        }
        assert_eq!(hasher.running(), 1, "the turn is still taken");
    };
    tokio::pin!(asked, pages);
    tokio::select! {
        biased;
        () = pages.as_mut() => {}
        _ = asked.as_mut() => panic!("a password was judged out of turn"),
    }
    assert!(!busy.await.unwrap());
    for answer in asked.await {
        assert_eq!(answer.error(), (422, "weak_password"), "{}", answer.body);
    }
}

#[tokio::test]
async fn a_sign_in_is_never_rejected_after_its_password_was_verified() {
    let mut app = TestApp::start().await;
    app.join("max@guard.example").await;
    app.config.auth.argon2_iterations = 3;
    app.config.auth.password_min_length = 60;
    app.config.auth.hashes_at_once = 1;
    app.config.auth.hashes_waiting = 0;
    app.restart().await;
    // Verified, rehashed and checked for strength in one job.
    let body = json!({ "email": "max@guard.example", "password": PASSWORD });
    let session = app.auth_post("/token?grant_type=password", body).await.ok();
    assert_eq!(session["weak_password"]["reasons"], json!(["length"]));
    assert_eq!(app.auth.hasher.operations(), 2);
}

#[tokio::test]
async fn a_sign_in_rejected_by_a_full_queue_counts_no_attempt() {
    let app = TestApp::with(|config| {
        config.limits.account_failures_per_hour = 2;
        config.auth.hashes_at_once = 1;
        config.auth.hashes_waiting = 0;
    })
    .await;
    app.join("max@guard.example").await;
    let hasher = &app.auth.hasher;
    let mut busy = Box::pin(hasher.verify("x", Some(COSTLY)));
    assert!(busy.as_mut().now_or_never().is_none());
    let body = json!({ "email": "max@guard.example", "password": PASSWORD });
    for _ in 0..3 {
        let path = "/token?grant_type=password";
        let answer = app.auth_post(path, body.clone()).await;
        assert_eq!(answer.error(), (429, "over_request_rate_limit"));
        assert_eq!(answer.headers["retry-after"], "1");
    }
    assert!(!busy.await.unwrap());
    app.sign_in("max@guard.example").await;
}
