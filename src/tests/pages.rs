//! The public pages: paths, redirects, methods and headers. `caches` tests encodings and caching.

use base64::prelude::{BASE64_STANDARD, Engine};
use guardpost::config::Config;
use guardpost::domain::clock::Clock;
use guardpost::http::page_map::PageMap;
use reqwest::header::{self, HeaderMap};
use reqwest::{Method, Response, StatusCode};
use sha2::{Digest, Sha256};

use crate::app::TestApp;

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
    let mut paths = vec![
        "/states/new-york",
        "/states/north-carolina",
        "/states/new-hampshire",
    ];
    paths.extend([
        "/",
        "/fire-watch",
        "/security-services",
        "/mobile-patrol",
        "/surveillance",
        "/concierge",
    ]);
    paths.extend([
        "/about",
        "/contact",
        "/quote",
        "/admin",
        "/admin/site",
        "/privacy",
        "/terms",
        "/licensing",
    ]);
    for path in paths {
        let page = get(&app, path).await;
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
async fn a_noncanonical_path_is_redirected_once() {
    let app = TestApp::with(|config| {
        let old = [
            ("/Guards.html", "/security-services"),
            ("/old", "/quote?service=fire-watch"),
        ];
        config.server.redirects = old.map(|(from, to)| (from.into(), to.into())).into();
    })
    .await;
    for (asked, right) in [
        ("/fire-watch/", "/fire-watch"),
        ("/Fire-Watch", "/fire-watch"),
        ("/STATES/Texas//", "/states/texas"),
        (
            "/quote/?service=fire-watch&utm_source=x",
            "/quote?service=fire-watch&utm_source=x",
        ),
        ("/guards.html", "/security-services"),
        ("/Guards.html/?a=1", "/security-services?a=1"),
        ("/old?utm_source=x", "/quote?service=fire-watch"),
        ("//", "/"),
    ] {
        let moved = get(&app, asked).await;
        assert_eq!(moved.status(), StatusCode::PERMANENT_REDIRECT, "{asked}");
        assert_eq!(text(moved.headers(), "location"), right, "{asked}");
        assert_eq!(get(&app, right).await.status(), 200, "{right}");
    }
    for path in ["//evil.example", "/\\evil.example", "/nowhere/", "/NoWhere"] {
        assert_eq!(get(&app, path).await.status(), 404, "{path}");
    }
}

#[test]
fn a_redirect_cannot_hide_a_path_that_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let open = |redirects: &[(&str, &str)]| {
        let mut config = Config::default();
        let pairs = redirects
            .iter()
            .map(|(from, to)| ((*from).into(), (*to).into()));
        config.server.redirects = pairs.collect();
        let (company, sso) = (&config.company, &config.auth.sso);
        PageMap::open(
            company,
            config.desk.emergency_minutes,
            &config.server,
            sso,
            folder.path(),
            &Clock::system(),
        )
        .map(|_| ())
    };
    for (from, path) in [
        ("/quote", "/quote is a page"),
        ("/Fire-Watch/", "/fire-watch is a page"),
        ("/states/texas", "/states/texas is a page"),
        ("/", "/ is a page"),
        ("/robots.txt", "/robots.txt is a page"),
        (
            "/.well-known/security.txt",
            "/.well-known/security.txt is a page",
        ),
        ("/api/quotes", "/api/quotes belongs to the API"),
        ("/healthz", "/healthz belongs to the API"),
    ] {
        let error = open(&[(from, "/contact")]).unwrap_err().to_string();
        assert!(error.contains("server.redirects"), "{error}");
        assert!(error.contains(&format!("`{from}` = `/contact`")), "{error}");
        assert!(error.contains(path), "{error}");
    }
    let error = open(&[("/Old", "/contact"), ("/old/", "/quote")]).unwrap_err();
    assert!(
        error.to_string().contains("/old has another redirect"),
        "{error}"
    );
    open(&[("/old", "/contact")]).unwrap();
}

#[test]
fn redirects_in_a_circle_prevent_the_start_and_chains_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let open = |redirects: &[(&str, &str)]| {
        let mut config = Config::default();
        config.server.base_url = "https://guard.example".to_owned();
        let pairs = redirects
            .iter()
            .map(|(from, to)| ((*from).into(), (*to).into()));
        config.server.redirects = pairs.collect();
        let (server, sso) = (&config.server, &config.auth.sso);
        PageMap::open(
            &config.company,
            config.desk.emergency_minutes,
            server,
            sso,
            folder.path(),
            &Clock::system(),
        )
        .map(|_| ())
    };
    for circle in [
        &[("/a", "/a?again=1")][..],
        &[("/a", "/B"), ("/b", "/c#top"), ("/c", "/a/")],
        &[("/a", "https://guard.example/b"), ("/b", "/a")],
    ] {
        let error = open(circle).unwrap_err().to_string();
        assert!(error.contains("in a circle"), "{error}");
    }
    open(&[("/a", "/b"), ("/b", "/c"), ("/c", "/contact"), ("/d", "/b")]).unwrap();
    open(&[("/a", "https://other.example/a")]).unwrap();
}

#[tokio::test]
async fn a_redirect_may_lead_to_another_site() {
    let jobs = "https://jobs.example/guards";
    let app = TestApp::with(|config| {
        config.server.redirects = [("/careers".to_owned(), jobs.to_owned())].into();
    })
    .await;
    let moved = get(&app, "/Careers/?a=1").await;
    assert_eq!(moved.status(), StatusCode::PERMANENT_REDIRECT);
    assert_eq!(text(moved.headers(), "location"), format!("{jobs}?a=1"));
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
    assert_eq!(
        ask(&app, Method::POST, "/", &[]).await.status(),
        StatusCode::METHOD_NOT_ALLOWED
    );
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let app = TestApp::start().await;
    let tag = text(get(&app, "/").await.headers(), "etag").to_owned();
    let answers = [
        get(&app, "/").await,
        ask(&app, Method::GET, "/", &[("if-none-match", &tag)]).await,
        get(&app, "/nowhere").await,
        get(&app, "/fire-watch/").await,
        ask(&app, Method::PUT, "/", &[]).await,
        get(&app, "/robots.txt").await,
        get(&app, "/.well-known/security.txt").await,
        get(&app, "/healthz").await,
        get(&app, "/api/nothing").await,
        ask(
            &app,
            Method::POST,
            "/api/quotes",
            &[("content-type", "text/plain")],
        )
        .await,
        ask(
            &app,
            Method::GET,
            "/",
            &[("accept-encoding", "identity;q=0")],
        )
        .await,
    ];
    for answer in answers {
        let headers = answer.headers();
        let at = format!("{} {}", answer.status(), answer.url());
        assert!(
            text(headers, "content-security-policy").contains("default-src 'none'"),
            "{at}"
        );
        assert!(
            text(headers, "content-security-policy").contains("frame-ancestors 'none'"),
            "{at}"
        );
        assert_eq!(text(headers, "x-content-type-options"), "nosniff", "{at}");
        assert_eq!(
            text(headers, "cross-origin-opener-policy"),
            "same-origin",
            "{at}"
        );
        for name in [
            "referrer-policy",
            "permissions-policy",
            "cross-origin-resource-policy",
            "cache-control",
        ] {
            assert!(headers.contains_key(name), "{at} {name}");
        }
        assert!(
            !headers.contains_key(header::STRICT_TRANSPORT_SECURITY),
            "{at}"
        );
        assert!(!headers.contains_key(header::SERVER), "{at}");
    }
}

#[tokio::test]
async fn the_stylesheet_is_inlined_and_allowed_by_its_hash_alone() {
    let app = TestApp::start().await;
    for path in ["/", "/quote?sent=1", "/states/texas", "/nowhere"] {
        let page = get(&app, path).await;
        let policy = text(page.headers(), "content-security-policy").to_owned();
        let html = page.text().await.unwrap();
        let (_, rest) = html.split_once("<style data-href=\"/assets/").unwrap();
        let (_, sheet) = rest.split_once('>').unwrap();
        let (sheet, after) = sheet.split_once("</style>").unwrap();
        assert!(!after.contains("<style"), "{path}");
        let hash = BASE64_STANDARD.encode(Sha256::digest(sheet));
        let allowed = format!("style-src 'self' 'sha256-{hash}';");
        assert!(policy.contains(&allowed), "{path}: {policy}");
        assert!(!html.contains("rel=\"stylesheet\" crossorigin"), "{path}");
    }
}

#[tokio::test]
async fn a_site_with_an_https_base_url_sends_hsts() {
    let app = TestApp::with(|config| config.server.base_url = "https://guard.example".into()).await;
    for path in ["/", "/nowhere", "/healthz"] {
        let answer = get(&app, path).await;
        assert_eq!(
            text(answer.headers(), "strict-transport-security"),
            "max-age=31536000"
        );
    }
}
