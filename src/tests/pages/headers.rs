//! The security headers of every response.

use base64::prelude::{BASE64_STANDARD, Engine};
use reqwest::{Method, header};
use sha2::{Digest, Sha256};

use super::{ask, get, text};
use crate::support::app::TestApp;

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
async fn the_stylesheets_are_inlined_and_allowed_by_their_hashes_alone() {
    let app = TestApp::start().await;
    for path in ["/", "/quote?sent=1", "/states/texas", "/nowhere"] {
        let page = get(&app, path).await;
        let policy = text(page.headers(), "content-security-policy").to_owned();
        let html = page.text().await.unwrap();
        let sheets: Vec<&str> = html.split("<style data-href=\"/assets/").skip(1).collect();
        assert!(!sheets.is_empty(), "{path}");
        let count = sheets.len();
        for sheet in sheets {
            let (_, sheet) = sheet.split_once('>').unwrap();
            let (sheet, _) = sheet.split_once("</style>").unwrap();
            let hash = BASE64_STANDARD.encode(Sha256::digest(sheet));
            let allowed = format!("'sha256-{hash}'");
            assert!(policy.contains(&allowed), "{path}: {policy}");
        }
        let styles = directive(&policy, "style-src");
        assert_eq!(
            styles.matches("'sha256-").count(),
            count,
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe-inline"), "{path}: {policy}");
        assert!(!html.contains("rel=\"stylesheet\" crossorigin"), "{path}");
    }
}

#[tokio::test]
async fn the_start_script_is_inlined_and_allowed_by_its_hash_alone() {
    let app = TestApp::start().await;
    for path in ["/", "/states/texas", "/admin", "/nowhere"] {
        let page = get(&app, path).await;
        let policy = text(page.headers(), "content-security-policy").to_owned();
        let html = page.text().await.unwrap();
        let (_, script) = html.split_once("<script type=\"module\">").unwrap();
        let (script, rest) = script.split_once("</script>").unwrap();
        assert!(!rest.contains("<script type=\"module\""), "{path}");
        let hash = BASE64_STANDARD.encode(Sha256::digest(script));
        let allowed = format!("script-src 'self' 'sha256-{hash}'");
        assert_eq!(directive(&policy, "script-src"), allowed, "{path}");
    }
}

#[tokio::test]
async fn the_policy_of_a_response_without_inline_files_allows_none() {
    let app = TestApp::start().await;
    for path in ["/robots.txt", "/healthz", "/api/nothing"] {
        let answer = get(&app, path).await;
        let policy = text(answer.headers(), "content-security-policy");
        assert_eq!(directive(policy, "style-src"), "style-src 'self'", "{path}");
        assert_eq!(
            directive(policy, "script-src"),
            "script-src 'self'",
            "{path}"
        );
    }
}

/// The directive of a policy with this name.
fn directive<'a>(policy: &'a str, name: &str) -> &'a str {
    let mut directives = policy.split("; ");
    directives.find(|one| one.starts_with(name)).unwrap()
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
