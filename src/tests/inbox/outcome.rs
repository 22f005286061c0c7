//! How requests have ended: recorded, filtered, exported, undone.

use serde_json::{Value, json};

use super::{Dispatcher, names, text};
use crate::support::app::TestApp;

impl Dispatcher {
    async fn end(&self, id: &str, outcome: Value) -> (u16, Value) {
        self.put(id, "outcome", outcome).await
    }
}

#[tokio::test]
async fn an_outcome_of_a_closed_request_is_kept_filtered_and_exported() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    for name in ["Wona", "Losta", "Jobless", "Unknowna", "Opena"] {
        app.stored(json!({"last_name": name})).await;
    }
    let page = desk.get("/inbox").await;
    let ids: Vec<_> = page["requests"].as_array().unwrap().iter().rev().collect();
    let ids: Vec<String> = ids.iter().map(|request| text(&request["id"])).collect();
    let won = json!({"outcome": "won", "value": "$1,250.50", "per": "month"});
    let (status, refused) = desk.end(&ids[0], won.clone()).await;
    assert_eq!((status, &refused["code"]), (409, &json!("open")));
    for id in &ids[..4] {
        desk.move_to(id, "cancelled").await;
    }
    let (status, ended) = desk.end(&ids[0], won).await;
    assert_eq!(status, 200, "{ended}");
    assert_eq!(
        ended["outcome"],
        json!({
            "outcome": "won", "reason": null, "words": null, "value": "1250.50", "per": "month",
            "won_at": "2026-11-21T12:00:00.000Z",
        })
    );
    let lost =
        json!({"outcome": "lost", "reason": "price", "words": "Zeppelin Security was cheaper"});
    desk.end(&ids[1], lost).await;
    desk.end(&ids[2], json!({"outcome": "not_customer"})).await;
    for (filter, found) in [
        ("won", "Wona"),
        ("lost", "Losta"),
        ("not_customer", "Jobless"),
        ("unknown", "Unknowna"),
    ] {
        let page = desk.get(&format!("/inbox?outcome={filter}")).await;
        assert_eq!(names(&page), [found], "{filter}");
        assert_eq!(page["counts"]["cancelled"], 1, "{filter}");
    }
    assert_eq!(names(&desk.get("/inbox?q=zeppelin").await), ["Losta"]);
    let exported = desk.get("/export?format=json&outcome=won").await;
    let row = &exported[0];
    assert_eq!(
        (&row["outcome"], &row["outcome_value"], &row["outcome_per"]),
        (&json!("won"), &json!("1250.50"), &json!("month"))
    );

    // Reopened, it has no outcome; closed again, it is what it was. One that is won stays won,
    // until its outcome is changed.
    let correction = json!({"correction": "reopen", "reason": "They called again"});
    for (id, name, open_outcome) in [
        (&ids[1], "lost", Value::Null),
        (&ids[0], "won", json!("won")),
    ] {
        let (_, open) = desk.on(id, "corrections", correction.clone()).await;
        assert_eq!(open["outcome"]["outcome"], open_outcome);
        let listed = desk.get(&format!("/inbox?outcome={name}")).await;
        assert_eq!(names(&listed).len(), usize::from(name == "won"));
        let (_, closed) = desk.move_to(id, "cancelled").await;
        assert_eq!(closed["outcome"]["outcome"], name);
    }
    let path = format!("/inbox/{}/corrections", ids[0]);
    desk.post(&path, correction).await;
    let (status, lost) = desk
        .end(&ids[0], json!({"outcome": "lost", "reason": "price"}))
        .await;
    assert_eq!((status, &lost["outcome"]), (200, &Value::Null));
}

#[tokio::test]
async fn an_outcome_is_replaced_forgotten_and_undone() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    desk.move_to(&id, "cancelled").await;
    desk.end(&id, json!({"outcome": "lost", "reason": "timing"}))
        .await;
    let (_, won) = desk
        .end(
            &id,
            json!({"outcome": "won", "value": "900", "per": "total"}),
        )
        .await;
    let (status, undone) = desk.on(&id, "undo", json!({"event": won["event"]})).await;
    assert_eq!(status, 200, "{undone}");
    assert_eq!(undone["outcome"]["reason"], "timing");
    let (_, forgotten) = desk.end(&id, json!({"outcome": null})).await;
    assert!(forgotten["outcome"].is_null());
    let (verb, detail) = desk.history(&id).await.pop().unwrap();
    assert_eq!(
        (verb.as_str(), &detail["to"]),
        ("outcome_set", &Value::Null)
    );
    for (body, field) in [
        (json!({"outcome": "maybe"}), "outcome"),
        (json!({"outcome": "lost"}), "reason"),
        (json!({"outcome": "won", "reason": "price"}), "reason"),
        (
            json!({"outcome": "won", "value": "a lot", "per": "month"}),
            "value",
        ),
        (json!({"outcome": "won", "value": "5"}), "per"),
        (json!({"outcome": "won", "words": "x".repeat(501)}), "words"),
        (
            json!({"outcome": "not_customer", "value": "5", "per": "month"}),
            "value",
        ),
    ] {
        let (status, refused) = desk.end(&id, body.clone()).await;
        assert_eq!(
            (status, &refused["fields"][0]["field"]),
            (422, &json!(field)),
            "{body}"
        );
    }
}
