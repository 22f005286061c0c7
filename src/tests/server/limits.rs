//! The limit of calls per client, over all routes.

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::app::TestApp;

const CLIENT: &str = "203.0.113.7";

/// An app that allows each client three calls a minute; `CLIENT` has made them.
async fn used_up() -> TestApp {
    let app = TestApp::with(|config| config.limits.api_per_minute = 3).await;
    for path in ["/api/openapi.json", "/auth/v1/user", "/api/admin/quotes"] {
        let answer = call(&app, CLIENT, Method::GET, path).await;
        assert_ne!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "{path}");
    }
    app
}

async fn call(app: &TestApp, client: &str, method: Method, path: &str) -> Response {
    let request = app.http.request(method, app.url(path));
    let request = request.header("x-forwarded-for", client);
    request.json(&json!({})).send().await.unwrap()
}

/// Three calls come back within a minute, one by one: the first 20 seconds after the first call.
fn assert_wait(answer: &Response) {
    let seconds = answer.headers()["retry-after"].to_str().unwrap();
    assert!((1..=20).contains(&seconds.parse().unwrap()), "{seconds}");
}

#[tokio::test]
async fn a_client_over_its_limit_is_rejected_on_every_call() {
    let app = used_up().await;
    for (method, path) in [
        (Method::GET, "/api/openapi.json"),
        (Method::GET, "/api/admin/quotes"),
        (Method::GET, "/api/nowhere"),
        (Method::POST, "/api/contact"),
        (Method::POST, "/api/quotes"),
        (Method::POST, "/api/taps"),
        (Method::POST, "/quote"),
        (Method::POST, "/contact"),
    ] {
        let answer = call(&app, CLIENT, method, path).await;
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "{path}");
        assert_wait(&answer);
        assert_eq!(answer.headers()["content-type"], "application/problem+json");
        assert_eq!(answer.headers()["cache-control"], "no-store");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(problem["status"], 429);
        assert_eq!(problem["title"], "Too many requests");
    }
}

#[tokio::test]
async fn the_authentication_service_rejects_in_its_own_format() {
    let app = used_up().await;
    for (method, path) in [
        (Method::POST, "/auth/v1/token?grant_type=password"),
        (Method::GET, "/auth/v1/.well-known/jwks.json"),
        (Method::GET, "/auth/v1/admin/users"),
    ] {
        let answer = call(&app, CLIENT, method, path).await;
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "{path}");
        assert_wait(&answer);
        assert_eq!(
            answer.headers()["x-sb-error-code"],
            "over_request_rate_limit"
        );
        assert_eq!(answer.headers()["cache-control"], "no-store");
        let error: Value = answer.json().await.unwrap();
        assert_eq!(error["error_code"], "over_request_rate_limit");
        assert_eq!(error["code"], 429);
    }
}

#[tokio::test]
async fn pages_health_checks_and_other_clients_are_not_limited() {
    let app = used_up().await;
    for path in ["/", "/quote", "/healthz", "/readyz"] {
        for _ in 0..4 {
            let answer = call(&app, CLIENT, Method::GET, path).await;
            assert_eq!(answer.status(), StatusCode::OK, "{path}");
        }
    }
    let other = call(&app, "203.0.113.8", Method::GET, "/api/openapi.json").await;
    assert_eq!(other.status(), StatusCode::OK);
}

/// An address in its own /64 of one /48.
fn neighbor(n: u32) -> String {
    format!("2001:db8:1:{n:x}::1")
}

#[tokio::test]
async fn the_networks_of_one_48_share_ten_times_the_limit_of_a_client() {
    let app = TestApp::with(|config| {
        config.limits.api_per_minute = 100;
        config.limits.sign_in_per_minute = 3;
    })
    .await;
    let mut posts = 0;
    for n in 0..60 {
        let answer = app
            .ask(
                &neighbor(n),
                None,
                &crate::support::visitors::quote(json!({})),
            )
            .await;
        posts += usize::from(answer.status() == StatusCode::CREATED);
    }
    assert_eq!(posts, 30);
    let elsewhere = app.met("2001:db8:2::1", "Houston, TX").await;
    assert_eq!(elsewhere, StatusCode::CREATED);
    // The rows of before a restart count.
    let app = app.beside().await;
    let full = app.met(&neighbor(99), "Houston, TX").await;
    assert_eq!(full, StatusCode::TOO_MANY_REQUESTS);
    app.clock.advance(300_000);
    assert_eq!(app.met(&neighbor(99), "Houston, TX").await, 201);

    let mut attempts = 0;
    for n in 0..60 {
        let url = app.url("/auth/v1/token?grant_type=password");
        let request = app.http.post(url).header("x-forwarded-for", neighbor(n));
        let secret =
            json!({ "email": format!("max{n}@guard.example"), "password": "wrong password" });
        let answer = request.json(&secret).send().await.unwrap();
        let error: Value = answer.json().await.unwrap();
        let is_limited = error["error_code"] == "over_request_rate_limit";
        attempts += usize::from(!is_limited);
    }
    // One comes back every two seconds.
    assert!((30..40).contains(&attempts), "{attempts} at passwords");

    let app = TestApp::with(|config| config.limits.api_per_minute = 1).await;
    let mut calls = 0;
    for n in 0..20 {
        let answer = call(&app, &neighbor(n), Method::GET, "/api/openapi.json").await;
        calls += usize::from(answer.status() == StatusCode::OK);
    }
    assert!((10..15).contains(&calls), "{calls} calls of the API");
}
