//! Release, discard and deletion of held requests.

use reqwest::{Method, StatusCode};
use serde_json::json;

use super::{act, call, history, ids, inbox, post, spam, stored};
use crate::support::app::TestApp;
use crate::support::visitors::json;
use store::lists::quote_list::QuoteQuery;

#[tokio::test]
async fn releasing_sends_the_emails_and_keeps_when_the_request_came() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let receipt = post(&app, 1, &spam(json!({}))).await;
    app.clock.advance(5 * 3_600_000);
    let admin = app.sign_in(&admin.email).await;
    let answer = act(&app, &admin, &receipt["id"], "release").await;
    assert_eq!(answer.status(), StatusCode::OK);
    let released = json(answer).await;
    assert_eq!(
        (&released["held"], &released["status"]),
        (&json!(false), &json!("pending"))
    );
    let request = stored(&app, &receipt).await;
    assert_eq!(
        (request.held, json!(request.created_at)),
        (None, receipt["created_at"].clone())
    );
    assert_eq!(
        released["due_at"], "2026-11-22T12:00:00.000Z",
        "24 hours after it came"
    );
    app.clock.advance(10_000);
    app.run_outbox().await;
    assert!(
        app.mailbox()
            .iter()
            .any(|mail| mail.text.contains("Cheap shoes"))
    );
    let held = ("held".to_owned(), None);
    let by_admin = ("released".to_owned(), Some(admin.id.clone()));
    let emailed = ("emailed".to_owned(), None);
    assert_eq!(history(&app, &receipt).await, [held, by_admin, emailed]);
    for action in ["release", "discard"] {
        let again = act(&app, &admin, &receipt["id"], action).await;
        assert_eq!(again.status(), 409, "{action} a second time");
    }
    let quotes = call(&app, &admin, Method::GET, "/api/admin/quotes?q=shoes").await;
    assert_eq!(json(quotes).await["quotes"][0]["id"], receipt["id"]);
    let unknown = json!("0199aaaa-0000-7000-8000-000000000000");
    let missing = act(&app, &admin, &unknown, "release").await;
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_discard_can_be_undone_unless_it_was_released_since() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let receipt = post(&app, 1, &spam(json!({}))).await;
    let id = &receipt["id"];
    let discarded = act(&app, &admin, id, "discard").await;
    assert_eq!(discarded.status(), StatusCode::OK);
    assert_eq!(
        ids(&inbox(&app, &admin, "?held=true&status=pending").await).len(),
        0
    );
    let undo = async |event: serde_json::Value| {
        let path = format!("/api/admin/inbox/{}/undo", id.as_str().unwrap());
        let request = app.http.post(app.url(&path));
        let request = request
            .bearer_auth(&admin.access_token)
            .json(&json!({ "event": event }));
        request.send().await.unwrap()
    };
    let event = json(discarded).await["event"].clone();
    let undone = undo(event).await;
    assert_eq!(undone.status(), StatusCode::OK);
    let page = inbox(&app, &admin, "?held=true&status=pending").await;
    assert_eq!(
        (ids(&page), &page["views"]["held"]),
        (vec![id.clone()], &json!(1))
    );
    let discarded = act(&app, &admin, id, "discard").await;
    let event = json(discarded).await["event"].clone();
    act(&app, &admin, id, "release").await;
    let late = undo(event).await;
    assert_eq!(late.status(), StatusCode::CONFLICT);
    let request = stored(&app, &receipt).await;
    assert_eq!((request.held, request.status.as_str()), (None, "pending"));
}

#[tokio::test]
async fn a_release_that_is_undone_holds_the_request_by_the_same_signals() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let receipt = post(&app, 1, &spam(json!({}))).await;
    let path = format!("/api/admin/inbox/{}", receipt["id"].as_str().unwrap());
    let shown = async || json(call(&app, &admin, Method::GET, &path).await).await;
    let held = shown().await;
    let released = act(&app, &admin, &receipt["id"], "release").await;
    let event = json(released).await["event"].clone();
    let released = shown().await;
    assert_eq!(released["held"], false);
    assert_eq!(released["held_reasons"], held["held_reasons"]);
    let undo = app.http.post(app.url(&format!("{path}/undo")));
    let undo = undo.bearer_auth(&admin.access_token);
    let undone = undo.json(&json!({ "event": event })).send().await.unwrap();
    assert_eq!(undone.status(), StatusCode::OK);
    let again = shown().await;
    assert_eq!(again["held"], true);
    assert_eq!(again["held_reasons"], held["held_reasons"]);
    assert_eq!(stored(&app, &receipt).await.signals, None);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 0);
}

#[tokio::test]
async fn only_an_admin_releases_and_discards() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let receipt = post(&app, 1, &spam(json!({}))).await;
    for action in ["release", "discard"] {
        let refused = act(&app, &member, &receipt["id"], action).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{action}");
    }
    assert!(stored(&app, &receipt).await.held.is_some());
}

#[tokio::test]
async fn a_discarded_request_sends_nothing_and_can_still_be_released() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let receipt = post(&app, 1, &spam(json!({}))).await;
    for _ in 0..2 {
        let discarded = act(&app, &admin, &receipt["id"], "discard").await;
        assert_eq!(discarded.status(), StatusCode::OK);
    }
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 0);
    let held = inbox(&app, &admin, "?held=true").await;
    assert_eq!((ids(&held), &held["views"]["held"]), (vec![], &json!(0)));
    let discarded = inbox(&app, &admin, "?held=true&status=cancelled").await;
    assert_eq!(ids(&discarded), [receipt["id"].clone()]);
    let released = act(&app, &admin, &receipt["id"], "release").await;
    assert_eq!(json(released).await["status"], "pending");
    app.clock.advance(10_000);
    app.run_outbox().await;
    assert!(!app.mailbox().is_empty());
}

#[tokio::test]
async fn held_requests_are_deleted_after_the_days_of_the_setting() {
    let app = TestApp::start().await;
    let day = 86_400_000;
    let old = post(&app, 1, &spam(json!({}))).await;
    let kept = app.stored(json!({})).await;
    // Indexes it, so that its words are deleted too.
    let search = QuoteQuery {
        search: "reno".to_owned(),
        ..QuoteQuery::default()
    };
    app.store.quotes(search).await.unwrap();
    app.clock.advance(2 * day);
    post(&app, 2, &spam(json!({"location": "Reno"}))).await;
    let purge = async |days| app.store.purge_held(days, app.clock.now()).await.unwrap();
    assert_eq!(purge(30).await, 0);
    app.clock.advance(29 * day);
    assert_eq!(purge(32).await, 0, "with another setting");
    assert_eq!((purge(30).await, purge(30).await), (1, 0));
    assert_eq!(app.rows("requests").await, 2);
    assert!(app.store.quote(kept).await.is_ok());
    assert!(
        app.store
            .quote(old["id"].as_str().unwrap().to_owned())
            .await
            .is_err()
    );
    assert_eq!(app.rows("events").await, 1, "the history of the other one");
}
