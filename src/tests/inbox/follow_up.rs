//! Follow-ups: a request leaves "Needs attention" and is back at its time, with a mark.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Dispatcher, names, text};
use crate::support::app::TestApp;

const MINUTE: i64 = 60_000;

impl Dispatcher {
    /// Sets a reminder in some minutes; returns the status and the request.
    async fn remind(&self, app: &TestApp, id: &str, minutes: i64) -> (u16, Value) {
        let at = app.clock.now().plus_millis(minutes * MINUTE).to_string();
        self.put(id, "follow-up", json!({ "at": at })).await
    }

    /// "Needs attention" page by page, and its count.
    async fn attention(&self) -> (Vec<String>, i64) {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/inbox?attention=true&limit=2&cursor={cursor}");
            let page = self.get(&path).await;
            all.extend(names(&page));
            cursor = text(&page["next_cursor"]);
            if cursor.is_empty() {
                return (all, page["views"]["attention"].as_i64().unwrap());
            }
        }
    }
}

/// Stores a request that is no emergency; returns its id.
async fn without_emergency(app: &TestApp, name: &str) -> String {
    app.stored(json!({"last_name": name, "emergency_contact": false}))
        .await
}

#[tokio::test]
async fn a_request_leaves_the_list_until_its_follow_up_and_is_back_first() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    for name in ["SmithA", "SmithB", "SmithC"] {
        without_emergency(&app, name).await;
        app.clock.advance(1000);
    }
    let page = desk.get("/inbox?q=smith").await;
    let id = |at: usize| text(&page["requests"][at]["id"]);
    let (c, b) = (id(0), id(1));
    let (status, changed) = desk.remind(&app, &c, 30).await;
    assert_eq!(status, 200, "{changed}");
    assert_eq!(changed["follow_up"]["due"], false);
    assert_eq!(changed["follow_up"]["by"]["id"], json!(desk.id));
    colleague.remind(&app, &b, 20).await;
    assert_eq!(desk.attention().await, (vec!["SmithA".to_owned()], 1));
    let waiting = desk.get("/inbox?follow_up=waiting").await;
    assert_eq!(names(&waiting), ["SmithC", "SmithB"]);

    app.clock.advance(31 * MINUTE);
    let desk = desk.again(&app).await;
    app.run_timers().await;
    let back = ["SmithC", "SmithB", "SmithA"].map(str::to_owned).to_vec();
    assert_eq!(desk.attention().await, (back, 3), "yours is first");
    let request = desk.request(&c).await;
    assert_eq!(request["follow_up"]["due"], true);
    let verbs: Vec<_> = desk.history(&c).await;
    assert_eq!(verbs.last().unwrap().0, "follow_up_due");
    app.run_timers().await;
    assert_eq!(desk.history(&c).await.len(), verbs.len(), "once");

    // An emergency that was not reached stays first, and can wait for an hour at most.
    let urgent = app.stored(json!({"last_name": "SmithNow"})).await;
    assert_eq!(desk.attention().await.0[0], "SmithNow");
    let (status, refused) = desk.remind(&app, &urgent, 61).await;
    assert_eq!(
        (status, &refused["fields"][0]["field"]),
        (422, &json!("at"))
    );
    assert_eq!(desk.remind(&app, &urgent, 5).await.0, 200);
    assert_eq!(desk.attention().await.0[0], "SmithC");
}

#[tokio::test]
async fn a_call_ends_a_follow_up_or_begins_one_and_both_are_undone() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = without_emergency(&app, "Smith").await;
    let request = format!("/inbox/{id}");
    let at = app.clock.now().plus_millis(5 * MINUTE).to_string();
    let call = json!({"outcome": "no_answer", "remind_at": at});
    let (status, called) = desk.post(&format!("{request}/calls"), call).await;
    assert_eq!(status, 201, "{called}");
    assert_eq!(desk.get(&request).await["follow_up"]["at"], json!(at));
    app.clock.advance(6 * MINUTE);
    app.run_timers().await;

    let reached = json!({"outcome": "reached"});
    let (_, called) = desk.post(&format!("{request}/calls"), reached).await;
    let after = desk.get(&request).await;
    assert!(after["follow_up"].is_null() && !after["answered_at"].is_null());
    assert_eq!(desk.attention().await.1, 0);
    let undo = json!({"event": called["id"]});
    let (status, undone) = desk.post(&format!("{request}/undo"), undo).await;
    assert_eq!(status, 200);
    assert_eq!(
        undone["follow_up"],
        json!({
            "at": at, "due": true,
            "by": {"id": desk.id, "email": "ada@guard.example", "name": null}
        })
    );
    assert_eq!(desk.attention().await.1, 1);

    // Without a time the follow-up ends; the undo brings it back.
    let path = format!("{request}/follow-up");
    let (_, ended) = desk.change(Method::PUT, &path, json!({"at": null})).await;
    assert!(ended["follow_up"].is_null());
    let undo = json!({"event": ended["event"]});
    let (_, undone) = desk.post(&format!("{request}/undo"), undo).await;
    assert_eq!(undone["follow_up"]["due"], true);
}

#[tokio::test]
async fn only_an_emergency_without_an_answer_has_to_be_reminded_of_within_the_hour() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let plain = without_emergency(&app, "Smith").await;
    assert_eq!(desk.remind(&app, &plain, 3 * 24 * 60).await.0, 200);
    let urgent = app.stored(json!({"last_name": "SmithNow"})).await;
    assert_eq!(desk.remind(&app, &urgent, 60).await.0, 200, "just an hour");
    assert_eq!(desk.remind(&app, &urgent, 61).await.0, 422);
    assert_eq!(desk.log_call(&urgent, "reached").await.0, 201);
    assert_eq!(desk.remind(&app, &urgent, 3 * 24 * 60).await.0, 200);
}

#[tokio::test]
async fn a_follow_up_needs_an_open_request_and_a_time_within_a_year() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = without_emergency(&app, "Smith").await;
    for minutes in [0, -1, 60 * 24 * 368] {
        assert_eq!(desk.remind(&app, &id, minutes).await.0, 422, "{minutes}");
    }
    let path = format!("/inbox/{id}/follow-up");
    let (status, _) = desk.change(Method::PUT, &path, json!({"at": "soon"})).await;
    assert_eq!(status, 422);
    desk.move_to(&id, "cancelled").await;
    let (status, refused) = desk.remind(&app, &id, 5).await;
    assert_eq!((status, &refused["code"]), (409, &json!("closed")));
    assert_eq!(desk.remind(&app, "no-such", 5).await.0, 404);
}

#[tokio::test]
async fn an_answered_request_is_back_at_its_follow_up() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = without_emergency(&app, "Smith").await;
    desk.log_call(&id, "reached").await;
    desk.remind(&app, &id, 60 * 24 * 30).await;
    assert_eq!(desk.attention().await.1, 0);
    app.clock.advance(60 * 24 * 30 * MINUTE);
    let desk = desk.again(&app).await;
    app.run_timers().await;
    assert_eq!(desk.attention().await, (vec!["Smith".to_owned()], 1));
}

#[tokio::test]
async fn only_an_emergency_that_was_not_reached_may_not_wait_for_long() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let calm = without_emergency(&app, "Calm").await;
    let (status, changed) = desk.remind(&app, &calm, 7 * 24 * 60).await;
    assert_eq!(status, 200, "{changed}");
    let urgent = app.stored(json!({"last_name": "Now"})).await;
    let (status, changed) = desk.remind(&app, &urgent, 60).await;
    assert_eq!(status, 200, "an hour, exactly: {changed}");
    assert_eq!(desk.remind(&app, &urgent, 61).await.0, 422);
    desk.log_call(&urgent, "reached").await;
    let (status, changed) = desk.remind(&app, &urgent, 24 * 60).await;
    assert_eq!(status, 200, "its customer was reached: {changed}");
}

#[tokio::test]
async fn a_call_does_not_end_a_reminder_that_was_no_promise_on_the_phone() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = without_emergency(&app, "Web").await;
    desk.remind(&app, &id, 24 * 60).await;
    desk.log_call(&id, "reached").await;
    let request = desk.request(&id).await;
    assert!(request["follow_up"].is_object(), "{}", request["follow_up"]);
}
