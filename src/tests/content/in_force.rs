//! The version in force: its days in the sitemap, after a restart, in other processes, and under
//! the rules of a newer program.

use serde_json::json;

use super::{Editor, ORIGIN, body, client};
use crate::support::app::TestApp;

#[tokio::test]
async fn the_day_of_publishing_is_in_the_sitemap_for_the_pages_that_changed() {
    let app = TestApp::with(|config| config.server.base_url = ORIGIN.into()).await;
    app.clock.advance(20 * 86_400_000);
    let editor = Editor::of(&app).await;
    let mut states = editor.section("states").await;
    states[42]["intro"] = "Refineries and ports ask for gate officers day and night.".into();
    assert_eq!(states[42]["slug"], "texas");
    editor.show(0, "states", &states).await;
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
async fn what_was_stored_before_a_crash_is_shown_after_the_restart_and_by_other_processes() {
    let mut app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let other = app.beside().await;
    editor
        .show(0, "clients", &json!([client("Tulsa Rail")]))
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
    let mut facts = editor.section("facts").await;
    facts["phone"] = "(918) 200-0100".into();
    editor.show(0, "facts", &facts).await;
    let license =
        json!([{ "state": "TX", "number": "B-1", "holder": "", "expires": "2026-12-01" }]);
    editor.show(1, "licenses", &license).await;
    let texas = body(&app, "/states/texas").await;
    assert!(texas.contains("License B-1") && texas.contains("tel:+19182000100"));
    assert!(
        !texas.contains(r#""edited""#),
        "the browser's code has the facts"
    );
    assert_eq!(app.warn_of_licenses().await, 1);
}

#[tokio::test]
async fn a_section_that_breaks_the_rules_of_a_newer_program_leaves_the_others_in_force() {
    let mut app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut facts = editor.section("facts").await;
    facts["name"] = "Tulsa Guards".into();
    editor.show(0, "facts", &facts).await;
    let mut faqs = editor.section("faqs").await;
    faqs[0]["question"] = "Really licensed?".into();
    editor.show(1, "faqs", &faqs).await;
    let breaks = "UPDATE content_versions SET sections = replace(sections, 'Really licensed?', '')";
    let breaks = move |conn: &rusqlite::Connection| Ok(conn.execute(breaks, [])?);
    assert!(app.store.write(breaks).await.unwrap() >= 1);
    app.restart().await;
    let home = body(&app, "/").await;
    assert!(home.contains("Tulsa Guards") && home.contains("Are you licensed and insured?"));
}
