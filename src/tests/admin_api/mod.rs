//! The dashboard's API: quotes, their status changes, and call clicks.

mod list;
mod moves;

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::app::TestApp;

/// A call with a token, if there is one.
async fn call(
    app: &TestApp,
    token: Option<&str>,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> Response {
    let mut request = app.http.request(method, app.url(path));
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    if let Some(body) = body {
        request = request.json(&body);
    }
    request.send().await.unwrap()
}

/// Requests a status change.
async fn patch(app: &TestApp, token: &str, path: &str, status: &str) -> Response {
    let body = json!({"status": status});
    call(app, Some(token), Method::PATCH, path, Some(body)).await
}

async fn get(app: &TestApp, token: &str, path: &str) -> Value {
    call(app, Some(token), Method::GET, path, None)
        .await
        .json()
        .await
        .unwrap()
}

#[tokio::test]
async fn only_an_admin_can_list_quotes() {
    let app = TestApp::start().await;
    let id = app.stored(json!({})).await;
    let (admin, member) = (
        app.admin().await.access_token,
        app.member().await.access_token,
    );
    let calls = [
        (Method::GET, "/api/admin/quotes".to_owned(), None),
        (Method::GET, format!("/api/admin/quotes/{id}"), None),
        (
            Method::PATCH,
            format!("/api/admin/quotes/{id}"),
            Some(json!({"status": "in_progress"})),
        ),
        (Method::GET, "/api/admin/taps".to_owned(), None),
    ];
    for (method, path, body) in calls {
        for (token, status) in [
            (None, 401),
            (Some("nonsense"), 401),
            (Some(member.as_str()), 403),
        ] {
            let answer = call(&app, token, method.clone(), &path, body.clone()).await;
            assert_eq!(answer.status(), status, "{method} {path}");
            assert_eq!(answer.headers()["content-type"], "application/problem+json");
        }
        assert_eq!(
            call(&app, Some(&admin), method.clone(), &path, body)
                .await
                .status(),
            200,
            "{method} {path}"
        );
    }
}

#[tokio::test]
async fn call_clicks_are_listed_for_pages_of_the_site_only() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    // Stored by a version that took every path.
    for page in ["//2130706433/admin", "/made-up", "/states/texas"] {
        let counted = app
            .store
            .count_call_click(page.to_owned(), app.clock.now())
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
        let answer = call(&app, Some(&admin), Method::GET, path, None).await;
        assert_eq!(answer.status(), status, "{path}");
    }
    let path = format!("/api/admin/quotes/{}", app.stored(json!({})).await);
    for body in [
        json!({}),
        json!({"status": "lost"}),
        json!({"status": 5}),
        json!([]),
    ] {
        let answer = call(&app, Some(&admin), Method::PATCH, &path, Some(body.clone())).await;
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
        let answer = call(&app, None, Method::DELETE, path, None).await;
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert_eq!(answer.headers()["allow"], allowed, "{path}");
    }
}
