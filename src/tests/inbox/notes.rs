//! Notes, and calls to customers.

use reqwest::Method;
use serde_json::{Value, json};

use super::Dispatcher;
use crate::support::app::TestApp;

#[tokio::test]
async fn a_note_is_kept_as_written_and_one_that_is_too_long_is_refused_with_the_limit() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    let path = format!("/inbox/{id}/notes");
    let text = "Gate code 4711.\nAsk for “Ana” <ana@dock.example>";
    let (status, event) = desk.post(&path, json!({ "text": text })).await;
    assert_eq!((status, &event["verb"]), (201, &json!("noted")));
    assert_eq!(event["actor"]["id"], desk.id);
    let longest = "ñ".repeat(4000);
    let (status, _) = desk.post(&path, json!({ "text": longest })).await;
    assert_eq!(status, 201);
    for (wrong, message) in [
        (
            json!("x".repeat(5000)),
            "The text has 5000 characters; at most 4000 fit.",
        ),
        (json!("  \n"), "The note is empty. Write something."),
        (Value::Null, "`text` is a text."),
        (json!(5), "`text` is a text."),
    ] {
        let (status, refused) = desk.post(&path, json!({ "text": wrong })).await;
        assert_eq!(
            (status, &refused["fields"][0]["message"]),
            (422, &json!(message))
        );
    }
    let (status, _) = desk
        .post("/inbox/GP-ZZZZ/notes", json!({"text": "a"}))
        .await;
    assert_eq!(status, 404);
    assert_eq!(app.rows("events").await, 2);
    let history = desk.history(&id).await;
    assert_eq!(
        history[0].1["text"],
        "Gate code 4711.\nAsk for “Ana” ana@dock.example"
    );
}

#[tokio::test]
async fn a_note_that_is_sent_again_is_stored_once() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let id = app.stored(json!({})).await;
    let path = format!("/inbox/{id}/notes");
    let note = async |who: &Dispatcher| {
        let body = json!({"text": "Gate code 4711"});
        let (status, event) = who.post(&path, body).await;
        assert_eq!(status, 201, "{event}");
        event["id"].clone()
    };
    let first = note(&desk).await;
    assert_eq!(note(&desk).await, first);
    assert_ne!(note(&colleague).await, first);
    assert_eq!(note(&desk).await, first);
    app.clock.advance(120_000);
    let later = note(&desk).await;
    assert_ne!(later, first);
    let deleted = format!("{path}/{later}");
    desk.change(Method::DELETE, &deleted, Value::Null).await;
    assert_ne!(note(&desk).await, later);
}

#[tokio::test]
async fn a_customer_who_was_reached_is_answered_and_one_who_was_not_still_waits() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    let calls = format!("/inbox/{id}/calls");
    for outcome in ["voicemail", "no_answer"] {
        let call = json!({"outcome": outcome, "note": "Try at noon"});
        let (status, event) = desk.post(&calls, call).await;
        assert_eq!(
            (status, &event["detail"]["outcome"]),
            (201, &json!(outcome))
        );
        let page = desk.get("/inbox?attention=true").await;
        assert_eq!(page["views"]["attention"], 1);
        assert!(page["requests"][0]["answered_at"].is_null());
    }
    // Accepting a request is no answer.
    desk.move_to(&id, "in_progress").await;
    assert_eq!(desk.get("/inbox").await["views"]["attention"], 1);
    app.clock.advance(1000);
    desk.post(&calls, json!({"outcome": "reached"})).await;
    app.clock.advance(1000);
    desk.post(&calls, json!({"outcome": "reached"})).await;
    let request = desk.request(&id).await;
    assert_eq!(
        request["answered_at"], "2026-11-21T12:00:01.000Z",
        "the first time counts"
    );
    let page = desk.get("/inbox?attention=true").await;
    assert_eq!(page["requests"], json!([]));
    assert_eq!(page["views"]["attention"], 0);
    for wrong in [json!("busy"), Value::Null] {
        let (status, refused) = desk.post(&calls, json!({ "outcome": wrong })).await;
        assert_eq!(
            (status, &refused["fields"][0]["field"]),
            (422, &json!("outcome"))
        );
    }
}

#[tokio::test]
async fn an_email_does_not_stop_the_clock_of_a_customer_who_wants_a_call() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({"emergency_contact": true})).await;
    let reply = json!({"subject": "Your request", "text": "We try to call you."});
    desk.on(&id, "replies", reply).await;
    app.clock.advance(10_000);
    app.run_outbox().await;
    desk.move_to(&id, "in_progress").await;
    let request = desk.request(&id).await;
    assert_eq!(request["emailed_at"], "2026-11-21T12:00:10.000Z");
    assert!(request["answered_at"].is_null());
    assert_eq!(desk.get("/inbox").await["views"]["attention"], 1);

    desk.log_call(&id, "reached").await;
    assert_eq!(desk.get("/inbox").await["views"]["attention"], 0);
    let (_, undone) = desk.on(&id, "undo", json!({})).await;
    assert!(undone["answered_at"].is_null());
}

#[tokio::test]
async fn a_call_that_was_logged_by_mistake_is_undone() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    desk.log_call(&id, "reached").await;
    let (status, undone) = desk.on(&id, "undo", json!({})).await;
    assert_eq!(status, 200);
    assert!(undone["answered_at"].is_null());
    assert_eq!(desk.get("/inbox").await["views"]["attention"], 1);
}
