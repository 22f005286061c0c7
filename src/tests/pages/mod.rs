//! The public pages: paths, redirects, methods and headers. `caches` tests encodings and caching.

mod caches;
mod headers;
mod redirects;
mod seo;

use reqwest::header::HeaderMap;
use reqwest::{Method, Response, StatusCode};

use crate::support::app::TestApp;

/// Requests a path with headers.
pub async fn ask(app: &TestApp, method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
    let mut request = app.http.request(method, app.url(path));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}

/// Gets a page without extra headers.
pub async fn get(app: &TestApp, path: &str) -> Response {
    ask(app, Method::GET, path, &[]).await
}

/// A header's text; empty where there is none.
pub fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn every_page_of_the_route_manifest_has_its_own_html() {
    let app = TestApp::start().await;
    let mut paths = seo::paths(&app).await;
    paths.extend(["/admin", "/admin/site"].map(str::to_owned));
    assert!(paths.len() > 70, "{paths:?}");
    for path in paths {
        let page = get(&app, &path).await;
        assert_eq!(page.status(), 200, "{path}");
        assert_eq!(
            text(page.headers(), "content-type"),
            "text/html; charset=utf-8"
        );
        let html = page.text().await.unwrap();
        assert!(html.contains("<h1") || path.starts_with("/admin"), "{path}");
        assert!(!html.contains("{{"), "{path} has an unfilled placeholder");
        assert!(!html.contains("<!--head-->"), "{path}");
    }
}

#[tokio::test]
async fn an_unknown_path_is_a_404_with_the_not_found_page() {
    let app = TestApp::start().await;
    for path in [
        "/nowhere",
        "/states/guam",
        "/wp-login.php",
        "/quote/x",
        "/assets/none.js",
        "/pages.json",
        "/pages/home.html",
    ] {
        let page = get(&app, path).await;
        assert_eq!(page.status(), 404, "{path}");
        let html = page.text().await.unwrap();
        assert!(html.contains("404"), "{path}");
        assert!(html.contains("noindex"), "{path}");
    }
    assert_eq!(
        ask(&app, Method::DELETE, "/nowhere", &[]).await.status(),
        404
    );
    let words = get(&app, "/auth/v1/nothing").await;
    assert_eq!(
        words.status(),
        404,
        "in the words of the authentication service"
    );
    assert!(text(words.headers(), "content-type").starts_with("application/json"));
    for path in ["/api/nothing", "/api"] {
        let problem = get(&app, path).await;
        assert_eq!(problem.status(), 404, "{path}");
        assert_eq!(
            text(problem.headers(), "content-type"),
            "application/problem+json",
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_query_finds_its_variant_and_a_campaign_finds_the_page() {
    let app = TestApp::start().await;
    let body = async |path: &str| get(&app, path).await.text().await.unwrap();
    let plain = body("/quote").await;
    let fire = body("/quote?service=fire-watch").await;
    assert_ne!(plain, fire);
    assert_eq!(body("/quote?service=fire-watch&utm_source=ad").await, fire);
    assert_eq!(body("/quote?utm_source=ad&service=fire-watch").await, fire);
    assert_eq!(body("/quote?service=unheard-of").await, plain);
    assert_eq!(body("/quote?utm_source=ad").await, plain);
    assert_eq!(body("/?gclid=1").await, body("/").await);
    assert_ne!(body("/quote?sent=1").await, plain);
    assert_ne!(body("/contact?sent=1").await, body("/contact").await);
}

#[tokio::test]
async fn a_page_takes_only_get_and_head() {
    let app = TestApp::start().await;
    for (path, allowed) in [
        ("/", "GET, HEAD"),
        ("/sitemap.xml", "GET, HEAD"),
        ("/quote", "GET, HEAD, POST"),
    ] {
        for method in [Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH] {
            let refused = ask(&app, method, path, &[]).await;
            assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED, "{path}");
            assert_eq!(text(refused.headers(), "allow"), allowed, "{path}");
        }
    }
    assert_eq!(ask(&app, Method::POST, "/", &[]).await.status(), 405);
}
