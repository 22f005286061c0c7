//! The site's content: edited, previewed, published and taken back in the dashboard, and as files.

mod commands;
mod editing;
mod hostile;
mod in_force;
mod markup;
mod pictures;
mod schedule;
mod versions;

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::pages::{get, text};
use crate::support::app::TestApp;

/// The public pages of a company that is not on a laptop, so that no samples are shown.
const ORIGIN: &str = "https://guard.example";

pub(crate) struct Editor<'a> {
    app: &'a TestApp,
    token: String,
}

impl<'a> Editor<'a> {
    pub(crate) async fn of(app: &'a TestApp) -> Self {
        let token = app.admin().await.access_token;
        Self { app, token }
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> Response {
        let path = format!("/api/admin/site{path}");
        self.app.call(&self.token, method, &path, body).await
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.call(Method::GET, path, Value::Null).await;
        assert_eq!(answer.status(), 200, "{path}");
        answer.json().await.unwrap()
    }

    async fn content(&self) -> Value {
        self.get("").await
    }

    /// Makes a preview of the drafts; returns its address.
    async fn preview(&self) -> String {
        let made = self.call(Method::POST, "/preview", Value::Null).await;
        assert_eq!(made.status(), 201);
        let made: Value = made.json().await.unwrap();
        made["url"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn section(&self, key: &str) -> Value {
        let content = self.content().await;
        let mut sections = content["sections"].as_array().unwrap().iter();
        let section = sections.find(|section| section["key"] == key).unwrap();
        section["value"].clone()
    }

    pub(crate) async fn save(&self, key: &str, number: i64, value: &Value) -> Response {
        let body = json!({ "number": number, "value": value });
        self.call(Method::PUT, &format!("/drafts/{key}"), body)
            .await
    }

    /// Publishes the only draft, that of `key`.
    async fn publish(&self, version: i64, key: &str) -> Response {
        let body = json!({ "version": version, "drafts": { key: 1 } });
        self.call(Method::POST, "/publish", body).await
    }

    /// Saves and publishes a section.
    pub(crate) async fn show(&self, version: i64, key: &str, value: &Value) {
        let saved = self.save(key, 0, value).await;
        assert_eq!(saved.status(), 200, "{:?}", saved.text().await);
        let published = self.publish(version, key).await;
        assert_eq!(published.status(), 200, "{:?}", published.text().await);
    }
}

async fn body(app: &TestApp, path: &str) -> String {
    let answer = get(app, path).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.text().await.unwrap()
}

fn client(name: &str) -> Value {
    json!({
        "sample": false, "name": name, "category": "Logistics", "location": "Tulsa",
        "state": "oklahoma",
    })
}

#[tokio::test]
async fn a_client_is_previewed_published_shown_and_taken_back() {
    let app = TestApp::with(|config| config.server.base_url = ORIGIN.into()).await;
    let editor = Editor::of(&app).await;
    let before = get(&app, "/").await;
    let tag = text(before.headers(), "etag").to_owned();
    assert!(
        !before.text().await.unwrap().contains("Clients we protect"),
        "samples only"
    );

    let saved = editor
        .save("clients", 0, &json!([client("Tulsa Rail")]))
        .await;
    assert_eq!(saved.json::<Value>().await.unwrap()["number"], 1);
    assert!(
        !body(&app, "/").await.contains("Tulsa Rail"),
        "a draft is not public"
    );

    let published = editor
        .call(Method::POST, "/preview?published=true", Value::Null)
        .await;
    let address = published.json::<Value>().await.unwrap()["url"].clone();
    let shown = body(&app, &format!("{}?path=/", address.as_str().unwrap())).await;
    assert!(!shown.contains("Tulsa Rail"), "as published");
    let url = editor.preview().await;
    assert_eq!(
        address,
        json!(url),
        "the published page is shown there until then"
    );
    let page = get(&app, &format!("{url}?path=/")).await;
    assert_eq!(text(page.headers(), "cache-control"), "no-store");
    assert_eq!(text(page.headers(), "x-robots-tag"), "noindex");
    let page = page.text().await.unwrap();
    assert!(page.contains("Tulsa Rail") && page.contains("Tulsa, Oklahoma"));
    assert!(!page.contains("/start.js"));
    assert_eq!(
        get(&app, "/api/admin/site/preview/0123?path=/")
            .await
            .status(),
        404
    );

    assert_eq!(editor.publish(0, "clients").await.status(), 200);
    let after = get(&app, "/").await;
    assert_ne!(text(after.headers(), "etag"), tag);
    let after = after.text().await.unwrap();
    assert!(after.contains("Clients we protect") && after.contains("Tulsa Rail"));
    assert!(
        after.contains(r#"{"edited":true,"#),
        "the browser's code loads documents"
    );
    let history = editor.get("/history").await;
    assert_eq!(history["versions"][0]["sections"], json!(["clients"]));
    assert_eq!(history["versions"][0]["reason"], "publish");
    assert!(history["versions"][0]["by"].is_string());

    let back = editor
        .call(Method::POST, "/back", json!({ "version": 1 }))
        .await;
    assert_eq!(back.status(), 200);
    let again = get(&app, "/").await;
    assert_eq!(
        text(again.headers(), "etag"),
        tag,
        "the shipped page, byte for byte"
    );
}

#[tokio::test]
async fn any_version_of_the_history_and_the_shipped_one_can_be_published_again() {
    let app = TestApp::with(|config| config.server.base_url = ORIGIN.into()).await;
    let editor = Editor::of(&app).await;
    let shipped = text(get(&app, "/").await.headers(), "etag").to_owned();
    for (version, name) in ["First Mill", "Second Mill", "Third Mill"]
        .iter()
        .enumerate()
    {
        let version = i64::try_from(version).unwrap();
        editor
            .show(version, "clients", &json!([client(name)]))
            .await;
    }
    let back = async |body: Value| editor.call(Method::POST, "/back", body).await;
    assert_eq!(back(json!({ "version": 3, "to": 1 })).await.status(), 200);
    let home = body(&app, "/").await;
    assert!(home.contains("First Mill") && !home.contains("Third Mill"));
    assert_eq!(back(json!({ "version": 4, "to": 2 })).await.status(), 200);
    assert!(body(&app, "/").await.contains("Second Mill"));
    for to in [5, 6, 99, -1] {
        let refused = back(json!({ "version": 5, "to": to })).await;
        assert_eq!(refused.status(), 409, "{to}");
    }
    for version in [0, i64::MIN] {
        let refused = back(json!({ "version": version })).await;
        assert_eq!(refused.status(), 409, "nothing is before {version}");
    }
    let stale = back(json!({ "version": 4, "to": 1 })).await;
    assert_eq!(stale.status(), 409, "published concurrently");
    assert_eq!(back(json!({ "version": 5, "to": 0 })).await.status(), 200);
    assert_eq!(text(get(&app, "/").await.headers(), "etag"), shipped);
}
