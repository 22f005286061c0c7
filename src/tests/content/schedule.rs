//! Publication of a section at a time, what a publication changes, and who learns of it.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use image::ImageFormat;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::{Editor, ORIGIN, body, client, get};
use crate::inbox::live::Live;
use crate::storage::pictures::picture;
use crate::support::app::{PROGRAM, TestApp};

/// A minute: a token lasts for a few.
const STEP: i64 = 60_000;
/// The steps of a day.
const DAY: i64 = 1440;

async fn schedule(editor: &Editor<'_>, number: i64, steps: i64) -> Response {
    let at = editor.app.clock.now().plus_millis(steps * STEP).to_string();
    let body = json!({ "number": number, "at": at });
    editor.call(Method::PUT, "/schedule/clients", body).await
}

async fn scheduled(editor: &Editor<'_>) -> Value {
    let content = editor.content().await;
    let mut sections = content["sections"].as_array().unwrap().iter();
    sections.find(|one| one["key"] == "clients").unwrap()["schedule"].clone()
}

#[tokio::test]
async fn a_section_is_published_at_its_time_with_the_changes_made_until_then() {
    let app = TestApp::with(|config| config.server.base_url = ORIGIN.into()).await;
    let editor = Editor::of(&app).await;
    let draft = |name: &str| json!([client(name)]);
    editor.save("clients", 0, &draft("Early Mill")).await;
    assert_eq!(schedule(&editor, 1, 2).await.status(), 204);
    assert!(scheduled(&editor).await["by"].is_string());
    editor.save("clients", 1, &draft("Later Mill")).await;
    let nothing = editor
        .call(
            Method::POST,
            "/publish",
            json!({ "version": 0, "drafts": {} }),
        )
        .await;
    assert_eq!(nothing.status(), 409, "what is scheduled waits");

    app.clock.advance(2 * STEP - 1000);
    assert_eq!(app.publish_due().await, Ok(false), "before its time");
    app.clock.advance(1000);
    assert_eq!(app.publish_due().await, Ok(true));
    assert_eq!(app.publish_due().await, Ok(false), "once");
    let home = body(&app, "/").await;
    assert!(home.contains("Later Mill") && !home.contains("Early Mill"));
    let history = editor.get("/history").await;
    assert!(history["versions"][0]["by"].is_string());
    assert!(scheduled(&editor).await.is_null());
}

#[tokio::test]
async fn a_schedule_needs_a_draft_and_a_time_to_come_and_ends_with_the_draft() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    assert_eq!(schedule(&editor, 0, 1).await.status(), 409, "no draft");
    editor.save("clients", 0, &json!([client("Mill")])).await;
    assert_eq!(schedule(&editor, 2, 1).await.status(), 409, "another draft");
    for steps in [-1, 0, DAY * 367] {
        assert_eq!(schedule(&editor, 1, steps).await.status(), 422, "{steps}");
    }
    let delete = async |path: &str| editor.call(Method::DELETE, path, Value::Null).await;
    assert_eq!(delete("/schedule/clients").await.status(), 404);
    assert_eq!(schedule(&editor, 1, 1).await.status(), 204);
    assert_eq!(delete("/schedule/clients").await.status(), 204);
    assert!(scheduled(&editor).await.is_null());
    assert_eq!(schedule(&editor, 1, 1).await.status(), 204);
    assert_eq!(delete("/drafts/clients?number=1").await.status(), 204);
    app.clock.advance(2 * STEP);
    assert_eq!(app.publish_due().await, Ok(false));
}

#[tokio::test]
async fn what_breaks_a_rule_at_its_time_is_not_published_and_says_why() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut states = editor.section("states").await;
    states[0]["stats"]["years"] = 190.into();
    assert_eq!(editor.save("states", 0, &states).await.status(), 200);
    let at = app.clock.now().plus_millis(STEP).to_string();
    let body = json!({ "number": 1, "at": at });
    let noted = editor.call(Method::PUT, "/schedule/states", body).await;
    assert_eq!(noted.status(), 204);
    app.clock.advance(STEP);
    let error = app.publish_due().await.unwrap_err();
    assert!(error.contains("a state has 190 years"), "{error}");
    let content = editor.content().await;
    let mut sections = content["sections"].as_array().unwrap().iter();
    let states = sections.find(|one| one["key"] == "states").unwrap();
    let refused = states["schedule"]["refused"].as_str().unwrap();
    assert!(refused.contains("a state has 190 years"), "{refused}");
    assert!(states["draft"].is_object(), "the draft is kept");
}

#[tokio::test]
async fn a_fault_of_the_renderer_that_passes_delays_a_publication_and_one_that_stays_refuses_it() {
    let mut app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    editor
        .save("clients", 0, &json!([client("Late Mill")]))
        .await;
    assert_eq!(schedule(&editor, 1, 1).await.status(), 204);
    // A renderer that fails while there is this file.
    let (renderer, fault) = (
        app.folder.path().join("renderer"),
        app.folder.path().join("fault"),
    );
    let script = format!(
        "#!/bin/sh\n[ ! -e {} ] && exec {PROGRAM} \"$@\"\n",
        fault.display()
    );
    std::fs::write(&renderer, script).unwrap();
    std::fs::set_permissions(&renderer, Permissions::from_mode(0o700)).unwrap();
    std::fs::write(&fault, "").unwrap();
    app.restart().await;
    let editor = Editor::of(&app).await;

    app.clock.advance(STEP);
    assert!(app.publish_due().await.is_err());
    assert!(scheduled(&editor).await["refused"].is_null());
    std::fs::remove_file(&fault).unwrap();
    assert_eq!(app.publish_due().await, Ok(true));
    assert!(body(&app, "/").await.contains("Late Mill"));

    editor.save("clients", 0, &json!([client("No Mill")])).await;
    assert_eq!(schedule(&editor, 1, 1).await.status(), 204);
    std::fs::write(&fault, "").unwrap();
    app.clock.advance(STEP);
    assert!(app.publish_due().await.is_err());
    app.clock.advance(60 * STEP);
    let editor = Editor::of(&app).await;
    assert!(app.publish_due().await.is_err());
    let refused = scheduled(&editor).await["refused"].clone();
    assert_eq!(refused, "the pages could not be rendered");

    // With a draft the preview fails as well; without one the published pages are the preview.
    let preview = async || editor.call(Method::POST, "/preview", Value::Null).await;
    assert_eq!(preview().await.status(), 500);
    let discard = "/drafts/clients?number=1";
    let discarded = editor.call(Method::DELETE, discard, Value::Null).await;
    assert_eq!(discarded.status(), 204);
    assert_eq!(preview().await.status(), 201);
}

#[tokio::test]
async fn the_changes_of_the_drafts_and_of_a_version_are_listed() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    editor
        .show(0, "clients", &json!([client("First Mill")]))
        .await;
    let second = json!([client("First Mill"), client("Second Mill")]);
    editor.save("clients", 0, &second).await;
    let drafts = editor.get("/changes").await;
    let section = &drafts["sections"][0];
    assert_eq!(drafts["sections"].as_array().unwrap().len(), 1);
    assert_eq!(section["key"], "clients");
    assert!(section["by"].is_string() && section["at"].is_string());
    let added = json!([{ "place": "", "before": null, "after": "Second Mill" }]);
    assert_eq!(section["lines"], added);
    assert_eq!(editor.publish(1, "clients").await.status(), 200);

    let version = editor.get("/changes?version=2").await;
    assert_eq!(version["sections"][0]["lines"], added);
    let first = editor.get("/changes?version=1").await;
    assert!(first.to_string().contains("First Mill") && !first.to_string().contains("Second"));
    for version in ["3", "0", "-5"] {
        let path = format!("/changes?version={version}");
        let answer = editor.call(Method::GET, &path, Value::Null).await;
        assert_eq!(answer.status(), 404, "{version}");
    }
}

#[tokio::test]
async fn open_screens_learn_of_drafts_schedules_and_publications() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut live = Live::open(&app, &app.admin_as("bea@guard.example").await).await;
    editor.save("clients", 0, &json!([client("Mill")])).await;
    assert_eq!(live.event().await.name, "site");
    schedule(&editor, 1, 1).await;
    assert_eq!(live.event().await.name, "site");
    app.clock.advance(STEP);
    assert_eq!(app.publish_due().await, Ok(true));
    assert_eq!(live.event().await.name, "site");
}

#[tokio::test]
async fn a_preview_keeps_its_address_its_links_stay_in_it_and_only_our_pages_frame_it() {
    let app = TestApp::with(|config| config.server.base_url = ORIGIN.into()).await;
    let editor = Editor::of(&app).await;
    let url = editor.preview().await;
    editor
        .save("clients", 0, &json!([client("Draft Mill")]))
        .await;
    assert_eq!(
        editor.preview().await,
        url,
        "an open page shows the next preview"
    );
    let page = get(&app, &format!("{url}?path=/")).await;
    let headers = page.headers().clone();
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("frame-ancestors 'self'"), "{policy}");
    assert!(policy.contains("script-src 'none'") && policy.contains("form-action 'none'"));
    assert_eq!(headers["x-frame-options"], "SAMEORIGIN");
    let page = page.text().await.unwrap();
    assert!(page.contains("Draft Mill") && page.contains("class=\"preview-banner\""));
    assert!(page.contains(&format!("href=\"{url}?path=/about\"")));
    assert!(!page.contains("href=\"/about\"") && !page.contains("/start.js"));
    assert!(!page.contains("<script type=\"module\""));
    let quote = format!("{url}?path=/quote&service=fire-watch");
    let quote = get(&app, &quote).await;
    assert_eq!(quote.status(), 200);
    let quote = quote.text().await.unwrap();
    let form = quote.split_once("<form").unwrap().1;
    assert!(
        form.split_once('>').unwrap().0.contains("inert"),
        "forms send nothing"
    );
    let styles = get(&app, &format!("{url}?path=/preview.css")).await;
    assert_eq!(styles.headers()["content-type"], "text/css; charset=utf-8");
}

#[tokio::test]
async fn long_texts_have_bold_words_and_links_on_the_pages_and_plain_words_for_search_engines() {
    let app = TestApp::with(|config| config.server.base_url = ORIGIN.into()).await;
    let editor = Editor::of(&app).await;
    let answer = "**Yes**, see <i>[the law](https://law.example/a?b=1&c)</i>.\nAsk us.";
    let faqs = json!([{ "key": "a", "question": "Licensed?", "answer": answer }]);
    editor.show(0, "faqs", &faqs).await;
    let page = body(&app, "/").await;
    let shown = "<strong>Yes</strong>, see &lt;i><a href=\"https://law.example/a?b=1&amp;c\">\
                 the law</a>&lt;/i>.<br/>Ask us.";
    assert!(
        page.contains(shown),
        "{}",
        page.split("Licensed?").nth(1).unwrap_or_default()
    );
    assert!(
        page.contains("Yes, see \\u003ci>the law\\u003c/i>. Ask us."),
        "{page}"
    );
}

#[tokio::test]
async fn a_client_has_a_logo_beside_its_name() {
    let app = TestApp::with(|config| config.server.base_url = ORIGIN.into()).await;
    let editor = Editor::of(&app).await;
    let bytes = picture(ImageFormat::Png, 800, 500);
    let picture = super::pictures::stored(&editor, &bytes).await;
    let mut logo = client("Tulsa Rail");
    logo["logo"] = picture.clone().into();
    editor.show(0, "clients", &json!([logo])).await;
    let page = body(&app, "/").await;
    let (_, item) = page.split_once("class=\"client-logo\"").unwrap();
    let source = format!("/media/logo-{}-{picture}", &picture[..12]);
    assert!(
        item.split("</li>").next().unwrap().contains(&source),
        "{source}"
    );
    assert_eq!(get(&app, &source).await.status(), 200);

    logo["logo"] = "0123456789abcdef01234567.jpg".into();
    editor.save("clients", 0, &json!([logo])).await;
    let refused = editor
        .call(
            Method::POST,
            "/publish",
            json!({ "version": 1, "drafts": { "clients": 1 } }),
        )
        .await;
    assert_eq!(refused.status(), 422);
    assert!(refused.text().await.unwrap().contains("clients/0/logo"));
}
