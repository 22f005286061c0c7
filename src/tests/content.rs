//! The site's content: edited, previewed, published and taken back in the dashboard, and as files.

mod hostile;
mod pictures;
mod versions;

use std::fs;

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::cli_process::Cli;
use crate::pages::{get, text};

/// The public pages of a company that is not on a laptop, so that no samples are shown.
const ORIGIN: &str = "https://guard.example";

pub(crate) struct Editor {
    token: String,
}

impl Editor {
    pub(crate) async fn of(app: &TestApp) -> Self {
        let token = app.admin().await.access_token;
        Self { token }
    }

    async fn call(&self, app: &TestApp, method: Method, path: &str, body: Value) -> Response {
        let url = app.url(&format!("/api/admin/site{path}"));
        let request = app.http.request(method, url).bearer_auth(&self.token);
        let request = if body.is_null() {
            request
        } else {
            request.json(&body)
        };
        request.send().await.unwrap()
    }

    async fn content(&self, app: &TestApp) -> Value {
        let content = self.call(app, Method::GET, "", Value::Null).await;
        assert_eq!(content.status(), 200);
        content.json().await.unwrap()
    }

    async fn section(&self, app: &TestApp, key: &str) -> Value {
        let content = self.content(app).await;
        let mut sections = content["sections"].as_array().unwrap().iter();
        let section = sections.find(|section| section["key"] == key).unwrap();
        section["value"].clone()
    }

    async fn save(&self, app: &TestApp, key: &str, number: i64, value: &Value) -> Response {
        let body = json!({ "number": number, "value": value });
        self.call(app, Method::PUT, &format!("/drafts/{key}"), body)
            .await
    }

    /// Publishes the only draft, that of `key`.
    async fn publish(&self, app: &TestApp, version: i64, key: &str) -> Response {
        let body = json!({ "version": version, "drafts": { key: 1 } });
        self.call(app, Method::POST, "/publish", body).await
    }

    /// Saves and publishes a section.
    pub(crate) async fn show(&self, app: &TestApp, version: i64, key: &str, value: &Value) {
        let saved = self.save(app, key, 0, value).await;
        assert_eq!(saved.status(), 200, "{:?}", saved.text().await);
        let published = self.publish(app, version, key).await;
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
        .save(&app, "clients", 0, &json!([client("Tulsa Rail")]))
        .await;
    assert_eq!(saved.json::<Value>().await.unwrap()["number"], 1);
    assert!(
        !body(&app, "/").await.contains("Tulsa Rail"),
        "a draft is not public"
    );

    let preview = editor
        .call(&app, Method::POST, "/preview", Value::Null)
        .await;
    assert_eq!(preview.status(), 201);
    let url = preview.json::<Value>().await.unwrap()["url"]
        .as_str()
        .unwrap()
        .to_owned();
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

    assert_eq!(editor.publish(&app, 0, "clients").await.status(), 200);
    let after = get(&app, "/").await;
    assert_ne!(text(after.headers(), "etag"), tag);
    let after = after.text().await.unwrap();
    assert!(after.contains("Clients we protect") && after.contains("Tulsa Rail"));
    assert!(
        after.contains(r#"{"edited":true,"#),
        "the browser's code loads documents"
    );
    let history = editor
        .call(&app, Method::GET, "/history", Value::Null)
        .await;
    let history: Value = history.json().await.unwrap();
    assert_eq!(history["versions"][0]["sections"], json!(["clients"]));
    assert_eq!(history["versions"][0]["reason"], "publish");
    assert!(history["versions"][0]["by"].is_string());

    let back = editor
        .call(&app, Method::POST, "/back", json!({ "version": 1 }))
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
            .show(&app, version, "clients", &json!([client(name)]))
            .await;
    }
    let back = async |body: Value| editor.call(&app, Method::POST, "/back", body).await;
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
    assert_eq!(stale.status(), 409, "somebody else has published meanwhile");
    assert_eq!(back(json!({ "version": 5, "to": 0 })).await.status(), 200);
    assert_eq!(text(get(&app, "/").await.headers(), "etag"), shipped);
}

#[tokio::test]
async fn the_day_of_publishing_is_in_the_sitemap_for_the_pages_that_changed() {
    let app = TestApp::with(|config| config.server.base_url = ORIGIN.into()).await;
    app.admin().await;
    app.clock.advance(20 * 86_400_000);
    let token = app.sign_in("ada@guard.example").await.access_token;
    let editor = Editor { token };
    let mut states = editor.section(&app, "states").await;
    states[42]["intro"] = "Refineries and ports ask for gate officers day and night.".into();
    assert_eq!(states[42]["slug"], "texas");
    editor.show(&app, 0, "states", &states).await;
    let sitemap = body(&app, "/sitemap.xml").await;
    let day = |path: &str| {
        let (_, rest) = sitemap
            .split_once(&format!("<loc>{ORIGIN}{path}</loc><lastmod>"))
            .unwrap();
        rest[..10].to_owned()
    };
    assert_eq!(day("/states/texas"), "2026-12-11");
    assert_eq!(day("/states/ohio"), "2026-11-22");
    let texas = body(&app, "/states/texas").await;
    assert!(
        texas.contains("Refineries and ports") && texas.contains(r#""dateModified":"2026-12-11""#)
    );
}

#[tokio::test]
async fn hostile_texts_are_escaped_in_pages_structured_data_and_emails() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let hostile = "</script><b id=\"x\">'&{{company}}<!--head-->{% raw %}";
    let mut faqs = editor.section(&app, "faqs").await;
    faqs[0]["answer"] = hostile.into();
    editor.show(&app, 0, "faqs", &faqs).await;
    let home = body(&app, "/").await;
    assert!(!home.contains("<b id=") && !home.contains("</script><b"));
    assert!(home.contains("&lt;/script>") || home.contains("&lt;/script&gt;"));
    let (_, graph) = home
        .split_once(r#"<script type="application/ld+json">"#)
        .unwrap();
    let graph: Value = serde_json::from_str(graph.split_once("</script>").unwrap().0).unwrap();
    let answers = graph["@graph"].as_array().unwrap().iter();
    let answers = answers
        .filter(|node| node["@type"] == "FAQPage")
        .collect::<Vec<_>>();
    assert_eq!(
        answers[0]["mainEntity"][0]["acceptedAnswer"]["text"],
        hostile
    );

    let mut facts = editor.section(&app, "facts").await;
    facts["name"] = "O\"Neil & <Sons>".into();
    editor.show(&app, 1, "facts", &facts).await;
    let home = body(&app, "/").await;
    assert!(home.contains("O&quot;Neil &amp; &lt;Sons&gt;") && !home.contains("<Sons>"));
    app.ask("198.51.100.1", None, &crate::visitors::quote(json!({})))
        .await;
    app.run_outbox().await;
    let mails = app.mailbox();
    let email = &mails[0];
    assert!(
        email.html.contains("O&quot;Neil &amp; &lt;Sons&gt;"),
        "{}",
        email.html
    );
    assert!(!email.html.contains("<Sons>"));
}

#[tokio::test]
async fn a_broken_rule_is_named_at_its_field_and_nothing_is_saved() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut press = editor.section(&app, "press").await;
    press[0]["date"] = "2026-13-01".into();
    press[1]["title"] = "x".repeat(91).into();
    let refused = editor.save(&app, "press", 0, &press).await;
    assert_eq!(refused.status(), 422);
    let problem: Value = refused.json().await.unwrap();
    let fields = problem["fields"].as_array().unwrap();
    let named: Vec<_> = fields
        .iter()
        .map(|field| field["field"].as_str().unwrap())
        .collect();
    assert!(
        named.contains(&"press/0/date") && named.contains(&"press/1/title"),
        "{named:?}"
    );
    assert!(editor.content(&app).await["sections"][8]["draft"].is_null());
    let relabeled = editor.section(&app, "testimonials").await;
    let mut relabeled = relabeled.as_array().unwrap().clone();
    relabeled[0]["sample"] = false.into();
    let refused = editor
        .save(&app, "testimonials", 0, &relabeled.into())
        .await;
    assert_eq!(refused.status(), 422, "a sample does not become a review");
    let nobody = app
        .http
        .get(app.url("/api/admin/site"))
        .send()
        .await
        .unwrap();
    assert_eq!(nobody.status(), 401);
}

#[tokio::test]
async fn the_second_of_two_editors_is_told_and_loses_nothing() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let first = json!([client("First")]);
    assert_eq!(editor.save(&app, "clients", 0, &first).await.status(), 200);
    let second = editor
        .save(&app, "clients", 0, &json!([client("Second")]))
        .await;
    assert_eq!(second.status(), 409);
    let problem: Value = second.json().await.unwrap();
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("Nothing of yours is lost")
    );
    assert_eq!(editor.section(&app, "clients").await, first);
    assert_eq!(
        editor.publish(&app, 1, "clients").await.status(),
        409,
        "another version"
    );
    assert_eq!(
        editor
            .save(&app, "clients", 1, &json!([client("Third")]))
            .await
            .status(),
        200
    );
    assert_eq!(
        editor.publish(&app, 0, "clients").await.status(),
        409,
        "an unseen draft"
    );
}

#[tokio::test]
async fn what_was_stored_before_a_crash_is_shown_after_the_restart_and_by_other_processes() {
    let mut app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let other = app.beside().await;
    editor
        .show(&app, 0, "clients", &json!([client("Tulsa Rail")]))
        .await;
    assert!(!body(&other, "/").await.contains("Tulsa Rail"));
    assert!(other.renew_pages().await, "another version");
    assert!(!other.renew_pages().await, "the same version");
    assert!(body(&other, "/").await.contains("Tulsa Rail"));
    drop(other);
    app.restart().await;
    assert!(body(&app, "/").await.contains("Tulsa Rail"));
}

#[tokio::test]
async fn facts_and_licenses_follow_without_a_restart() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut facts = editor.section(&app, "facts").await;
    facts["phone"] = "(918) 200-0100".into();
    editor.show(&app, 0, "facts", &facts).await;
    let license =
        json!([{ "state": "TX", "number": "B-1", "holder": "", "expires": "2026-12-01" }]);
    editor.show(&app, 1, "licenses", &license).await;
    let texas = body(&app, "/states/texas").await;
    assert!(texas.contains("License B-1") && texas.contains("tel:+19182000100"));
    assert!(
        !texas.contains(r#""edited""#),
        "the browser's code has the facts"
    );
    assert_eq!(app.warn_of_licenses().await, 1);
}

#[tokio::test]
async fn the_editor_and_check_say_what_is_to_be_filled_until_it_is_published() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let cli = Cli::on_data_of(&app);
    let to_fill = async || {
        let content = editor.content(&app).await;
        let lines: Vec<String> = serde_json::from_value(content["to_fill"].clone()).unwrap();
        lines.join("\n")
    };
    assert_eq!(
        to_fill().await,
        "Company facts: still those of the sample company: phone, email, media email, name, legal \
         name, street.\n\
         Licenses: none is entered for 41 states that license guard companies.\n\
         Clients: 16 samples are left. A public site does not show them.\n\
         Testimonials: 6 samples are left. A public site does not show them.\n\
         Press releases: 4 samples are left. A public site does not show them."
    );
    let check = cli.run(&["check"]).stdout;
    assert!(
        check.contains("company.phone: (713) 555-0142 is a fictitious number"),
        "{check}"
    );

    let facts = json!({
        "name": "Tulsa Guards", "legal_name": "Tulsa Guards LLC", "phone": "(918) 200-0100",
        "email": "office@tulsaguards.com", "media_email": "", "street": "1 Main Street",
        "city": "Tulsa", "region": "OK", "postal_code": "74103", "hours": "Day and night",
    });
    editor.show(&app, 0, "facts", &facts).await;
    editor
        .show(&app, 1, "clients", &json!([client("Tulsa Rail")]))
        .await;
    let left = to_fill().await;
    assert!(
        !left.contains("Company facts") && !left.contains("Clients"),
        "{left}"
    );
    let check = cli.run(&["check"]).stdout;
    assert!(
        !check.contains("company.phone") && !check.contains("company.name"),
        "{check}"
    );
}

#[tokio::test]
async fn a_section_that_breaks_the_rules_of_a_newer_program_leaves_the_others_in_force() {
    let mut app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut facts = editor.section(&app, "facts").await;
    facts["name"] = "Tulsa Guards".into();
    editor.show(&app, 0, "facts", &facts).await;
    let mut faqs = editor.section(&app, "faqs").await;
    faqs[0]["question"] = "Really licensed?".into();
    editor.show(&app, 1, "faqs", &faqs).await;
    let breaks = "UPDATE content_versions SET sections = replace(sections, 'Really licensed?', '')";
    let breaks = move |conn: &rusqlite::Connection| Ok(conn.execute(breaks, [])?);
    assert!(app.store.write(breaks).await.unwrap() >= 1);
    app.restart().await;
    let home = body(&app, "/").await;
    assert!(home.contains("Tulsa Guards") && home.contains("Are you licensed and insured?"));
}

#[tokio::test]
async fn files_are_exported_checked_and_imported() {
    let app = TestApp::start().await;
    let cli = Cli::on_data_of(&app);
    cli.run_ok(&["content", "export", "content"]);
    let file = cli.path("content/faqs.json");
    let mut faqs: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    cli.run_ok(&["content", "check", "content"]);
    assert!(
        cli.run_ok(&["content", "import", "content"])
            .contains("Nothing has changed")
    );
    faqs[3]["question"] = "".into();
    fs::write(&file, faqs.to_string()).unwrap();
    let refused = cli.run(&["content", "import", "content/faqs.json"]);
    assert!(!refused.success);
    assert!(
        refused.stderr.contains("faqs.json: /3/question: is empty"),
        "{}",
        refused.stderr
    );
    faqs[3]["question"] = "How soon can a guard be here?".into();
    fs::write(&file, faqs.to_string()).unwrap();
    let imported = cli.run_ok(&["content", "import", "content"]);
    assert_eq!(imported, "Version 1 is published.\n");
    assert!(app.renew_pages().await);
    assert!(
        body(&app, "/")
            .await
            .contains("How soon can a guard be here?")
    );
    fs::write(cli.path("content/other.json"), "{}").unwrap();
    assert!(
        cli.run(&["content", "check", "content"])
            .stderr
            .contains("no section")
    );
    fs::write(&file, r#"[{"key":"a","key":"b"}]"#).unwrap();
    let twice = cli.run(&["content", "check", "content/faqs.json"]);
    assert!(twice.stderr.contains("given twice"), "{}", twice.stderr);
}
