//! Moves, assignments, bulk changes and undo.

use serde_json::{Value, json};

use super::{Dispatcher, text};
use crate::support::app::TestApp;

#[tokio::test]
async fn both_kinds_make_the_three_moves_and_each_is_in_the_history() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let message = text(&app.message(json!({})).await["id"]);
    for id in [app.stored(json!({})).await, message] {
        let before = app.rows("events").await;
        let (status, refused) = desk.move_to(&id, "completed").await;
        assert_eq!(
            (status, &refused["current_status"]),
            (409, &json!("pending"))
        );
        assert_eq!(
            app.rows("events").await,
            before,
            "a refused move is no event"
        );
        app.clock.advance(1000);
        let (_, accepted) = desk.move_to(&id, "in_progress").await;
        assert_eq!(accepted["status"], "in_progress");
        assert_ne!(accepted["updated_at"], accepted["created_at"]);
        let (status, _) = desk.move_to(&id, "completed").await;
        assert_eq!(status, 200);
        assert_eq!(
            desk.history(&id).await,
            [
                (
                    "moved".to_owned(),
                    json!({"from": "pending", "to": "in_progress", "assignee": desk.id})
                ),
                (
                    "moved".to_owned(),
                    json!({"from": "in_progress", "to": "completed"})
                ),
            ]
        );
        let request = desk.request(&id).await;
        assert_eq!(request["history"][1]["actor"]["id"], desk.id);
        assert!(request["history"][1]["undoable_until"].is_null());
        assert!(request["history"][2]["undoable_until"].is_string());
    }
}

#[tokio::test]
async fn a_move_by_the_call_for_quotes_is_in_the_history_too() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    let path = format!("/quotes/{id}");
    let (status, _) = desk
        .change(
            reqwest::Method::PATCH,
            &path,
            json!({"status": "cancelled"}),
        )
        .await;
    assert_eq!(status, 200);
    let moved = (
        "moved".to_owned(),
        json!({"from": "pending", "to": "cancelled"}),
    );
    assert_eq!(desk.history(&id).await, [moved]);
}

#[tokio::test]
async fn a_request_is_taken_handed_over_and_released() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let id = app.stored(json!({})).await;
    let (_, taken) = desk.patch(&id, json!({"assignee": "me"})).await;
    assert_eq!(taken["assignee"]["id"], desk.id);
    assert!(taken["assignee"]["email"].is_string());
    let (again, _) = desk.patch(&id, json!({"assignee": "me"})).await;
    assert_eq!(again, 200);

    let both = json!({"assignee": "me", "status": "in_progress"});
    let (status, refused) = colleague.patch(&id, both).await;
    assert_eq!((status, &refused["code"]), (409, &json!("already_taken")));
    assert_eq!(refused["current_assignee"], taken["assignee"]);
    let stored = desk.request(&id).await;
    assert_eq!(stored["status"], "pending", "nothing is half done");

    for unknown in [
        json!("0192f1de-7b5a-7000-8000-000000000001"),
        json!(7),
        json!(""),
    ] {
        let (status, refused) = desk.patch(&id, json!({"assignee": unknown})).await;
        assert_eq!(
            (status, &refused["fields"][0]["field"]),
            (422, &json!("assignee"))
        );
    }
    let (_, given) = desk.patch(&id, json!({"assignee": colleague.id})).await;
    assert_eq!(given["assignee"]["id"], colleague.id);
    let (_, released) = colleague.patch(&id, json!({"assignee": null})).await;
    assert!(released["assignee"].is_null());
    let (status, _) = desk.patch(&id, json!({})).await;
    assert_eq!(status, 400);
    let history = desk.history(&id).await;
    let sides = history.iter().map(|(_, detail)| {
        let id = |side: &str| detail[side]["id"].clone();
        (id("from"), id("to"))
    });
    let (own, other) = (json!(desk.id), json!(colleague.id));
    assert_eq!(
        sides.collect::<Vec<_>>(),
        [
            (Value::Null, own.clone()),
            (own, other.clone()),
            (other, Value::Null),
        ],
        "taking it twice is one event"
    );
}

#[tokio::test]
async fn a_change_whose_event_cannot_be_written_is_not_made() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    let rename =
        |sql: &'static str| move |conn: &rusqlite::Connection| Ok(conn.execute_batch(sql)?);
    app.store
        .write(rename("ALTER TABLE events RENAME TO lost"))
        .await
        .unwrap();
    for change in [json!({"status": "in_progress"}), json!({"assignee": "me"})] {
        let (status, _) = desk.patch(&id, change).await;
        assert!(status >= 500);
    }
    let (status, _) = desk.log_call(&id, "reached").await;
    assert!(status >= 500);
    app.store
        .write(rename("ALTER TABLE lost RENAME TO events"))
        .await
        .unwrap();
    let stored = desk.request(&id).await;
    assert_eq!(stored["status"], "pending");
    assert!(stored["assignee"].is_null() && stored["answered_at"].is_null());
    let page = desk.get("/inbox?assignee=me").await;
    assert_eq!(page["counts"]["pending"], 0);
}

#[tokio::test]
async fn one_undoes_ones_own_last_change_for_a_minute_unless_somebody_changed_the_same_since() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let id = app.stored(json!({})).await;
    let undo = format!("/inbox/{id}/undo");

    let (status, nothing) = desk.post(&undo, json!({})).await;
    assert_eq!(status, 409, "{nothing}");
    desk.move_to(&id, "cancelled").await;
    let (status, _) = colleague.post(&undo, json!({})).await;
    assert_eq!(status, 409, "it is not the colleague's");
    app.clock.advance(60_000);
    let (status, undone) = desk.post(&undo, json!({})).await;
    assert_eq!((status, &undone["status"]), (200, &json!("pending")));
    let (status, _) = desk.post(&undo, json!({})).await;
    assert_eq!(status, 409, "an undo is undone by a new change only");

    desk.move_to(&id, "in_progress").await;
    app.clock.advance(60_001);
    let (status, late) = desk.post(&undo, json!({})).await;
    assert_eq!(
        (status, &late["detail"]),
        (
            409,
            &json!("A change can be undone for a minute, an email for ten seconds.")
        )
    );

    desk.patch(&id, json!({"assignee": null})).await;
    colleague.move_to(&id, "completed").await;
    let history = desk.request(&id).await["history"].clone();
    let events = history.as_array().unwrap();
    let moved = events
        .iter()
        .rfind(|event| event["actor"]["id"] == desk.id && event["verb"] == "moved");
    let event = moved.unwrap()["id"].clone();
    let (status, refused) = desk.post(&undo, json!({"event": event})).await;
    assert_eq!(status, 409);
    assert!(text(&refused["detail"]).starts_with("colleague@guardpost.example has changed"));
    let (status, undone) = desk.post(&undo, json!({})).await;
    assert_eq!(status, 200, "nobody else has assigned it");
    assert_eq!(undone["assignee"]["id"], json!(desk.id));
    assert_eq!(undone["status"], "completed");
    let (verb, detail) = desk.history(&id).await.pop().unwrap();
    assert_eq!(
        (verb.as_str(), &detail["verb"]),
        ("undone", &json!("assigned"))
    );
    let page = desk.get("/inbox?assignee=me").await;
    assert_eq!(page["counts"]["completed"], 1);
}

#[tokio::test]
async fn many_requests_are_changed_at_once_with_each_refusal_named_and_one_undo() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(app.stored(json!({})).await);
    }
    ids.push(text(&app.message(json!({})).await["id"]));
    colleague.move_to(&ids[1], "cancelled").await;
    let unknown = "0192f1de-7b5a-7000-8000-000000000001";
    let mut all = ids.clone();
    all.push(unknown.to_owned());
    let change = json!({"ids": all, "status": "in_progress", "assignee": "me"});
    let (status, result) = desk.post("/inbox/bulk", change).await;
    assert_eq!(status, 200);
    assert_eq!(result["changed"], json!([ids[0], ids[2], ids[3]]));
    let refused = result["refused"].as_array().unwrap();
    assert_eq!(refused.len(), 2);
    assert_eq!(
        (&refused[0]["id"], &refused[1]["id"]),
        (&json!(ids[1]), &json!(unknown))
    );
    assert!(text(&refused[0]["reference"]).starts_with("GP-"));
    assert_eq!(
        refused[0]["detail"],
        "This is cancelled and cannot be changed to in progress."
    );
    assert_eq!(
        refused[1]["detail"],
        "There is no request with this id or reference."
    );

    colleague.move_to(&ids[2], "completed").await;
    let token = json!({"token": result["undo"]});
    let (status, _) = colleague.post("/inbox/undo", token.clone()).await;
    assert_eq!(status, 422, "it is not the colleague's");
    let (status, undone) = desk.post("/inbox/undo", token.clone()).await;
    assert_eq!(
        (status, &undone["changed"]),
        (200, &json!([ids[0], ids[3]]))
    );
    assert_eq!(undone["refused"][0]["id"], ids[2]);
    let first = desk.get(&format!("/inbox/{}", ids[0])).await;
    assert_eq!(first["status"], "pending");
    assert!(first["assignee"].is_null());
    let (_, again) = desk.post("/inbox/undo", token).await;
    assert_eq!(again["changed"], json!([]));

    let too_many: Vec<_> = (0..501).map(|_| unknown).collect();
    for ids in [json!([]), json!(too_many), json!("all"), json!([7])] {
        let (status, refused) = desk
            .post("/inbox/bulk", json!({"ids": ids, "status": "cancelled"}))
            .await;
        assert_eq!(
            (status, &refused["fields"][0]["field"]),
            (422, &json!("ids"))
        );
    }
    for token in [json!("x"), Value::Null, json!("1")] {
        let (status, _) = desk.post("/inbox/undo", json!({ "token": token })).await;
        assert_eq!(status, 422);
    }
}
