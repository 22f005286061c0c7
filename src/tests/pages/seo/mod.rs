//! What search engines, link previews and other crawlers read.

mod company_facts;
mod licenses;
mod structured_data;

use std::collections::BTreeSet;

use super::get;
use crate::support::app::TestApp;

async fn body(app: &TestApp, path: &str) -> String {
    let answer = get(app, path).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.text().await.unwrap()
}

/// Every address of the sitemap, as paths.
pub(super) async fn paths(app: &TestApp) -> Vec<String> {
    let xml = body(app, "/sitemap.xml").await;
    let addresses = xml.split("<loc>").skip(1);
    addresses
        .map(|rest| rest.split("</loc>").next().unwrap())
        .map(|url| {
            url.strip_prefix(&*app.config.server.origin())
                .unwrap()
                .to_owned()
        })
        .collect()
}

/// The value between two markers.
fn between<'a>(html: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = html.split_once(before)?;
    Some(rest.split_once(after)?.0)
}

#[tokio::test]
async fn the_sitemap_names_every_public_page_once_with_the_day_it_changed() {
    let app = TestApp::start().await;
    let paths = paths(&app).await;
    let unique: BTreeSet<_> = paths.iter().collect();
    assert_eq!(unique.len(), paths.len());
    assert_eq!(
        paths
            .iter()
            .filter(|path| path.starts_with("/states/"))
            .count(),
        50
    );
    for path in [
        "/",
        "/quote",
        "/privacy",
        "/terms",
        "/licensing",
        "/about",
        "/contact",
    ] {
        assert!(unique.contains(&path.to_owned()), "{path}");
    }
    for path in ["/admin", "/admin/site", "/api/docs"] {
        assert!(!unique.contains(&path.to_owned()), "{path}");
    }
    let xml = body(&app, "/sitemap.xml").await;
    assert_eq!(xml.matches("<lastmod>2026-").count(), paths.len());
    assert!(
        body(&app, "/robots.txt")
            .await
            .contains(&format!("Sitemap: {}", app.config.server.origin()))
    );
}

#[tokio::test]
async fn pages_that_are_not_for_search_engines_are_noindex() {
    let app = TestApp::start().await;
    for path in [
        "/admin",
        "/admin/site",
        "/quote?sent=1",
        "/contact?sent=1",
        "/quote?service=fire-watch",
    ] {
        let html = body(&app, path).await;
        assert!(
            html.contains(r#"<meta name="robots" content="noindex" />"#),
            "{path}"
        );
        assert!(!html.contains("ld+json"), "{path}");
    }
    let variant = body(&app, "/quote?service=fire-watch").await;
    let canonical = format!(
        r#"<link rel="canonical" href="{}/quote" />"#,
        app.config.server.origin()
    );
    assert!(variant.contains(&canonical));
}

#[tokio::test]
async fn security_txt_never_expires() {
    let app = TestApp::start().await;
    for _ in 0..3 {
        let text = body(&app, "/.well-known/security.txt").await;
        let expires = between(&text, "Expires: ", "\n").unwrap();
        let expires = domain::clock::Time::parse(expires).unwrap();
        let ahead = expires.seconds() - app.clock.now().seconds();
        assert!((30 * 86_400..365 * 86_400).contains(&ahead), "{text}");
        assert!(text.contains("Contact: mailto:"));
        app.clock.advance(400 * 86_400_000);
    }
}

#[tokio::test]
async fn a_photo_in_the_media_folder_replaces_its_scene() {
    let mut app = TestApp::start().await;
    let drawn = body(&app, "/fire-watch").await;
    assert!(drawn.contains(r#"data-scene="fire-watch""#));
    let media = app.folder.path().join("media");
    std::fs::create_dir(&media).unwrap();
    std::fs::write(media.join("fire-watch.jpg"), b"a photo").unwrap();
    std::fs::write(media.join("README"), b"not a photo").unwrap();
    app.restart().await;
    let html = body(&app, "/fire-watch").await;
    let path = between(&html, "<img src=\"/media/", "\"").unwrap();
    assert!(
        html.contains(&format!(r#""photos":{{"fire-watch":"/media/{path}"}}"#)),
        "the browser is told"
    );
    let photo = get(&app, &format!("/media/{path}")).await;
    assert_eq!(photo.headers()["content-type"], "image/jpeg");
    assert!(
        photo.headers()["cache-control"]
            .to_str()
            .unwrap()
            .contains("immutable")
    );
    assert_eq!(photo.bytes().await.unwrap(), "a photo");
}
