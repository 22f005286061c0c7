//! Publishing beside requests, and beside backups.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::{Client, Method};
use serde_json::json;

use super::{Editor, body};
use crate::support::app::TestApp;

/// Stands before the number of the version in every text of the test.
const MARK: &str = "Edition7Q";
const PATHS: [&str; 4] = ["/", "/about", "/states/texas", "/contact"];

/// Publishes a version whose pages name their number in several places.
async fn publish(editor: &Editor<'_>, version: i64) {
    let mark = format!("{MARK}{version}");
    let mut facts = editor.section("facts").await;
    facts["name"] = format!("Guards {mark}").into();
    let mut company = editor.section("company").await;
    company["hero"]["heading"] = format!("Guards by {mark}").into();
    company["mission"]["heading"] = format!("About {mark}").into();
    let mut states = editor.section("states").await;
    states[42]["intro"] = format!("Texas by {mark}").into();
    let mut drafts = BTreeMap::new();
    for (key, value) in [("facts", facts), ("company", company), ("states", states)] {
        assert_eq!(editor.save(key, 0, &value).await.status(), 200);
        drafts.insert(key, 1);
    }
    let wanted = json!({ "version": version, "drafts": drafts });
    let published = editor.call(Method::POST, "/publish", wanted).await;
    assert_eq!(published.status(), 200, "{:?}", published.text().await);
}

/// The versions that a page names.
fn named(html: &str) -> BTreeSet<i64> {
    let marks = html.split(MARK).skip(1);
    marks.map(|rest| rest[..1].parse().unwrap()).collect()
}

/// Requests the pages again and again: each names one version, and none that is older than the one
/// before. Returns the newest.
async fn read(http: Client, urls: Vec<String>, done: Arc<AtomicBool>) -> i64 {
    let mut newest = -1;
    loop {
        let last = done.load(Ordering::SeqCst);
        for url in &urls {
            let page = http.get(url).send().await.unwrap().text().await.unwrap();
            let versions = named(&page);
            assert!(versions.len() < 2, "{url} mixes the versions {versions:?}");
            let version = versions.first().copied().unwrap_or(-1);
            assert!(version >= newest, "{url}: {version} after {newest}");
            newest = version;
        }
        if last {
            return newest;
        }
    }
}

#[tokio::test]
async fn no_response_has_texts_of_two_versions_while_content_is_published() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let done = Arc::new(AtomicBool::new(false));
    let urls: Vec<String> = PATHS.map(|path| app.url(path)).into();
    let readers: Vec<_> = (0..3)
        .map(|_| tokio::spawn(read(app.http.clone(), urls.clone(), done.clone())))
        .collect();
    for version in 0..4 {
        publish(&editor, version).await;
    }
    done.store(true, Ordering::SeqCst);
    for reader in readers {
        assert_eq!(reader.await.unwrap(), 3);
    }
    for path in PATHS {
        let page = body(&app, path).await;
        assert!(page.matches(MARK).count() > 2, "{path}");
    }
}
