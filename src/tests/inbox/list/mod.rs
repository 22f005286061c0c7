//! The list: order, filters, counts, search and single requests.

mod filters;
mod found_in;
mod sorting;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Dispatcher, names, text};
use crate::support::app::TestApp;

const HOUR: i64 = 3_600_000;

/// All pages of a list, `limit` requests each.
async fn all_pages(desk: &Dispatcher, query: &str, limit: usize) -> Vec<String> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/inbox?{query}&limit={limit}&cursor={cursor}");
        let page = desk.get(&path).await;
        let found = names(&page);
        assert!(found.len() == limit || page["next_cursor"].is_null());
        all.extend(found);
        cursor = text(&page["next_cursor"]);
        if cursor.is_empty() {
            return all;
        }
    }
}

#[tokio::test]
async fn quotes_and_messages_are_one_list_newest_first() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let mut newest_first = Vec::new();
    for n in 0..12_u8 {
        // Three requests per millisecond.
        app.clock.advance(i64::from(n % 3 == 0));
        let name = format!("Smith{}", char::from(b'a' + n));
        let changes = json!({ "last_name": name });
        match n % 2 {
            0 => drop(app.stored(changes).await),
            _ => drop(app.message(changes).await),
        }
        newest_first.insert(0, name);
    }
    assert_eq!(all_pages(&desk, "", 5).await, newest_first);
    assert_eq!(all_pages(&desk, "status=pending", 5).await, newest_first);
    let odd: Vec<_> = newest_first.iter().step_by(2).cloned().collect();
    assert_eq!(all_pages(&desk, "kind=message", 4).await, odd);
    assert_eq!(all_pages(&desk, "kind=message&q=smi", 4).await, odd);
    assert_eq!(all_pages(&desk, "q=concert", 4).await, odd);
    let even: Vec<_> = newest_first.iter().skip(1).step_by(2).cloned().collect();
    assert_eq!(all_pages(&desk, "kind=quote", 4).await, even);
    assert_eq!(all_pages(&desk, "kind=quote&status=pending", 4).await, even);
    let page = desk.get("/inbox?kind=quote&limit=1").await;
    assert_eq!(page["counts"]["pending"], 6);
    let views = json!({
        "quotes": 6, "attention": 12, "mine": 0, "messages": 6, "everything": 12, "held": 0,
        "unmatched": 0,
    });
    assert_eq!(page["views"], views);
    // The list of quotes has no messages in it.
    let quotes = desk.get("/quotes?q=smi").await;
    assert_eq!(quotes["quotes"].as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn what_needs_attention_begins_with_emergencies_then_what_is_overdue_then_the_rest() {
    let app = TestApp::with(|config| {
        config.desk.answer_hours = 2;
        config.desk.emergency_minutes = 60;
    })
    .await;
    // Due 2:00, 1:15, 2:30, 1:45 after eighteen days; the message at the same time as the third.
    // The old ones are overdue since 18 days and since an hour; the last one was called, but a
    // reply failed.
    app.stored(json!({"last_name": "SmithOldest", "emergency_contact": false}))
        .await;
    app.clock.advance(17 * 24 * HOUR);
    let called = app.stored(json!({"last_name": "SmithCalled"})).await;
    app.clock.advance(24 * HOUR - 3 * HOUR);
    app.stored(json!({"last_name": "SmithOld", "emergency_contact": false}))
        .await;
    app.clock.advance(3 * HOUR);
    for (name, emergency) in [("A", false), ("B", true), ("C", false), ("D", true)] {
        let name = format!("Smith{name}");
        app.stored(json!({"last_name": name, "emergency_contact": emergency}))
            .await;
        if name == "SmithC" {
            app.message(json!({"last_name": "SmithM"})).await;
        }
        app.clock.advance(HOUR / 4);
    }
    let desk = Dispatcher::of(&app).await;
    let done = app.stored(json!({"last_name": "Done"})).await;
    desk.move_to(&done, "cancelled").await;
    desk.log_call(&called, "reached").await;
    app.sql("UPDATE requests SET failed_reply = 1 WHERE last_name = 'SmithCalled'")
        .await;
    app.store
        .write(|conn| Ok(conn.execute_batch("DELETE FROM request_words")?))
        .await
        .unwrap();
    let by_due = [
        "SmithB",
        "SmithD",
        "SmithOld",
        "SmithCalled",
        "SmithOldest",
        "SmithA",
        "SmithC",
        "SmithM",
    ];
    for limit in 1..9 {
        let found = all_pages(&desk, "attention=true", limit).await;
        assert_eq!(found, by_due, "{limit} per page");
    }
    assert_eq!(all_pages(&desk, "attention=true&q=smi", 2).await, by_due);
    assert_eq!(
        all_pages(&desk, "attention=true&emergency=true", 2).await,
        ["SmithB", "SmithD", "SmithCalled"]
    );
    let page = desk.get("/inbox?attention=true&limit=1").await;
    assert_eq!(page["requests"][0]["due_at"], "2026-12-09T13:15:00.000Z");
    assert_eq!(page["views"]["attention"], 8);
}

#[tokio::test]
async fn nothing_is_due_and_no_call_waits_once_an_emergency_is_reached_or_closed() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    for end in ["reached", "cancelled"] {
        let id = app.stored(json!({"emergency_contact": true})).await;
        let path = format!("/inbox/{id}");
        let request = desk.get(&path).await;
        assert_eq!(request["awaits_call"], true, "{end}");
        assert!(request["due_at"].is_string(), "{end}: {request}");
        if end == "reached" {
            desk.log_call(&id, end).await;
        } else {
            desk.move_to(&id, end).await;
        }
        let request = desk.get(&path).await;
        assert_eq!(request["awaits_call"], false, "{end}");
        assert!(request["due_at"].is_null(), "{end}: {request}");
    }
}

#[tokio::test]
async fn a_request_is_found_by_its_reference_and_lists_those_of_the_same_person() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let first = app
        .message(json!({"email": "Maria@Property.example", "phone": "1-832-555-0000"}))
        .await;
    let second = app
        .stored(json!({"email": "other@site.example", "phone": "832.555.0000"}))
        .await;
    app.stored(json!({"email": "lee@elsewhere.example", "phone": "713-555-0199"}))
        .await;
    let third = app
        .stored(json!({"email": "maria@property.example", "phone": "713-555-0111"}))
        .await;
    let reference = text(&first["reference"]);
    let bare = reference.trim_start_matches("GP-");
    for typed in [
        &reference,
        bare,
        &reference.to_lowercase(),
        &bare.to_lowercase(),
    ] {
        let found = desk.request(typed).await;
        assert_eq!(found["id"], first["id"], "{typed}");
        assert_eq!(found["kind"], "message");
        let related = found["related"].as_array().unwrap();
        let related: Vec<_> = related.iter().map(|other| text(&other["id"])).collect();
        assert_eq!(related, [third.as_str(), &second]);
        let listed = desk.get(&format!("/inbox?q={typed}")).await;
        assert_eq!(listed["requests"][0]["id"], first["id"], "{typed}");
    }
    for unknown in [
        "GP-ZZZZ",
        "zzzz",
        "0192f1de-7b5a-7000-8000-000000000001",
        "nothing",
    ] {
        let path = format!("/inbox/{unknown}");
        let answer = desk.call(Method::GET, &path, None).await;
        assert_eq!(answer.status(), 404, "{unknown}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(
            problem["detail"],
            "There is no request with this id or reference."
        );
    }
}

#[tokio::test]
async fn only_an_admin_can_use_the_desk() {
    let app = TestApp::start().await;
    let id = app.stored(json!({})).await;
    let member = Dispatcher::at(&app, app.member().await);
    let mut stranger = Dispatcher::of(&app).await;
    stranger.token = "nonsense".into();
    let note = format!("/inbox/{id}/notes");
    for (method, path) in [
        (Method::GET, "/inbox"),
        (Method::GET, &format!("/inbox/{id}")),
        (Method::PATCH, &format!("/inbox/{id}")),
        (Method::POST, "/inbox/bulk"),
        (Method::POST, "/inbox/undo"),
        (Method::POST, &format!("/inbox/{id}/undo")),
        (Method::POST, &note),
        (Method::POST, &format!("/inbox/{id}/calls")),
        (Method::GET, "/people"),
        (Method::GET, "/filters"),
        (Method::POST, "/filters"),
        (Method::DELETE, "/filters/1"),
        (Method::GET, "/export?format=csv"),
    ] {
        let body = (method != Method::GET).then(|| json!({"text": "a", "status": "cancelled"}));
        for (who, status) in [(&member, 403), (&stranger, 401)] {
            let answer = who.call(method.clone(), path, body.clone()).await;
            assert_eq!(answer.status(), status, "{method} {path}");
        }
    }
    assert_eq!(app.rows("events").await, 0);
}
