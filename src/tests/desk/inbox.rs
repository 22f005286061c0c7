//! The list: order, filters, counts, search and single requests.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Dispatcher, names, text};
use crate::app::TestApp;

const HOUR: i64 = 3_600_000;

/// All pages of a list, `limit` requests each.
async fn all_pages(app: &TestApp, desk: &Dispatcher, query: &str, limit: usize) -> Vec<String> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/inbox?{query}&limit={limit}&cursor={cursor}");
        let page = desk.get(app, &path).await;
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
    assert_eq!(all_pages(&app, &desk, "", 5).await, newest_first);
    assert_eq!(
        all_pages(&app, &desk, "status=pending", 5).await,
        newest_first
    );
    let odd: Vec<_> = newest_first.iter().step_by(2).cloned().collect();
    assert_eq!(all_pages(&app, &desk, "kind=message", 4).await, odd);
    assert_eq!(all_pages(&app, &desk, "kind=message&q=smi", 4).await, odd);
    assert_eq!(all_pages(&app, &desk, "q=concert", 4).await, odd);
    let even: Vec<_> = newest_first.iter().skip(1).step_by(2).cloned().collect();
    assert_eq!(all_pages(&app, &desk, "kind=quote", 4).await, even);
    assert_eq!(
        all_pages(&app, &desk, "kind=quote&status=pending", 4).await,
        even
    );
    let page = desk.get(&app, "/inbox?kind=quote&limit=1").await;
    assert_eq!(page["counts"]["pending"], 6);
    let views = json!({"quotes": 6, "attention": 12, "messages": 6, "everything": 12, "held": 0});
    assert_eq!(page["views"], views);
    // The list of quotes has no messages in it.
    let quotes = desk.get(&app, "/quotes?q=smi").await;
    assert_eq!(quotes["quotes"].as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn each_filter_selects_its_requests_and_the_counts_follow() {
    // 6:00 on November 21 in Chicago.
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    // 23:30 of the day before, and 0:30.
    app.clock.advance(-6 * HOUR - HOUR / 2);
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
    desk.patch(&app, &early, json!({"assignee": "me"})).await;
    colleague
        .patch(
            &app,
            &written,
            json!({"assignee": "me", "status": "in_progress"}),
        )
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
        let page = desk.get(&app, &format!("/inbox?{query}")).await;
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
    let overdue = desk.get(&app, "/inbox?overdue=true").await;
    assert_eq!(overdue["requests"].as_array().unwrap().len(), 3);
    let (status, _) = desk
        .post(
            &app,
            &format!("/inbox/{urgent}/calls"),
            json!({"outcome": "reached"}),
        )
        .await;
    assert_eq!(status, 201);
    assert_eq!(
        names(&desk.get(&app, "/inbox?overdue=true").await),
        ["Written", "Early"]
    );
}

#[tokio::test]
async fn the_view_of_what_needs_attention_is_in_the_order_of_the_due_times() {
    let app = TestApp::with(|config| {
        config.desk.answer_hours = 2;
        config.desk.emergency_minutes = 60;
    })
    .await;
    // Due 2:00, 1:30, 3:00, 2:30 after the start; the message at the same time as the third.
    for (name, emergency) in [("A", false), ("B", true), ("C", false), ("D", true)] {
        let name = format!("Smith{name}");
        app.stored(json!({"last_name": name, "emergency_contact": emergency}))
            .await;
        app.clock.advance(HOUR / 2);
    }
    app.clock.advance(-HOUR);
    let desk = Dispatcher::of(&app).await;
    app.message(json!({"last_name": "SmithM"})).await;
    let done = app.stored(json!({"last_name": "Done"})).await;
    desk.patch(&app, &done, json!({"status": "cancelled"}))
        .await;
    let by_due = ["SmithB", "SmithA", "SmithD", "SmithC", "SmithM"];
    for limit in 1..6 {
        let found = all_pages(&app, &desk, "attention=true", limit).await;
        assert_eq!(found, by_due, "{limit} per page");
    }
    assert_eq!(
        all_pages(&app, &desk, "attention=true&q=smi", 2).await,
        by_due
    );
    assert_eq!(
        all_pages(&app, &desk, "attention=true&emergency=true", 2).await,
        ["SmithB", "SmithD"]
    );
    let page = desk.get(&app, "/inbox?attention=true&limit=1").await;
    assert_eq!(page["requests"][0]["due_at"], "2026-11-21T13:30:00.000Z");
    assert_eq!(page["views"]["attention"], 5);
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
        let found = desk.get(&app, &format!("/inbox/{typed}")).await;
        assert_eq!(found["id"], first["id"], "{typed}");
        assert_eq!(found["kind"], "message");
        let related = found["related"].as_array().unwrap();
        let related: Vec<_> = related.iter().map(|other| text(&other["id"])).collect();
        assert_eq!(related, [third.as_str(), &second]);
        let listed = desk.get(&app, &format!("/inbox?q={typed}")).await;
        assert_eq!(listed["requests"][0]["id"], first["id"], "{typed}");
    }
    for unknown in [
        "GP-ZZZZ",
        "zzzz",
        "0192f1de-7b5a-7000-8000-000000000001",
        "nothing",
    ] {
        let path = format!("/inbox/{unknown}");
        let answer = desk.call(&app, Method::GET, &path, None).await;
        assert_eq!(answer.status(), 404, "{unknown}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(
            problem["detail"],
            "There is no request with this id or reference."
        );
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
        let page = desk.get(&app, &format!("/inbox?{query}")).await;
        assert_eq!(names(&page).len(), 1, "{query}");
        assert_eq!(page["counts"]["pending"], 1, "{query}");
    }
    for query in [
        "held=true",
        "kind=message&status=pending",
        "state=FL",
        "status=completed",
    ] {
        let page = desk.get(&app, &format!("/inbox?{query}")).await;
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
        let app = TestApp::with(|config| config.company.time_zone = zone.into()).await;
        for hours in [-7, 7, 4] {
            app.clock.advance(hours * HOUR);
            app.stored(json!({})).await;
        }
        let desk = Dispatcher::of(&app).await;
        for (day, expected) in [("20", on_the_20th), ("21", on_the_21st)] {
            let day = format!("from=2026-11-{day}&to=2026-11-{day}");
            let page = desk.get(&app, &format!("/inbox?{day}")).await;
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
        let answer = desk.call(&app, Method::GET, &path, None).await;
        assert_eq!(answer.status(), 400, "{query}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(problem["fields"][0]["field"], field, "{query}");
    }
    let other = desk.get(&app, "/inbox?limit=1").await;
    assert!(other["next_cursor"].is_null());
    for cursor in ["w5", "x", "t"] {
        let path = format!("/inbox?cursor={cursor}");
        let answer = desk.call(&app, Method::GET, &path, None).await;
        assert_eq!(answer.status(), 400, "{cursor}");
    }
}

#[tokio::test]
async fn only_an_admin_can_use_the_desk() {
    let app = TestApp::start().await;
    let id = app.stored(json!({})).await;
    let member = Dispatcher {
        token: app.member().await.access_token,
        id: String::new(),
    };
    let stranger = Dispatcher {
        token: "nonsense".into(),
        id: String::new(),
    };
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
            let answer = who.call(&app, method.clone(), path, body.clone()).await;
            assert_eq!(answer.status(), status, "{method} {path}");
        }
    }
    assert_eq!(app.rows("events").await, 0);
}
