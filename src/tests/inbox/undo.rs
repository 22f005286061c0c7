//! Undo of each kind of change, newest first.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Dispatcher, text};
use crate::support::app::TestApp;

impl Dispatcher {
    pub(super) async fn undo(&self, id: &str, event: &Value) -> (u16, Value) {
        self.on(id, "undo", json!({ "event": event })).await
    }
}

#[tokio::test]
async fn changes_of_one_request_are_undone_one_after_the_other() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    let mut changes = Vec::new();
    for change in [
        json!({"status": "in_progress"}),
        json!({"status": "completed"}),
        json!({"assignee": null}),
    ] {
        let (_, changed) = desk.patch(&id, change).await;
        assert!(changed["event"].is_i64(), "{changed}");
        changes.push(changed["event"].clone());
    }
    for outcome in ["voicemail", "reached"] {
        let (_, called) = desk.on(&id, "calls", json!({"outcome": outcome})).await;
        changes.push(called["id"].clone());
    }
    let (status, _) = desk.undo(&id, &changes[0]).await;
    assert_eq!(status, 409, "it was moved since");
    for event in changes.iter().rev() {
        let (status, undone) = desk.undo(&id, event).await;
        assert_eq!(status, 200, "{undone}");
    }
    let request = desk.request(&id).await;
    assert_eq!(request["status"], "pending");
    assert!(request["assignee"].is_null() && request["answered_at"].is_null());
    let (status, _) = desk.undo(&id, &changes[0]).await;
    assert_eq!(status, 409, "once");
}

#[tokio::test]
async fn accepting_assigns_what_nobody_has_and_one_undo_takes_back_both() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let id = app.stored(json!({})).await;
    let accept = json!({"status": "in_progress"});
    let (_, accepted) = desk.patch(&id, accept.clone()).await;
    assert_eq!(accepted["assignee"]["id"], json!(desk.id));
    let (status, undone) = desk.undo(&id, &accepted["event"]).await;
    assert_eq!(status, 200, "{undone}");
    assert_eq!(
        (&undone["status"], &undone["assignee"]),
        (&json!("pending"), &Value::Null)
    );

    // What a colleague has stays theirs, and what was assigned since is not taken back.
    colleague.patch(&id, json!({"assignee": "me"})).await;
    let (status, accepted) = desk.patch(&id, accept.clone()).await;
    assert_eq!(
        (status, &accepted["assignee"]["id"]),
        (200, &json!(colleague.id))
    );
    let other = app.stored(json!({"email": "other@site.example"})).await;
    let body = json!({"ids": [&other], "status": "in_progress"});
    let (_, bulk) = desk.post("/inbox/bulk", body).await;
    let taken = desk.request(&other).await;
    assert_eq!(taken["assignee"]["id"], json!(desk.id));
    desk.post("/inbox/undo", json!({"token": bulk["undo"]}))
        .await;
    let back = desk.request(&other).await;
    assert_eq!(
        (&back["status"], &back["assignee"]),
        (&json!("pending"), &Value::Null)
    );
    let (_, accepted) = desk.patch(&other, accept).await;
    desk.patch(&other, json!({"assignee": colleague.id})).await;
    let (_, undone) = desk.undo(&other, &accepted["event"]).await;
    assert_eq!(undone["assignee"]["id"], json!(colleague.id));
}

#[tokio::test]
async fn a_deleted_note_is_gone_and_comes_back_by_undo() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let id = app.stored(json!({})).await;
    let notes = format!("/inbox/{id}/notes");
    let (_, note) = desk.post(&notes, json!({"text": "Gate code 4711"})).await;
    let path = format!("{notes}/{}", note["id"]);
    let (status, _) = colleague.change(Method::DELETE, &path, Value::Null).await;
    assert_eq!(status, 409, "it is not the colleague's");
    let (status, deleted) = desk.change(Method::DELETE, &path, Value::Null).await;
    assert_eq!(status, 200, "{deleted}");
    let (again, _) = desk.change(Method::DELETE, &path, Value::Null).await;
    assert_eq!(again, 404);
    let history = json!(desk.history(&id).await).to_string();
    assert!(!history.contains("4711"), "{history}");
    assert_eq!(desk.get("/inbox?q=4711").await["requests"], json!([]));
    let (status, _) = desk.undo(&id, &deleted["id"]).await;
    assert_eq!(status, 200);
    assert_eq!(
        desk.history(&id).await[0].1,
        json!({"text": "Gate code 4711"})
    );
    let found = desk.get("/inbox?q=4711").await;
    assert_eq!(found["requests"][0]["id"], json!(id));
    desk.change(Method::DELETE, &path, Value::Null).await;
    app.clock.advance(60_001);
    app.store.purge_held(30, app.clock.now()).await.unwrap();
    assert_eq!(
        app.rows("events WHERE detail LIKE '%4711%'").await,
        0,
        "its text is not kept for longer than the undo"
    );
}

#[tokio::test]
async fn a_release_is_undone_before_its_emails_leave() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let spam = json!({
        "motto": "google", "email": "ann@shoes.example", "emergency_contact": false,
        "description": "Cheap shoes at https://one.example and https://two.example"
    });
    let id = app.stored(spam).await;
    let before = desk.request(&id).await;
    assert_eq!(before["held"], true, "{before}");
    let release = format!("/inbox/{id}/release");
    let (_, released) = desk.post(&release, json!({})).await;
    let (status, undone) = desk.undo(&id, &released["event"]).await;
    assert_eq!(status, 200, "{undone}");
    assert_eq!(undone["held_reasons"], before["held_reasons"]);
    app.clock.advance(10_000);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 0);

    let (_, released) = desk.post(&release, json!({})).await;
    desk.move_to(&id, "in_progress").await;
    let (status, _) = desk.undo(&id, &released["event"]).await;
    assert_eq!(status, 409, "it was worked on since");
    app.clock.advance(10_000);
    app.run_outbox().await;
    assert!(!app.mailbox().is_empty());
    let (status, _) = desk.undo(&id, &released["event"]).await;
    assert_eq!(status, 409, "the emails have left");
}

#[tokio::test]
async fn a_bulk_change_in_parts_is_undone_as_one() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(app.stored(json!({})).await);
    }
    let change = |ids: &[String], goes_on: &Value| {
        json!({
            "ids": ids, "status": "in_progress", "continue": goes_on,
        })
    };
    let (_, first) = desk
        .post(
            "/inbox/bulk",
            json!({"ids": ids[..2], "status": "in_progress"}),
        )
        .await;
    let (_, second) = desk
        .post("/inbox/bulk", change(&ids[2..], &first["undo"]))
        .await;
    assert_eq!(second["undo"], first["undo"]);
    let colleague = Dispatcher::colleague(&app).await;
    let (status, _) = colleague
        .post("/inbox/bulk", change(&ids[2..], &first["undo"]))
        .await;
    assert_eq!(status, 422, "it is not the colleague's");
    let listed = desk.get("/inbox/ids?status=in_progress").await;
    assert_eq!(listed["ids"].as_array().unwrap().len(), 3);
    let token = json!({"token": first["undo"]});
    let (_, undone) = desk.post("/inbox/undo", token).await;
    assert_eq!(undone["changed"], json!(ids));
    assert!(undone["undo"].is_null(), "{undone}");
    let listed = desk.get("/inbox/ids?status=pending").await;
    let newest: Vec<_> = ids.iter().rev().map(|id| json!(id)).collect();
    assert_eq!(listed["ids"], json!(newest));
}

#[tokio::test]
async fn the_history_names_who_got_a_request() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let id = app.stored(json!({})).await;
    desk.patch(&id, json!({"assignee": colleague.id})).await;
    desk.on(&id, "undo", json!({})).await;
    let history = desk.history(&id).await;
    let email = "colleague@guardpost.example";
    let person = json!({"id": colleague.id, "email": email, "name": null});
    assert_eq!(history[0].1["to"], person);
    assert_eq!(history[1].1["from"], person);
    assert_eq!(text(&history[1].1["verb"]), "assigned");
}

#[tokio::test]
async fn undoing_an_acceptance_keeps_who_was_assigned_since_and_forgets_who_was_before() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let accept = json!({"status": "in_progress"});
    let owner = async |id: &str| {
        let request = desk.request(id).await;
        request["assignee"]["id"].clone()
    };
    // Assigned and given up before: that is no later assignment.
    let before = app.stored(json!({})).await;
    for assignee in [json!("me"), json!(null)] {
        desk.patch(&before, json!({ "assignee": assignee })).await;
    }
    let (_, accepted) = desk.patch(&before, accept.clone()).await;
    desk.undo(&before, &accepted["event"]).await;
    assert_eq!(owner(&before).await, Value::Null);
    // Assigned since: the undo of the acceptance takes nothing from that person.
    let since = app.stored(json!({"email": "since@property.example"})).await;
    let (_, accepted) = desk.patch(&since, accept).await;
    desk.patch(&since, json!({ "assignee": colleague.id }))
        .await;
    let (status, undone) = desk.undo(&since, &accepted["event"]).await;
    assert_eq!(status, 200, "{undone}");
    assert_eq!(owner(&since).await, json!(colleague.id));
    // The same holds if it is the one who accepted.
    let again = app.stored(json!({"email": "again@property.example"})).await;
    let (_, accepted) = desk.move_to(&again, "in_progress").await;
    for assignee in [json!(colleague.id), json!(desk.id)] {
        desk.patch(&again, json!({ "assignee": assignee })).await;
    }
    desk.undo(&again, &accepted["event"]).await;
    assert_eq!(owner(&again).await, json!(desk.id));
}

#[tokio::test]
async fn a_change_of_many_is_undone_for_a_minute_and_then_refused_by_name() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(app.stored(json!({})).await);
    }
    for (later, undone) in [(60_000, 2), (60_001, 0)] {
        let change = json!({"ids": ids, "status": "in_progress"});
        let (_, changed) = desk.post("/inbox/bulk", change).await;
        app.clock.advance(later);
        let token = json!({"token": changed["undo"]});
        let (status, result) = desk.post("/inbox/undo", token).await;
        assert_eq!(status, 200, "{result}");
        assert_eq!(result["changed"].as_array().unwrap().len(), undone);
        assert_eq!(result["refused"].as_array().unwrap().len(), 2 - undone);
    }
}
