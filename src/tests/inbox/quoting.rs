//! Contact messages that become quote requests.

use serde_json::{Value, json};

use super::{Dispatcher, names, text};
use crate::support::app::TestApp;

impl Dispatcher {
    async fn make_quote(&self, id: &str) -> (u16, Value) {
        self.on(id, "quote", json!({})).await
    }
}

#[tokio::test]
async fn a_message_becomes_a_quote_request_with_everything_kept_and_can_have_an_offer() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let receipt = app.message(json!({"last_name": "Asker"})).await;
    let id = text(&receipt["id"]);
    let reply = json!({"subject": "Your question", "text": "When do doors open?"});
    desk.on(&id, "replies", reply).await;
    let note = json!({"text": "Gate code 7"});
    desk.on(&id, "notes", note).await;
    let at = app.clock.now().plus_millis(3_600_000).to_string();
    let reminder = json!({ "at": at });
    let path = format!("/inbox/{id}/follow-up");
    desk.change(reqwest::Method::PUT, &path, reminder).await;
    let before = desk.request(&id).await;
    let (status, made) = desk.make_quote(&id).await;
    assert_eq!((status, &made["kind"]), (200, &json!("quote")), "{made}");
    assert_eq!(made["service"], "event-security", "of the quote form");
    for kept in [
        "id",
        "reference",
        "created_at",
        "first_name",
        "email",
        "phone",
        "description",
        "follow_up",
        "assignee",
    ] {
        assert_eq!(made[kept], before[kept], "{kept}");
    }
    let history = desk.history(&id).await;
    let verbs: Vec<_> = history.iter().map(|(verb, _)| verb.as_str()).collect();
    assert_eq!(verbs, ["replied", "noted", "follow_up_set", "made_quote"]);
    for (query, found) in [
        ("kind=quote&q=Asker", 1),
        ("kind=message&q=Asker", 0),
        ("q=gate", 1),
    ] {
        let page = desk.get(&format!("/inbox?{query}")).await;
        assert_eq!(names(&page).len(), found, "{query}");
    }
    let page = desk.get("/inbox").await;
    assert_eq!(
        (&page["views"]["quotes"], &page["views"]["messages"]),
        (&json!(1), &json!(0))
    );
    let record = desk.get(&format!("/quotes/{id}")).await;
    assert_eq!(record["service_type"], "event-security");
    let (status, again) = desk.make_quote(&id).await;
    assert_eq!((status, &again["event"]), (200, &Value::Null));

    let (status, offer) = desk.on(&id, "offers", json!({})).await;
    assert_eq!(status, 201, "{offer}");
    let (status, refused) = desk.undo(&id, &made["event"]).await;
    assert_eq!(status, 409, "it has an offer: {refused}");
}

#[tokio::test]
async fn a_quote_request_that_was_a_message_is_one_again_after_an_undo() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let receipt = app.message(json!({"last_name": "Asker"})).await;
    let id = text(&receipt["id"]);
    let before = desk.request(&id).await;
    let (_, made) = desk.make_quote(&id).await;
    let (status, undone) = desk.undo(&id, &made["event"]).await;
    assert_eq!(
        (status, &undone["kind"]),
        (200, &json!("message")),
        "{undone}"
    );
    for field in ["service", "location", "start_date", "duration"] {
        assert_eq!(undone[field], before[field], "{field}");
    }
    let page = desk.get("/inbox?kind=message").await;
    assert_eq!(page["views"]["messages"], 1);

    // What was filled in since is not lost.
    let (_, made) = desk.make_quote(&id).await;
    let to = json!({ "to": { "location": "Katy, TX 77449" } });
    let path = format!("/inbox/{id}/fields");
    desk.change(reqwest::Method::PATCH, &path, to).await;
    let (status, refused) = desk.undo(&id, &made["event"]).await;
    assert_eq!(status, 409, "{refused}");
}

#[tokio::test]
async fn the_office_learns_of_a_message_that_became_a_quote_request_before_its_email_was_written() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let receipt = app.message(json!({"last_name": "Asker"})).await;
    desk.make_quote(&text(&receipt["id"])).await;
    app.run_outbox().await;
    let subjects = app.mailbox().into_iter().map(|mail| mail.subject);
    let subjects: Vec<String> = subjects.collect();
    let of_office = "Quote request: Event Security, no place given";
    assert!(subjects.iter().any(|it| it == of_office), "{subjects:?}");
    assert_eq!(app.rows("outbox WHERE state = 'failed'").await, 0);
}

#[tokio::test]
async fn a_held_message_is_released_before_it_becomes_a_quote_request() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let receipt = app.message(json!({})).await;
    let id = text(&receipt["id"]);
    desk.on(&id, "spam", json!({})).await;
    let (status, refused) = desk.make_quote(&id).await;
    assert_eq!((status, &refused["code"]), (409, &json!("held")));
}
