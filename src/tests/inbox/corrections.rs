//! Reopening and withdrawing, drafts, and what a search finds beside the customer's words.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Dispatcher, names, text};
use crate::support::app::TestApp;

impl Dispatcher {
    async fn correct(&self, id: &str, correction: &str) -> (u16, Value) {
        let body = json!({"correction": correction, "reason": "The customer called again"});
        self.on(id, "corrections", body).await
    }
}

#[tokio::test]
async fn a_closed_request_is_reopened_as_it_was_and_one_in_progress_is_withdrawn() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    for (step, status) in [
        ("cancelled", "cancelled"),
        ("reopen", "pending"),
        ("in_progress", "in_progress"),
        ("completed", "completed"),
        ("reopen", "in_progress"),
        ("withdraw", "cancelled"),
        ("reopen", "in_progress"),
    ] {
        let (code, changed) = match step {
            "reopen" | "withdraw" => desk.correct(&id, step).await,
            status => desk.move_to(&id, status).await,
        };
        assert_eq!(
            (code, text(&changed["status"])),
            (200, status.to_owned()),
            "{step}: {changed}"
        );
    }
    let (status, refused) = desk.correct(&id, "reopen").await;
    assert_eq!(
        (status, &refused["current_status"]),
        (409, &json!("in_progress"))
    );
    let (verb, detail) = desk.history(&id).await.pop().unwrap();
    assert_eq!(
        (verb.as_str(), detail),
        (
            "moved",
            json!({
                "from": "cancelled", "to": "in_progress", "correction": "reopen",
                "reason": "The customer called again"
            })
        )
    );
    let (_, undone) = desk.on(&id, "undo", json!({})).await;
    assert_eq!(undone["status"], "cancelled");
    for (body, field) in [
        (json!({"correction": "reopen", "reason": " "}), "reason"),
        (json!({"correction": "delete", "reason": "x"}), "correction"),
    ] {
        let (status, refused) = desk.on(&id, "corrections", body).await;
        assert_eq!(
            (status, &refused["fields"][0]["field"]),
            (422, &json!(field))
        );
    }
}

#[tokio::test]
async fn a_draft_is_kept_for_its_writer_until_it_is_sent() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let id = app.stored(json!({})).await;
    let keep = async |form: &str, fields: Value| {
        let path = format!("/inbox/{id}/drafts/{form}");
        let body = json!({ "fields": fields });
        desk.change(Method::PUT, &path, body).await.0
    };
    let request = format!("/inbox/{id}");
    assert_eq!(keep("reply", json!({"text": "Hel"})).await, 204);
    assert_eq!(keep("reply", json!({"text": "Hello"})).await, 204);
    assert_eq!(keep("note", json!({"text": "Gate"})).await, 204);
    let drafts = desk.get(&request).await["drafts"].clone();
    let own = |form: &str| {
        let found = drafts.as_array().unwrap().iter();
        let mut found = found.filter(|draft| draft["form"] == form);
        found.next().map(|draft| draft["fields"].clone())
    };
    assert_eq!(own("reply"), Some(json!({"text": "Hello"})));
    assert_eq!(own("note"), Some(json!({"text": "Gate"})));
    assert_eq!(colleague.get(&request).await["drafts"], json!([]));
    let listed = async |of: &Dispatcher| {
        let page = of.get("/inbox").await;
        page["requests"][0]["drafted"].clone()
    };
    assert_eq!(
        (listed(&desk).await, listed(&colleague).await),
        (json!(true), json!(false))
    );

    let reply = json!({"subject": "Your request", "text": "Hello"});
    desk.post(&format!("{request}/replies"), reply).await;
    assert_eq!(keep("note", json!({"text": ""})).await, 204);
    assert_eq!(desk.get(&request).await["drafts"], json!([]));
    assert_eq!(
        keep("reply", json!({"subject": "Guards", "text": " "})).await,
        204
    );
    assert_eq!(
        listed(&desk).await,
        json!(false),
        "nothing is written but a subject"
    );
    assert_eq!(keep("sms", json!({"text": "x"})).await, 422);
    assert_eq!(keep("note", json!({"text": 7})).await, 422);
    assert_eq!(keep("note", json!({"text": "x".repeat(20_001)})).await, 422);
}

#[tokio::test]
async fn a_search_finds_phone_numbers_in_every_spelling_and_what_the_office_wrote() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    for (name, phone) in [("Local", "(713) 555-0188"), ("Abroad", "+44 20 7946 0958")] {
        app.stored(json!({"last_name": name, "phone": phone})).await;
    }
    app.message(json!({"last_name": "Long", "phone": "1-713-555-0188", "company": "Bayou Lofts"}))
        .await;
    for (search, found) in [
        ("%2B17135550188", &["Long", "Local"][..]),
        ("1 713 555 0188", &["Long", "Local"]),
        ("(713) 555-0188", &["Long", "Local"]),
        ("5550188", &["Long", "Local"]),
        ("555-0188", &["Long", "Local"]),
        ("011 44 20 7946 0958", &["Abroad"]),
        ("lofts", &["Long"]),
        ("7135550199", &[]),
    ] {
        let page = desk.get(&format!("/inbox?q={search}")).await;
        assert_eq!(names(&page), found, "{search}");
    }
    let page = desk.get("/inbox?q=abroad").await;
    let id = text(&page["requests"][0]["id"]);
    for (path, body) in [
        ("notes", json!({"text": "Zeppelin hangar"})),
        (
            "calls",
            json!({"outcome": "no_answer", "note": "Marigold reception"}),
        ),
        (
            "replies",
            json!({"subject": "Kestrel", "text": "We ask about the quayside."}),
        ),
    ] {
        desk.post(&format!("/inbox/{id}/{path}"), body).await;
    }
    for search in ["zeppelin", "marigold", "kestrel", "quayside", "zepp"] {
        let page = desk.get(&format!("/inbox?q={search}")).await;
        assert_eq!(names(&page), ["Abroad"], "{search}");
    }
}
