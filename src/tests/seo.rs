//! What search engines, link previews and other crawlers read.

use std::collections::BTreeSet;

use guardpost::config::SsoDomain;
use serde_json::Value;

use crate::app::TestApp;

async fn body(app: &TestApp, path: &str) -> String {
    let answer = app.http.get(app.url(path)).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    answer.text().await.unwrap()
}

/// Every address of the sitemap, as paths.
async fn paths(app: &TestApp) -> Vec<String> {
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

fn graph(html: &str) -> Vec<Value> {
    let text =
        between(html, r#"<script type="application/ld+json">"#, "</script>").expect("JSON-LD");
    let all: Value = serde_json::from_str(text).unwrap();
    assert_eq!(all["@context"], "https://schema.org");
    all["@graph"].as_array().unwrap().clone()
}

fn named<'a>(graph: &'a [Value], kind: &str) -> Option<&'a Value> {
    graph.iter().find(|node| node["@type"] == kind)
}

/// Checks that a node and everything in it is of a type and says something. That schema.org has
/// these types and
/// properties is checked against its vocabulary by `frontend/e2e/structured-data.spec.ts`.
fn check(node: &Value, at: &str) {
    match node {
        Value::Array(items) => items.iter().for_each(|item| check(item, at)),
        Value::Object(properties) => {
            let reference = properties.len() == 1 && properties.contains_key("@id");
            assert!(
                reference || properties["@type"].is_string(),
                "{at}: {node} is of no type"
            );
            for (name, value) in properties {
                assert!(!value.is_null() && *value != "", "{at}: {name} is empty");
                check(value, at);
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn every_public_page_has_its_own_head_and_structured_data() {
    let app = TestApp::with(|config| config.server.base_url = "https://guard.example".into()).await;
    let (mut titles, mut descriptions) = (BTreeSet::new(), BTreeSet::new());
    for path in paths(&app).await {
        let html = body(&app, &path).await;
        let title = between(&html, "<title>", "</title>").unwrap();
        let description = between(&html, r#"<meta name="description" content=""#, "\"").unwrap();
        assert!(
            (10..=75).contains(&title.chars().count()),
            "{path}: {title}"
        );
        assert!(
            (50..=180).contains(&description.chars().count()),
            "{path}: {description}"
        );
        assert!(titles.insert(title.to_owned()), "{path}: {title} twice");
        assert!(
            descriptions.insert(description.to_owned()),
            "{path}: {description} twice"
        );
        let url = format!("https://guard.example{path}");
        assert!(
            html.contains(&format!(r#"<link rel="canonical" href="{url}" />"#)),
            "{path}"
        );
        assert!(
            html.contains(&format!(r#"<meta property="og:url" content="{url}" />"#)),
            "{path}"
        );
        assert!(
            html.contains(&format!(
                r#"<meta property="og:title" content="{title}" />"#
            )),
            "{path}"
        );
        assert!(!html.contains("noindex"), "{path}");
        let graph = graph(&html);
        graph.iter().for_each(|node| check(node, &path));
        let company = named(&graph, "LocalBusiness").expect("the company");
        assert_eq!(company["telephone"], "+17135550142");
        assert!(
            path == "/" || named(&graph, "BreadcrumbList").is_some(),
            "{path}"
        );
        assert!(!html.to_lowercase().contains("aggregaterating"), "{path}");
    }
}

#[tokio::test]
async fn services_states_and_questions_have_their_structured_data_types() {
    let app = TestApp::start().await;
    let home = graph(&body(&app, "/").await);
    assert_eq!(
        named(&home, "FAQPage").unwrap()["mainEntity"]
            .as_array()
            .unwrap()
            .len(),
        10
    );
    assert_eq!(
        named(&home, "LocalBusiness").unwrap()["areaServed"]
            .as_array()
            .unwrap()
            .len(),
        50
    );
    let texas = graph(&body(&app, "/states/texas").await);
    let service = named(&texas, "Service").unwrap();
    assert_eq!(service["areaServed"]["name"], "Texas");
    assert_eq!(
        service["provider"]["@id"],
        named(&texas, "LocalBusiness").unwrap()["@id"]
    );
    for path in [
        "/fire-watch",
        "/security-services",
        "/mobile-patrol",
        "/surveillance",
        "/concierge",
    ] {
        let graph = graph(&body(&app, path).await);
        assert_eq!(
            named(&graph, "Service").unwrap()["areaServed"]["name"],
            "United States",
            "{path}"
        );
    }
    assert!(named(&graph(&body(&app, "/contact").await), "ContactPage").is_some());
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
async fn changed_company_details_appear_in_everything_that_is_served() {
    let app = TestApp::with(|config| {
        config.company.phone = "(832) 555-0199".into();
        config.company.name = "O'Neil & Sons <Security>".into();
        config.company.legal_name = "O'Neil LLC".into();
        config.company.email = "desk@oneil.example".into();
        config.company.media_email = "press@oneil.example".into();
        config.company.street = "1 Main Street".into();
        config.company.city = "Springfield".into();
        config.company.postal_code = "77990".into();
    })
    .await;
    let mut served = paths(&app).await;
    let others = [
        "/admin",
        "/llms.txt",
        "/quote?sent=1",
        "/quote?service=concierge",
        "/contact?sent=1",
    ];
    served.extend(others.map(str::to_owned));
    for path in served {
        let text = body(&app, &path).await;
        for old in [
            "555-0142",
            "7135550142",
            "Guardpost Security",
            "@guardpost.example",
            "Enclave Parkway",
            "77077",
        ] {
            assert!(!text.contains(old), "{path} still says {old}");
        }
        // Clients and states may be in Houston all the same.
        assert!(
            !["/about", "/contact", "/llms.txt"].contains(&path.as_str())
                || !text.contains("Houston"),
            "{path} still says Houston"
        );
        assert!(
            !text.contains("<Security>") || path.ends_with(".txt"),
            "{path}"
        );
        assert!(
            text.contains("555-0199") || text.contains("8325550199"),
            "{path}"
        );
    }
    let not_found = app.http.get(app.url("/nowhere")).send().await.unwrap();
    assert!(!not_found.text().await.unwrap().contains("555-0142"));
}

#[tokio::test]
async fn without_a_media_address_the_press_page_shows_the_office_address() {
    let app = TestApp::with(|config| config.company.media_email = String::new()).await;
    let home = body(&app, "/").await;
    assert!(home.contains(r#"Media contact: <a href="mailto:office@guardpost.example">"#));
    assert!(home.contains(r#""media_email":"office@guardpost.example""#));
}

#[tokio::test]
async fn the_company_sign_in_is_shown_only_if_it_is_configured() {
    let said = r#""sso":true"#;
    let app = TestApp::start().await;
    assert!(!body(&app, "/admin").await.contains(said));
    let provider = SsoDomain {
        domain: "acme.example".into(),
        provider: "acme".into(),
    };
    let app = TestApp::with(|config| config.auth.sso = vec![provider]).await;
    assert!(body(&app, "/admin").await.contains(said));
}

#[tokio::test]
async fn a_license_is_shown_only_if_it_is_configured() {
    let app = TestApp::with(|config| {
        config.company.licenses = [("TX".to_owned(), "B-99887766".into())].into();
    })
    .await;
    assert!(
        body(&app, "/states/texas")
            .await
            .matches("B-99887766")
            .count()
            >= 2,
        "shown, and in the facts"
    );
    let ohio = body(&app, "/states/ohio").await;
    assert_eq!(ohio.matches("B-99887766").count(), 1, "only in the facts");
    assert!(!ohio.contains(r#"data-if="company.licenses"#));
}

#[tokio::test]
async fn security_txt_never_expires() {
    let app = TestApp::start().await;
    for _ in 0..3 {
        let text = body(&app, "/.well-known/security.txt").await;
        let expires = between(&text, "Expires: ", "\n").unwrap();
        let expires = guardpost::domain::clock::Time::parse(expires).unwrap();
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
    let photo = app
        .http
        .get(app.url(&format!("/media/{path}")))
        .send()
        .await
        .unwrap();
    assert_eq!(photo.headers()["content-type"], "image/jpeg");
    assert!(
        photo.headers()["cache-control"]
            .to_str()
            .unwrap()
            .contains("immutable")
    );
    assert_eq!(photo.bytes().await.unwrap(), "a photo");
}
