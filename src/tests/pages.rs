//! The public pages as browsers, caches and robots meet them.

use std::io::Read;

use reqwest::header::{self, HeaderMap};
use reqwest::{Method, Response, StatusCode};

use crate::app::TestApp;

/// What a test asks for: a path and headers.
async fn ask(app: &TestApp, method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
    let mut request = app.http.request(method, app.url(path));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}

async fn get(app: &TestApp, path: &str) -> Response {
    ask(app, Method::GET, path, &[]).await
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn every_page_of_the_spine_is_answered_with_its_own_html() {
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
        assert!(html.contains("<h1") || path == "/admin", "{path}");
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
async fn a_path_in_the_wrong_spelling_is_redirected_once() {
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
async fn bytes_come_in_the_coding_the_client_asks_for() {
    let app = TestApp::start().await;
    let plain = get(&app, "/fire-watch").await;
    assert_eq!(text(plain.headers(), "content-encoding"), "");
    let plain = plain.bytes().await.unwrap();
    let mut tags = Vec::new();
    for (accepted, coding) in [
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0", ""),
    ] {
        let page = ask(
            &app,
            Method::GET,
            "/fire-watch",
            &[("accept-encoding", accepted)],
        )
        .await;
        assert_eq!(page.status(), 200);
        assert_eq!(
            text(page.headers(), "content-encoding"),
            coding,
            "{accepted}"
        );
        assert_eq!(text(page.headers(), "vary"), "accept-encoding");
        let tag = text(page.headers(), "etag").to_owned();
        assert!(
            tag.starts_with('"') && !tags.contains(&(tag.clone(), coding)),
            "{tag}"
        );
        let length: usize = text(page.headers(), "content-length").parse().unwrap();
        let sent = page.bytes().await.unwrap();
        assert_eq!(sent.len(), length);
        let mut back = Vec::new();
        match coding {
            "br" => brotli::BrotliDecompress(&mut &*sent, &mut back).unwrap(),
            "gzip" => {
                flate2::read::GzDecoder::new(&*sent)
                    .read_to_end(&mut back)
                    .unwrap();
            }
            _ => back.extend(&sent),
        }
        assert!(back == plain, "{accepted}");
        if coding != "gzip" {
            tags.push((tag, coding));
        }
    }
    let refused = ask(
        &app,
        Method::GET,
        "/",
        &[("accept-encoding", "identity;q=0, br;q=0, gzip;q=0")],
    )
    .await;
    assert_eq!(refused.status(), StatusCode::NOT_ACCEPTABLE);
}

#[tokio::test]
async fn a_cached_page_is_not_sent_again() {
    let app = TestApp::start().await;
    let first = get(&app, "/about").await;
    assert_eq!(text(first.headers(), "cache-control"), "no-cache");
    let tag = text(first.headers(), "etag").to_owned();
    let weak = format!("W/{tag}");
    let list = format!("\"other\", W/{tag} , \"more\"");
    for known in [tag.as_str(), weak.as_str(), list.as_str(), "*"] {
        let again = ask(&app, Method::GET, "/about", &[("if-none-match", known)]).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{known}");
        assert_eq!(text(again.headers(), "etag"), tag);
        assert_eq!(text(again.headers(), "vary"), "accept-encoding");
        assert_eq!(text(again.headers(), "content-type"), "");
        assert!(again.bytes().await.unwrap().is_empty());
    }
    for unknown in ["\"other\"", "", tag.trim_matches('"')] {
        let again = ask(&app, Method::GET, "/about", &[("if-none-match", unknown)]).await;
        assert_eq!(again.status(), 200, "{unknown}");
    }
    let other = ask(
        &app,
        Method::GET,
        "/about",
        &[("if-none-match", &tag), ("accept-encoding", "br")],
    )
    .await;
    assert_eq!(other.status(), 200, "a tag speaks for one coding");
}

#[tokio::test]
async fn head_tells_what_get_would_and_nothing_more() {
    let app = TestApp::start().await;
    for (path, status) in [("/", 200), ("/nowhere", 404), ("/robots.txt", 200)] {
        let whole = get(&app, path).await;
        let head = ask(&app, Method::HEAD, path, &[]).await;
        assert_eq!(head.status(), status);
        for name in ["etag", "content-length", "content-type", "cache-control"] {
            assert_eq!(
                text(head.headers(), name),
                text(whole.headers(), name),
                "{path} {name}"
            );
        }
        assert!(head.bytes().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn hashed_assets_are_kept_for_ever() {
    let app = TestApp::start().await;
    let html = get(&app, "/").await.text().await.unwrap();
    let at = html.find("/assets/").unwrap();
    let path = html[at..].split('"').next().unwrap();
    let asset = ask(&app, Method::GET, path, &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(asset.status(), 200, "{path}");
    assert_eq!(
        text(asset.headers(), "cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(text(asset.headers(), "content-encoding"), "br");
    let twin = get(&app, &format!("{path}.br")).await;
    assert_eq!(
        twin.status(),
        404,
        "the compressed twin has no address of its own"
    );
}

#[tokio::test]
async fn a_page_can_only_be_read() {
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
async fn the_security_headers_are_on_every_answer() {
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
async fn a_site_known_by_https_asks_to_be_reached_by_https_only() {
    let app = TestApp::with(|config| config.server.base_url = "https://guard.example".into()).await;
    for path in ["/", "/nowhere", "/healthz"] {
        let answer = get(&app, path).await;
        assert_eq!(
            text(answer.headers(), "strict-transport-security"),
            "max-age=31536000"
        );
    }
}
