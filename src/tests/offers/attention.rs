//! What the desk sees of an offer: an acceptance waits for a person, outcomes fill themselves in,
//! and a press on the page says that a person reads it.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Desk, HOUR, SECOND, acceptance, link};

impl Desk {
    pub(super) async fn accept(&self, offer: &Value) {
        let posted = self
            .post_form(&link(offer), "203.0.113.9", &acceptance(&[]))
            .await;
        assert_eq!(posted.status(), 303);
    }

    /// The request of an offer as the list shows it among those that need attention, if it does.
    async fn in_attention(&self, offer: &Value) -> Option<Value> {
        let list = self.get("/inbox?attention=true").await;
        let requests = list["requests"].as_array().unwrap().clone();
        assert_eq!(list["views"]["attention"], requests.len());
        let mut found = requests.into_iter();
        found.find(|request| request["id"] == offer["request"]["id"])
    }

    async fn request_of(&self, offer: &Value) -> Value {
        let id = offer["request"]["id"].as_str().unwrap();
        self.get(&format!("/inbox/{id}")).await
    }

    async fn on_request(&self, offer: &Value, method: Method, path: &str, body: Value) -> Value {
        let id = offer["request"]["id"].as_str().unwrap();
        let (status, answer) = self.send(method, &format!("/inbox/{id}{path}"), body).await;
        assert!((200..300).contains(&status), "{path}: {status} {answer}");
        answer
    }

    async fn close(&self, offer: &Value) {
        if self.request_of(offer).await["status"] == "pending" {
            let accept = json!({ "status": "in_progress" });
            self.on_request(offer, Method::PATCH, "", accept).await;
        }
        let complete = json!({ "status": "completed" });
        self.on_request(offer, Method::PATCH, "", complete).await;
    }

    async fn reopen(&self, offer: &Value) {
        let reopen = json!({ "correction": "reopen", "reason": "They want another offer" });
        self.on_request(offer, Method::POST, "/corrections", reopen)
            .await;
    }

    /// A delivered offer whose request an admin has taken, so that nothing waits.
    async fn quiet(&self) -> Value {
        let begun =
            self.begun_for(json!({ "start_date": "2026-12-08", "emergency_contact": false }));
        let offer = self.sent(&begun.await).await;
        self.app.clock.advance(10 * SECOND);
        self.app.run_outbox().await;
        let taken = json!({ "status": "in_progress", "assignee": "me" });
        self.on_request(&offer, Method::PATCH, "", taken).await;
        assert_eq!(self.in_attention(&offer).await, None);
        offer
    }
}

#[tokio::test]
async fn an_accepted_offer_needs_attention_until_a_person_has_confirmed_it() {
    let desk = Desk::open().await;
    let offer = desk.quiet().await;
    desk.app.clock.advance(HOUR);
    desk.accept(&offer).await;
    let shown = desk.in_attention(&offer).await.unwrap();
    assert_eq!(shown["offer"]["state"], "accepted");
    assert_eq!(shown["offer"]["is_unconfirmed"], true);
    assert_eq!(shown["unread"], true);
    assert!(shown["waiting_since"].is_string(), "{shown}");

    // Neither opening it, nor a call or a reply about it, confirms it.
    desk.on_request(&offer, Method::POST, "/read", json!({}))
        .await;
    let call = json!({ "outcome": "reached" });
    desk.on_request(&offer, Method::POST, "/calls", call).await;
    let reply = json!({ "subject": "Thank you", "text": "We call you." });
    desk.on_request(&offer, Method::POST, "/replies", reply)
        .await;
    desk.app.clock.advance(10 * SECOND);
    desk.app.run_outbox().await;
    assert!(desk.in_attention(&offer).await.is_some());

    let confirmed = desk.on_offer(&offer, "confirm", json!({})).await;
    assert_eq!(confirmed["is_unconfirmed"], false);
    assert_eq!(desk.in_attention(&offer).await, None);
    desk.on_offer(&offer, "confirm", json!({})).await;
    let verbs = desk.verbs(&offer).await;
    let confirmations = verbs.iter().filter(|verb| *verb == "offer_confirmed");
    assert_eq!(confirmations.count(), 1, "once");
    desk.on_request(&offer, Method::POST, "/undo", json!({}))
        .await;
    assert!(
        desk.in_attention(&offer).await.is_some(),
        "the press is undone"
    );
}

#[tokio::test]
async fn an_acceptance_accepts_its_request_and_taking_that_confirms_nothing() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    assert_eq!(desk.request_of(&offer).await["status"], "pending");
    desk.accept(&offer).await;
    let request = desk.request_of(&offer).await;
    assert_eq!(request["status"], "in_progress");
    let history = request["history"].as_array().unwrap();
    let moved: Vec<&Value> = history.iter().filter(|it| it["verb"] == "moved").collect();
    assert_eq!(moved.len(), 1, "{history:?}");
    assert_eq!(moved[0]["actor"], Value::Null);
    assert_eq!(
        moved[0]["detail"],
        json!({ "from": "pending", "to": "in_progress", "offer": offer["number"] })
    );
    // Nobody can undo what the customer has done.
    let id = offer["request"]["id"].as_str().unwrap();
    let undo = format!("/inbox/{id}/undo");
    let undone = desk
        .send(Method::POST, &undo, json!({ "event": moved[0]["id"] }))
        .await;
    assert_eq!(undone.0, 409, "{}", undone.1);

    let call = json!({ "outcome": "reached" });
    desk.on_request(&offer, Method::POST, "/calls", call).await;
    let take = json!({ "assignee": "me" });
    desk.on_request(&offer, Method::PATCH, "", take).await;
    assert!(desk.in_attention(&offer).await.is_some(), "not staffed yet");
}

#[tokio::test]
async fn completing_the_request_confirms_what_was_accepted_and_the_undo_takes_that_back() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    desk.accept(&offer).await;
    let call = json!({ "outcome": "reached" });
    desk.on_request(&offer, Method::POST, "/calls", call).await;
    let complete = json!({ "status": "completed" });
    desk.on_request(&offer, Method::PATCH, "", complete).await;
    assert_eq!(desk.offer(&offer).await["is_unconfirmed"], false);
    desk.on_request(&offer, Method::POST, "/undo", json!({}))
        .await;
    assert!(desk.in_attention(&offer).await.is_some());
}

#[tokio::test]
async fn an_answer_that_the_office_enters_accepts_the_request_too() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let spoken = json!({ "version": 1, "answer": "accepted", "note": "By phone" });
    desk.on_offer(&offer, "answer", spoken).await;
    let request = desk.request_of(&offer).await;
    assert_eq!(
        (&request["status"], &request["outcome"]["outcome"]),
        (&json!("in_progress"), &json!("won"))
    );
}

#[tokio::test]
async fn an_offer_that_was_not_accepted_has_nothing_to_confirm_and_the_office_confirms_its_own() {
    let desk = Desk::open().await;
    let offer = desk.quiet().await;
    let (status, problem) = desk.try_offer(&offer, "confirm", json!({})).await;
    assert_eq!(status, 409, "{problem}");
    let spoken = json!({ "version": 1, "answer": "accepted", "note": "By phone" });
    let answered = desk.on_offer(&offer, "answer", spoken).await;
    assert_eq!(answered["is_unconfirmed"], false);
    assert_eq!(desk.in_attention(&offer).await, None);
}

#[tokio::test]
async fn an_acceptance_opens_a_closed_request_and_one_that_was_merged_is_seen_where_it_is_shown() {
    let desk = Desk::open().await;
    let offer = desk.quiet().await;
    desk.on_request(&offer, Method::PATCH, "", json!({ "status": "completed" }))
        .await;
    desk.accept(&offer).await;
    let shown = desk.in_attention(&offer).await.unwrap();
    assert_eq!(shown["status"], "in_progress");

    let offer = desk.quiet().await;
    let kept = desk.quiet().await;
    let other = json!({ "request": offer["request"]["id"] });
    let merged = desk.on_request(&kept, Method::POST, "/merge", other).await;
    let (shown, hidden) = match merged["id"] == kept["request"]["id"] {
        true => (&kept, &offer),
        false => (&offer, &kept),
    };
    desk.accept(hidden).await;
    assert!(desk.in_attention(shown).await.is_some());
    let separate = json!({ "request": hidden["request"]["id"] });
    desk.on_request(shown, Method::POST, "/separate", separate)
        .await;
    assert!(
        desk.in_attention(hidden).await.is_some(),
        "it waits on its own"
    );
}

#[tokio::test]
async fn an_answer_fills_in_the_outcome_with_its_value_and_period_or_its_reason() {
    let desk = Desk::open().await;
    let offer = desk.quiet().await;
    let total = offer["versions"][0]["total_cents"].as_i64().unwrap();
    desk.accept(&offer).await;
    let open = desk.request_of(&offer).await;
    assert_eq!(open["outcome"]["outcome"], "won", "signed is won: {open}");
    assert_eq!(open["outcome"]["won_at"], "2026-11-21T12:00:10.000Z");
    assert_eq!(
        desk.get("/inbox?outcome=won").await["counts"]["in_progress"],
        1
    );
    desk.close(&offer).await;
    let value = format!("{}.{:02}", total / 100, total % 100);
    let outcome = desk.request_of(&offer).await["outcome"].clone();
    assert_eq!(
        (&outcome["outcome"], &outcome["value"], &outcome["per"]),
        (&json!("won"), &json!(value), &json!("total"))
    );

    let begun = desk.begun_for(json!({ "start_date": "2026-12-08", "duration": "ongoing" }));
    let offer = desk.sent(&begun.await).await;
    let week = offer["versions"][0]["total_cents"].as_i64().unwrap();
    assert_eq!(offer["versions"][0]["is_weekly"], true);
    desk.accept(&offer).await;
    desk.close(&offer).await;
    let outcome = desk.request_of(&offer).await["outcome"].clone();
    let cents = (week * 52 * 2 + 12) / 24;
    assert_eq!(
        outcome["value"],
        format!("{}.{:02}", cents / 100, cents % 100)
    );
    assert_eq!(outcome["per"], "month");

    let offer = desk.quiet().await;
    let fields = [
        ("answer", "decline".to_owned()),
        ("reason", "Over our budget".to_owned()),
    ];
    desk.post_form(&link(&offer), "203.0.113.9", &fields.into())
        .await;
    desk.close(&offer).await;
    let outcome = desk.request_of(&offer).await["outcome"].clone();
    assert_eq!(
        (&outcome["outcome"], &outcome["reason"], &outcome["words"]),
        (&json!("lost"), &json!("price"), &json!("Over our budget"))
    );
    desk.reopen(&offer).await;
    let offer = desk.sent(&desk.offer(&offer).await).await;
    desk.close(&offer).await;
    let request = desk.request_of(&offer).await;
    assert_eq!(request["outcome"], Value::Null, "a new version waits");
    desk.accept(&offer).await;
    desk.close(&offer).await;
    assert_eq!(desk.request_of(&offer).await["outcome"]["outcome"], "won");
}

#[tokio::test]
async fn the_first_press_of_a_person_on_the_page_is_an_event_and_opening_the_link_is_none() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let opened = async || {
        let verbs = desk.verbs(&offer).await;
        verbs.iter().filter(|verb| *verb == "offer_opened").count()
    };
    desk.page(&link(&offer)).await;
    assert_eq!(opened().await, 0, "a mail scanner does that");
    desk.app.clock.advance(HOUR);
    let pressed = [("answer", "opened".to_owned())].into();
    for _ in 0..2 {
        let posted = desk.post_form(&link(&offer), "203.0.113.9", &pressed).await;
        assert_eq!(posted.status(), 204);
    }
    assert_eq!(opened().await, 1, "the first only");
    let read = desk.offer(&offer).await;
    assert_eq!(read["versions"][0]["opened_at"], "2026-11-21T13:00:10.000Z");
    assert_eq!(read["state"], "sent");
    let script = desk.app.http.get(desk.app.url("/offer/page.js"));
    let script = script.send().await.unwrap().text().await.unwrap();
    assert!(script.contains("isTrusted"), "{script}");
}
