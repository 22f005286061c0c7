//! Drafts: rules that they must keep, and two editors at once.

use serde_json::{Value, json};

use super::{Editor, client};
use crate::support::app::TestApp;

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
