//! Where a search has found a request, if its row does not show it.

use serde_json::{Value, json};

use super::super::Dispatcher;
use crate::support::app::TestApp;

/// The part and the excerpt of the only request that is found.
async fn found(desk: &Dispatcher, words: &str) -> Value {
    let page = desk.get(&format!("/inbox?q={words}")).await;
    assert_eq!(
        page["requests"].as_array().map(Vec::len),
        Some(1),
        "{words}"
    );
    match page["found_in"].as_array().unwrap().as_slice() {
        [] => Value::Null,
        [found] => {
            assert_eq!(found["request"], page["requests"][0]["id"]);
            json!([found["part"], found["excerpt"]])
        }
        more => panic!("{more:?}"),
    }
}

#[tokio::test]
async fn a_search_names_the_text_that_has_the_words_and_nothing_for_what_the_row_shows() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let words = "Panel is down on the floors three to nine of the tower at the old railway yard, \
        and the dock behind it has a broken gate since the storm of last week.";
    let id = app
        .stored(json!({"description": words, "location": "Houston, TX", "company": "Bayou Lofts"}))
        .await;
    let (status, _) = desk
        .on(&id, "notes", json!({"text": "Gate code 4711"}))
        .await;
    assert_eq!(status, 201);
    let call = json!({"outcome": "voicemail", "note": "Ask for Zoë at the dock"});
    desk.on(&id, "calls", call).await;
    let reply = json!({"subject": "Walk-through", "text": "Tuesday suits us."});
    desk.on(&id, "replies", reply).await;
    for shown in ["hous", "bayou", "fire"] {
        assert_eq!(found(&desk, shown).await, Value::Null, "{shown}");
    }
    for (searched, part, excerpt) in [
        ("4711", "note", "Gate code 4711"),
        ("houston+gate+4711", "note", "Gate code 4711"),
        ("zoe", "call", "Ask for Zoë at the dock"),
        ("tuesd", "reply", "Tuesday suits us."),
        ("walk", "reply", "Walk-through"),
    ] {
        assert_eq!(
            found(&desk, searched).await,
            json!([part, excerpt]),
            "{searched}"
        );
    }
    assert_eq!(
        found(&desk, "railway").await,
        json!([
            "words",
            concat!(
                "…floors three to nine of the tower at the old railway yard, ",
                "and the dock behind it has a broken gate…"
            )
        ])
    );
    let request = desk.request(&id).await;
    for (fact, part) in [
        ("email", "email"),
        ("phone", "phone"),
        ("reference", "reference"),
    ] {
        let text = request[fact].as_str().unwrap();
        let words = text.replace(['(', ')', ' ', '+'], "%20");
        assert_eq!(found(&desk, &words).await, json!([part, text]), "{fact}");
    }
}

#[tokio::test]
async fn a_list_without_a_search_has_nothing_to_name() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    app.stored(json!({})).await;
    assert_eq!(desk.get("/inbox").await["found_in"], json!([]));
}
