//! Lists sorted by receipt, due time, first day and value.

use reqwest::Method;
use serde_json::{Value, json};

use super::{HOUR, all_pages};
use crate::inbox::{Dispatcher, names, text};
use crate::support::app::TestApp;

#[tokio::test]
async fn a_list_is_sorted_by_what_is_asked_page_by_page_with_filters_and_words() {
    let app = TestApp::start().await;
    let start = |name: &str, day: &str, emergency: bool| {
        json!({
            "last_name": name, "start_date": day, "emergency_contact": emergency,
            "company": "Sortable Lofts",
        })
    };
    let calm = app.stored(start("Calm", "2099-12-03", false)).await;
    app.clock.advance(HOUR);
    app.stored(start("Late", "2099-12-24", false)).await;
    app.clock.advance(HOUR);
    // Due at once.
    app.stored(start("Urgent", "2099-12-01", true)).await;
    app.clock.advance(HOUR);
    let desk = Dispatcher::of(&app).await;
    let note = app.message(json!({"last_name": "Note"})).await;
    let note = text(&note["id"]);
    for (id, value) in [(&calm, "900"), (&note, "1250.50")] {
        desk.move_to(id, "cancelled").await;
        let won = json!({"outcome": "won", "value": value, "per": "total"});
        let path = format!("/inbox/{id}/outcome");
        let (status, answer) = desk.change(Method::PUT, &path, won).await;
        assert_eq!(status, 200, "{answer}");
    }
    for (query, expected) in [
        ("sort=received", &["Calm", "Late", "Urgent", "Note"][..]),
        ("sort=-received", &["Note", "Urgent", "Late", "Calm"]),
        ("sort=", &["Note", "Urgent", "Late", "Calm"]),
        ("sort=due", &["Urgent", "Late", "Calm", "Note"]),
        ("sort=-due", &["Late", "Urgent", "Note", "Calm"]),
        ("sort=start", &["Urgent", "Calm", "Late", "Note"]),
        ("sort=-start", &["Late", "Calm", "Urgent", "Note"]),
        ("sort=value", &["Calm", "Note", "Late", "Urgent"]),
        ("sort=-value", &["Note", "Calm", "Urgent", "Late"]),
        ("sort=-start&open=true", &["Late", "Urgent"]),
        ("sort=due&attention=true", &["Urgent", "Late"]),
        (
            "sort=-start&kind=quote&q=sortable",
            &["Late", "Calm", "Urgent"],
        ),
        ("sort=received&q=urgen", &["Urgent"]),
    ] {
        for limit in [1, 2, 3, 50] {
            let found = all_pages(&desk, query, limit).await;
            assert_eq!(found, expected, "{query}, {limit} a page");
        }
        let ids = desk.get(&format!("/inbox/ids?{query}")).await;
        let page = desk.get(&format!("/inbox?{query}")).await;
        let of_page = page["requests"].as_array().unwrap().iter();
        let of_page: Vec<&Value> = of_page.map(|request| &request["id"]).collect();
        let ids: Vec<&Value> = ids["ids"].as_array().unwrap().iter().collect();
        assert_eq!(ids, of_page, "{query}");
        assert_eq!(names(&page), expected, "{query}");
    }
}

#[tokio::test]
async fn an_unknown_order_and_a_cursor_of_another_order_are_rejected() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    for _ in 0..3 {
        app.stored(json!({})).await;
    }
    let page = desk.get("/inbox?sort=due&limit=1").await;
    let of_due = text(&page["next_cursor"]);
    for (query, detail) in [
        ("sort=name", "`sort` is received, due"),
        (&format!("sort=-due&cursor={of_due}"), "does not belong"),
        (&format!("sort=start&cursor={of_due}"), "does not belong"),
        (&format!("cursor={of_due}"), "does not belong"),
        (
            &format!("attention=true&cursor={of_due}"),
            "does not belong",
        ),
        ("sort=due&cursor=t16", "does not belong"),
    ] {
        let path = format!("/inbox?{query}");
        let answer = desk.call(Method::GET, &path, None).await;
        assert_eq!(answer.status(), 400, "{query}");
        let refused: Value = answer.json().await.unwrap();
        let said = text(&refused["detail"]);
        assert!(said.contains(detail), "{query}: {said}");
    }
}
