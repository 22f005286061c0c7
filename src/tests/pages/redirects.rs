//! Redirects: to canonical paths, those of the settings, and which of these prevent the start.

use config::Config;
use domain::clock::Clock;
use guardpost::app::page_settings;
use http::pages::page_map::PageMap;
use reqwest::StatusCode;

use super::{get, text};
use crate::support::app::TestApp;

#[tokio::test]
async fn a_noncanonical_path_is_redirected_once_also_to_another_site() {
    let app = TestApp::with(|config| {
        let old = [
            ("/Guards.html", "/security-services"),
            ("/old", "/quote?service=fire-watch"),
            ("/jobs", "https://jobs.example/guards"),
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
    let moved = get(&app, "/Jobs/?a=1").await;
    assert_eq!(moved.status(), StatusCode::PERMANENT_REDIRECT);
    assert_eq!(
        text(moved.headers(), "location"),
        "https://jobs.example/guards?a=1"
    );
    for path in ["//evil.example", "/\\evil.example", "/nowhere/", "/NoWhere"] {
        assert_eq!(get(&app, path).await.status(), 404, "{path}");
    }
}

/// Opens the pages with these redirects.
fn open(redirects: &[(&str, &str)]) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut config = Config::default();
    config.server.base_url = "https://guard.example".to_owned();
    let pairs = redirects.iter();
    let pairs = pairs.map(|(from, to)| ((*from).into(), (*to).into()));
    config.server.redirects = pairs.collect();
    config.data.dir = folder.path().to_owned();
    let settings = page_settings(&config, &Clock::system());
    PageMap::open(&config.company, &settings).map(drop)
}

#[test]
fn a_redirect_cannot_hide_a_path_that_is_served() {
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
async fn password_managers_are_led_to_the_account() {
    let app = TestApp::start().await;
    let answer = get(&app, "/.well-known/change-password").await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    assert_eq!(text(answer.headers(), "location"), "/admin/account");
    assert_eq!(get(&app, "/admin/account").await.status(), 200);
}
