//! How many calls a client may make, whatever it calls.

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
