//! HTTP caching of pages and files: content codings, entity tags, cache lifetimes.

use std::io::Read;

use reqwest::{Method, StatusCode};

use crate::pages::{ask, get, text};
use crate::support::app::TestApp;

#[tokio::test]
async fn bodies_are_sent_in_the_content_coding_that_the_client_accepts() {
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
}

#[tokio::test]
async fn a_matching_entity_tag_returns_304() {
    let app = TestApp::start().await;
    let first = get(&app, "/about").await;
    assert_eq!(text(first.headers(), "cache-control"), "no-cache");
    let tag = text(first.headers(), "etag").to_owned();
    let weak = format!("W/{tag}");
    let list = format!("\"other\", W/{tag} , \"more\"");
    for known in [tag.as_str(), weak.as_str(), list.as_str(), "*"] {
        let response = ask(&app, Method::GET, "/about", &[("if-none-match", known)]).await;
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{known}");
        assert_eq!(text(response.headers(), "etag"), tag);
        assert_eq!(text(response.headers(), "vary"), "accept-encoding");
        assert_eq!(text(response.headers(), "content-type"), "");
        assert!(response.bytes().await.unwrap().is_empty());
    }
    for unknown in ["\"other\"", "", tag.trim_matches('"')] {
        let response = ask(&app, Method::GET, "/about", &[("if-none-match", unknown)]).await;
        assert_eq!(response.status(), 200, "{unknown}");
    }
    let other = ask(
        &app,
        Method::GET,
        "/about",
        &[("if-none-match", &tag), ("accept-encoding", "br")],
    )
    .await;
    assert_eq!(
        other.status(),
        200,
        "an entity tag is specific to one coding"
    );
}

#[tokio::test]
async fn head_returns_the_headers_of_get_without_a_body() {
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
async fn hashed_assets_are_immutable() {
    let app = TestApp::start().await;
    let html = get(&app, "/").await.text().await.unwrap();
    let (_, code) = html.split_once("data-code=\"").unwrap();
    let path = code.split([' ', '"']).next().unwrap();
    let asset = ask(&app, Method::GET, path, &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(asset.status(), 200, "{path}");
    assert_eq!(
        text(asset.headers(), "cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(text(asset.headers(), "content-encoding"), "br");
    let plain = get(&app, path).await;
    assert_eq!(text(plain.headers(), "content-encoding"), "");
    let plain = plain.bytes().await.unwrap();
    let zipped = ask(&app, Method::GET, path, &[("accept-encoding", "gzip")]).await;
    assert_eq!(text(zipped.headers(), "content-encoding"), "gzip");
    let mut unzipped = Vec::new();
    flate2::read::GzDecoder::new(&*zipped.bytes().await.unwrap())
        .read_to_end(&mut unzipped)
        .unwrap();
    assert_eq!(unzipped, plain, "the same script for each client");
    let precompressed = get(&app, &format!("{path}.br")).await;
    assert_eq!(
        precompressed.status(),
        404,
        "the precompressed file has no URL of its own"
    );
}
