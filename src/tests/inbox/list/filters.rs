//! The filters of the list, their counts, and wrong parameters.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::HOUR;
use crate::inbox::{Dispatcher, names, text};
use crate::support::app::TestApp;

#[tokio::test]
async fn a_list_is_filtered_by_what_stands_behind_each_figure() {
    let app = TestApp::start().await;
    let mut desk = Dispatcher::of(&app).await;
    let stored = async |name: &str, from: Value| {
        let changes = json!({
            "last_name": name, "emergency_contact": false, "attribution": from,
        });
        app.stored(changes).await
    };
    let ad = json!({
        "landing": "/fire-watch", "utm_campaign": "Houston Fire", "utm_medium": "cpc",
    });
    let paid = stored("Paid", ad).await;
    let found = json!({ "landing": "/", "referrer_host": "www.google.com" });
    let late = stored("Late", found).await;
    let unknown = stored("Unknown", Value::Null).await;
    let typed = json!({
        "first_name": "Joan", "last_name": "Phone", "phone": "(713) 555-0123",
        "service_type": "fire-watch",
    });
    let (status, _) = desk.post("/inbox/phone", typed).await;
    assert_eq!(status, 201);
    for (id, hours) in [(&paid, 1), (&late, 30)] {
        app.clock.advance(hours * HOUR);
        desk = desk.again(&app).await;
        let call = json!({ "outcome": "reached" });
        desk.on(id, "calls", call).await;
    }
    for status in ["in_progress", "completed"] {
        let change = json!({ "status": status });
        desk.patch(&paid, change).await;
    }
    let won = json!({ "outcome": "won", "value": "900", "per": "month" });
    let path = format!("/inbox/{paid}/outcome");
    let (status, _) = desk.change(Method::PUT, &path, won).await;
    assert_eq!(status, 200);
    for status in ["in_progress", "completed"] {
        desk.move_to(&late, status).await;
    }
    let lost = json!({ "outcome": "lost", "reason": "price" });
    let path = format!("/inbox/{late}/outcome");
    let (status, _) = desk.change(Method::PUT, &path, lost).await;
    assert_eq!(status, 200);
    let copy = json!({ "last_name": "Copy", "emergency_contact": false });
    let copy = app.stored(copy).await;
    let (status, _) = desk.on(&unknown, "merge", json!({ "request": copy })).await;
    assert_eq!(status, 200);

    let by_me = format!("answered_by={}", desk.id);
    for (query, expected) in [
        ("answered_by=me", &["Late", "Paid"][..]),
        (&by_me, &["Late", "Paid"]),
        ("answered_by=unknown", &[]),
        ("answered_by=me&within=true", &["Paid"]),
        ("reason=price", &["Late"]),
        ("reason=none", &[]),
        ("reason=price&answered_by=me", &["Late"]),
        ("duplicate=true", &["Copy"]),
        ("duplicate=false", &["Late", "Paid", "Phone", "Unknown"]),
        ("source=ad", &["Paid"]),
        ("source=search", &["Late"]),
        ("source=phone", &["Phone"]),
        ("source=direct", &["Unknown"]),
        ("source=email", &[]),
        ("campaign=Houston%20Fire", &["Paid"]),
        ("entry_page=%2F", &["Late"]),
        ("entry_page=unknown", &["Phone", "Unknown"]),
        ("within=true", &["Paid"]),
        ("within=false", &["Late"]),
        ("value=month", &["Paid"]),
        ("value=total", &[]),
        ("source=ad&within=false", &[]),
        ("q=%25", &[]),
        ("q=%22&source=ad", &[]),
        ("q=%20", &["Late", "Paid", "Phone", "Unknown"]),
    ] {
        let page = desk.get(&format!("/inbox?{query}")).await;
        let mut found = names(&page);
        found.sort();
        assert_eq!(found, expected, "{query}");
        let counts = page["counts"].as_object().unwrap().values();
        let counted: i64 = counts.map(|count| count.as_i64().unwrap()).sum();
        assert_eq!(counted, expected.len() as i64, "the counts of {query}");
        let export = desk.get(&format!("/export?format=json&{query}")).await;
        assert_eq!(export.as_array().unwrap().len(), expected.len(), "{query}");
    }
    for wrong in [
        "source=elephants",
        "within=maybe",
        "value=week",
        "reason=rain",
        "duplicate=2",
    ] {
        let path = format!("/inbox?{wrong}");
        let refused = desk.call(Method::GET, &path, None).await;
        assert_eq!(refused.status(), 400, "{wrong}");
    }
}

#[tokio::test]
async fn each_filter_selects_its_requests_and_the_counts_follow() {
    // Of November 20 at 23:30 in Chicago, and of 0:30.
    let app = TestApp::starting("2026-11-21T05:30:00.000Z", |_| {}).await;
    let early = json!({"last_name": "Early", "location": "Dallas, TX", "emergency_contact": false});
    let early = app.stored(early).await;
    app.clock.advance(HOUR);
    let urgent = json!({"last_name": "Urgent", "location": "Tampa, Florida 33601"});
    let urgent = app.stored(urgent).await;
    app.clock.advance(HOUR);
    let written = app
        .message(json!({"last_name": "Written", "service": "fire-watch"}))
        .await;
    let written = text(&written["id"]);
    app.clock.advance(4 * HOUR + HOUR / 2);
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    desk.patch(&early, json!({"assignee": "me"})).await;
    colleague
        .patch(&written, json!({"assignee": "me", "status": "in_progress"}))
        .await;

    let mine = format!("assignee={}", colleague.id);
    for (query, expected) in [
        ("", &["Early", "Urgent", "Written"][..]),
        ("service=fire-watch", &["Early", "Urgent", "Written"]),
        ("service=fire-watch&kind=quote", &["Early", "Urgent"]),
        ("service=event-security", &[]),
        ("state=tx", &["Early"]),
        ("state=FL", &["Urgent"]),
        ("state=FL&status=pending", &["Urgent"]),
        ("state=FL&status=completed", &[]),
        ("state=TX&attention=true", &["Early"]),
        ("state=TX&attention=false", &[]),
        ("assignee=me", &["Early"]),
        (&mine, &["Written"]),
        ("assignee=nobody", &["Urgent"]),
        ("status=in_progress", &["Written"]),
        ("from=2026-11-21", &["Urgent", "Written"]),
        ("to=2026-11-20", &["Early"]),
        ("from=2026-11-20&to=2026-11-20", &["Early"]),
        ("from=2026-11-21&to=2026-11-21&state=TX", &[]),
        ("overdue=true", &["Urgent"]),
        ("overdue=false", &["Early", "Written"]),
        ("emergency=true", &["Urgent"]),
        ("emergency=false", &["Early", "Written"]),
        ("answered=true", &[]),
        ("answered=false&state=TX", &["Early"]),
        ("held=true", &[]),
        ("attention=true", &["Early", "Urgent", "Written"]),
        ("attention=false", &[]),
        ("q=dallas", &["Early"]),
        ("q=dallas&state=FL", &[]),
        ("q=conc&assignee=nobody", &[]),
        (
            "emergency=true&overdue=true&state=FL&assignee=nobody&q=tampa",
            &["Urgent"],
        ),
    ] {
        let page = desk.get(&format!("/inbox?{query}")).await;
        let found = names(&page);
        let expected: BTreeSet<_> = expected.iter().copied().collect();
        assert_eq!(
            found.iter().map(String::as_str).collect::<BTreeSet<_>>(),
            expected,
            "{query}"
        );
        assert_eq!(found.len(), expected.len(), "{query}");
        if !query.contains("status=") {
            let counts = page["counts"].as_object().unwrap().values();
            let counted: i64 = counts.map(|count| count.as_i64().unwrap()).sum();
            assert_eq!(counted, expected.len() as i64, "the counts of {query}");
        }
    }
    // A day later, everything is overdue.
    app.clock.advance(24 * HOUR);
    let desk = desk.again(&app).await;
    let overdue = desk.get("/inbox?overdue=true").await;
    assert_eq!(overdue["requests"].as_array().unwrap().len(), 3);
    let (status, _) = desk.log_call(&urgent, "reached").await;
    assert_eq!(status, 201);
    assert_eq!(
        names(&desk.get("/inbox?overdue=true").await),
        ["Written", "Early"]
    );
    let answered = desk.get("/inbox?answered=true&state=FL").await;
    assert_eq!(names(&answered), ["Urgent"]);
    let waiting = desk.get("/inbox?answered=false").await;
    assert_eq!(names(&waiting), ["Written", "Early"]);
}

#[tokio::test]
async fn each_request_of_a_filter_is_counted() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    app.stored(json!({"location": "Tampa, FL"})).await;
    let copies = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 250)
        INSERT INTO requests (seq, kind, id, reference, created_at, updated_at, first_name,
          last_name, email, phone, service, location, state, start_date, duration)
        SELECT seq + n, kind, id || n, reference || n, created_at, updated_at, first_name,
          last_name, email, phone, service, location, state, start_date, duration
        FROM requests, n";
    app.sql(copies).await;
    for query in [
        "state=FL",
        "since=2026-11-01",
        "state=FL&since=2026-11-01",
        "q=tampa",
    ] {
        let page = desk.get(&format!("/inbox?{query}")).await;
        assert_eq!(page["counts"]["pending"], 251, "{query}");
        assert_eq!(page["counts_at_least"], false, "{query}");
    }
}

#[tokio::test]
async fn a_visitors_words_do_not_change_the_lists_that_a_request_is_in() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let words = "qqfheld qqfanswered QQFassigned qq\u{308}fmessage qqfcompleted qqfstatefl";
    app.stored(json!({"description": words, "emergency_contact": false}))
        .await;
    for query in [
        "attention=true",
        "assignee=nobody",
        "state=TX",
        "kind=quote&q=houston",
    ] {
        let page = desk.get(&format!("/inbox?{query}")).await;
        assert_eq!(names(&page).len(), 1, "{query}");
        assert_eq!(page["counts"]["pending"], 1, "{query}");
    }
    for query in [
        "held=true",
        "kind=message&status=pending",
        "state=FL",
        "status=completed",
    ] {
        let page = desk.get(&format!("/inbox?{query}")).await;
        assert_eq!(names(&page).len(), 0, "{query}");
        assert_eq!(page["counts"]["completed"], 0, "{query}");
    }
}

#[tokio::test]
async fn a_day_of_a_filter_is_one_of_the_companys_time_zone() {
    // Noon in London is 6:00 in Chicago and 21:00 in Tokyo.
    for (zone, on_the_20th, on_the_21st) in [
        ("America/Chicago", 1, 2),
        ("Europe/London", 0, 3),
        ("Asia/Tokyo", 0, 2),
    ] {
        let start = "2026-11-21T05:00:00.000Z";
        let app = TestApp::starting(start, |config| config.company.time_zone = zone.into()).await;
        for hours in [0, 7, 4] {
            app.clock.advance(hours * HOUR);
            app.stored(json!({})).await;
        }
        let desk = Dispatcher::of(&app).await;
        for (day, expected) in [("20", on_the_20th), ("21", on_the_21st)] {
            let day = format!("from=2026-11-{day}&to=2026-11-{day}");
            let page = desk.get(&format!("/inbox?{day}")).await;
            assert_eq!(names(&page).len(), expected, "{zone} {day}");
        }
    }
}

#[tokio::test]
async fn a_wrong_parameter_is_named() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    for (query, field) in [
        ("kind=email", "kind"),
        ("status=open", "status"),
        ("state=Texas", "state"),
        ("from=yesterday", "from"),
        ("from=2026-11-22&to=2026-11-21", "from"),
        ("to=2026-02-30", "to"),
        ("overdue=1", "overdue"),
        ("held=maybe", "held"),
        ("emergency=x", "emergency"),
        ("attention=y", "attention"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
    ] {
        let path = format!("/inbox?{query}");
        let answer = desk.call(Method::GET, &path, None).await;
        assert_eq!(answer.status(), 400, "{query}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(problem["fields"][0]["field"], field, "{query}");
    }
    let other = desk.get("/inbox?limit=1").await;
    assert!(other["next_cursor"].is_null());
    for cursor in ["w5", "x", "t"] {
        let path = format!("/inbox?cursor={cursor}");
        let answer = desk.call(Method::GET, &path, None).await;
        assert_eq!(answer.status(), 400, "{cursor}");
    }
}
