//! The dashboard's API: quotes, their status changes, and call clicks.

mod list;
mod moves;

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::app::TestApp;

/// Requests a status change.
async fn patch(app: &TestApp, token: &str, path: &str, status: &str) -> Response {
    let body = json!({"status": status});
    app.call(token, Method::PATCH, path, body).await
}

async fn get(app: &TestApp, token: &str, path: &str) -> Value {
    let answer = app.call(token, Method::GET, path, Value::Null).await;
    answer.json().await.unwrap()
}

#[tokio::test]
async fn call_clicks_are_listed_for_pages_of_the_site_only() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    // Stored by a version that took every path.
    for page in ["//2130706433/admin", "/made-up", "/states/texas"] {
        let counted = app
            .store
            .count_call_click(page.to_owned(), "2026-11-21".parse().unwrap())
            .await;
        counted.unwrap();
    }
    let taps = get(&app, &admin, "/api/admin/taps").await;
    assert_eq!(
        taps,
        json!({"pages": [{"page": "/states/texas", "taps": 1}]})
    );
}

#[tokio::test]
async fn bad_parameters_and_ids_get_a_clear_error() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    for (path, status) in [
        ("/api/admin/quotes?status=lost", 400),
        ("/api/admin/quotes?limit=0", 400),
        ("/api/admin/quotes?limit=many", 400),
        ("/api/admin/quotes?cursor=nonsense", 400),
        ("/api/admin/quotes?q=x&cursor=2026", 400),
        ("/api/admin/quotes?q=%22%20OR%20NEAR(%2A", 200),
        ("/api/admin/quotes?q=e%CC%81%F0%9F%94%A5", 200),
        ("/api/admin/quotes/7", 400),
        (
            "/api/admin/quotes/0192f1de-7b5a-7000-8000-000000000001",
            404,
        ),
        ("/api/admin/nothing", 404),
    ] {
        let answer = app.call(&admin, Method::GET, path, Value::Null).await;
        assert_eq!(answer.status(), status, "{path}");
    }
    let path = format!("/api/admin/quotes/{}", app.stored(json!({})).await);
    for body in [
        json!({}),
        json!({"status": "lost"}),
        json!({"status": 5}),
        json!([]),
    ] {
        let answer = app.call(&admin, Method::PATCH, &path, body.clone()).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{body}");
        let problem: Value = answer.json().await.unwrap();
        let named = body.is_object().then_some("status");
        assert_eq!(problem["fields"][0]["field"].as_str(), named, "{body}");
    }
}

#[tokio::test]
async fn a_405_lists_the_allowed_methods() {
    let app = TestApp::start().await;
    for (path, allowed) in [
        (
            "/api/admin/quotes/0192f1de-7b5a-7000-8000-000000000001",
            "GET, HEAD, PATCH",
        ),
        ("/api/admin/quotes", "GET, HEAD"),
        ("/api/quotes", "POST"),
        ("/auth/v1/token", "POST"),
        ("/readyz", "GET, HEAD"),
    ] {
        let answer = app.http.delete(app.url(path)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert_eq!(answer.headers()["allow"], allowed, "{path}");
    }
}
