//! Titles, descriptions and structured data of every public page.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{between, body, paths};
use crate::support::app::TestApp;

pub(super) fn graph(html: &str) -> Vec<Value> {
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
/// properties is checked against its vocabulary by `frontend/e2e/public/structured-data.spec.ts`.
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
        "/event-security",
        "/emergency-response",
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
