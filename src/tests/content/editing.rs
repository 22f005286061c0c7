//! Drafts: rules that they must keep, and two editors at once.

use serde_json::{Value, json};

use super::{Editor, client, get};
use crate::support::app::TestApp;

#[tokio::test]
async fn a_broken_rule_is_named_at_its_field_and_nothing_is_saved() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut press = editor.section("press").await;
    press[0]["date"] = "2026-13-01".into();
    press[1]["title"] = "x".repeat(91).into();
    let refused = editor.save("press", 0, &press).await;
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
    assert!(editor.content().await["sections"][11]["draft"].is_null());
    let relabeled = editor.section("testimonials").await;
    let mut relabeled = relabeled.as_array().unwrap().clone();
    relabeled[0]["sample"] = false.into();
    let refused = editor.save("testimonials", 0, &relabeled.into()).await;
    assert_eq!(refused.status(), 422, "a sample does not become a review");
    let nobody = get(&app, "/api/admin/site").await;
    assert_eq!(nobody.status(), 401);
}

#[tokio::test]
async fn the_second_of_two_editors_is_told_and_loses_nothing() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let first = json!([client("First")]);
    assert_eq!(editor.save("clients", 0, &first).await.status(), 200);
    let second = editor.save("clients", 0, &json!([client("Second")])).await;
    assert_eq!(second.status(), 409);
    let problem: Value = second.json().await.unwrap();
    assert_eq!(
        problem["detail"],
        "ada@guard.example has saved this section since you opened it. Nothing you typed is \
         lost: save yours over it, or show theirs."
    );
    assert_eq!(editor.section("clients").await, first);
    assert_eq!(
        editor.publish(1, "clients").await.status(),
        409,
        "another version"
    );
    assert_eq!(
        editor
            .save("clients", 1, &json!([client("Third")]))
            .await
            .status(),
        200
    );
    assert_eq!(
        editor.publish(0, "clients").await.status(),
        409,
        "an unseen draft"
    );
}

#[tokio::test]
async fn the_editor_names_expired_licenses_and_figures_that_are_not_confirmed() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let expired = json!([{
        "state": "TX", "number": "B-7", "holder": "", "expires": "2026-10-31",
    }]);
    let saved = editor.save("licenses", 0, &expired).await;
    assert_eq!(saved.status(), 200);
    let to_fill = editor.content().await["to_fill"].to_string();
    for line in [
        "Licenses: TX B-7 expired October 31, 2026. It is not shown until you enter its new date.",
        "not confirmed: 15+ years in business; 500+ guards",
        "Ohio, Oklahoma",
    ] {
        assert!(to_fill.contains(line), "{line}: {to_fill}");
    }

    let content = editor.content().await;
    let lines = content["to_fill"].as_array().unwrap();
    let places: Vec<_> = lines
        .iter()
        .map(|line| (&line["section"], &line["path"]))
        .collect();
    for (section, path) in [
        ("licenses", "/0/expires"),
        ("company", "/stats/0/confirmed"),
        ("states", "/0/stats/confirmed"),
        ("claims", "/0/confirmed"),
        ("facts", "/phone"),
        ("testimonials", "/0/sample"),
    ] {
        assert!(
            places.contains(&(&json!(section), &json!(path))),
            "{places:?}"
        );
    }

    let mut states = editor.section("states").await;
    for state in states.as_array_mut().unwrap() {
        state["stats"]["confirmed"] = (state["name"] == "Ohio").into();
    }
    let saved = editor.save("states", 0, &states).await;
    assert_eq!(saved.status(), 200, "{:?}", saved.text().await);
    let to_fill = editor.content().await["to_fill"].to_string();
    assert!(!to_fill.contains("Ohio") && to_fill.contains("Oklahoma"));
}

#[tokio::test]
async fn the_editor_names_claims_until_they_are_confirmed_or_leave_the_texts() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let broker = "A broker sends certificates and endorsements";
    let billing = "Billing of a fire watch stops";
    let to_fill = editor.content().await["to_fill"].to_string();
    assert!(to_fill.contains(broker) && to_fill.contains(billing));

    let mut claims = editor.section("claims").await;
    for claim in claims.as_array_mut().unwrap() {
        claim["confirmed"] = claim["claim"].as_str().unwrap().starts_with(broker).into();
    }
    let saved = editor.save("claims", 0, &claims).await;
    assert_eq!(saved.status(), 200, "{:?}", saved.text().await);
    let services = editor.section("services").await.to_string();
    let without = services.replace("Billing that stops the hour", "Billing until the hour");
    let without = serde_json::from_str(&without).unwrap();
    assert_eq!(editor.save("services", 0, &without).await.status(), 200);
    let to_fill = editor.content().await["to_fill"].to_string();
    assert!(
        !to_fill.contains(broker) && !to_fill.contains(billing),
        "{to_fill}"
    );
    assert!(to_fill.contains("Surety bonds"));
}

#[tokio::test]
async fn a_renamed_figure_still_stands_in_for_those_of_a_state() {
    let app = TestApp::with(|config| config.server.base_url = super::ORIGIN.into()).await;
    let editor = Editor::of(&app).await;
    let mut company = editor.section("company").await;
    for figure in company["stats"].as_array_mut().unwrap() {
        if figure["on_states"] == true {
            figure["label"] = format!("new {}", figure["label"].as_str().unwrap()).into();
        }
    }
    editor.show(0, "company", &company).await;
    let ohio = super::body(&app, "/states/ohio").await;
    assert!(ohio.contains("<span>new client locations a year</span>"));
    assert!(ohio.contains("<span>new years in business</span>"));
}

#[tokio::test]
async fn a_real_review_shows_initials_until_a_portrait_is_chosen_and_no_stars_it_did_not_get() {
    let app = TestApp::with(|config| config.server.base_url = super::ORIGIN.into()).await;
    let editor = Editor::of(&app).await;
    let review = |portrait: &str| {
        json!([{
            "sample": false, "name": "Ana Ruiz", "title": "Manager", "company": "Ruiz Lofts",
            "image": "ana", "portrait": portrait, "picture": null, "rating": null,
            "text": "They came on time.", "source": "Google review", "date": "2026-10-02",
            "link": "https://reviews.example/1",
        }])
    };
    editor.show(0, "testimonials", &review("initials")).await;
    let shown = |page: String| {
        let (_, rest) = page.split_once("class=\"testimonial\"").unwrap();
        rest.split_once("</figure>").unwrap().0.to_owned()
    };
    let figure = shown(super::body(&app, "/").await);
    assert!(figure.contains("<span>AR</span>"), "{figure}");
    assert!(!figure.contains("<svg"), "no face and no stars: {figure}");
    let source = "<a href=\"https://reviews.example/1\">Google review, October 2, 2026</a>";
    assert!(figure.contains(source), "{figure}");

    let saved = editor.save("testimonials", 0, &review("drawing 2")).await;
    assert_eq!(saved.status(), 200);
    let published = editor.call(
        reqwest::Method::POST,
        "/publish",
        json!({ "version": 1, "drafts": { "testimonials": 1 } }),
    );
    assert_eq!(published.await.status(), 200);
    assert!(shown(super::body(&app, "/").await).contains("<svg"));
}
