//! Quote requests that a dispatcher types while the customer talks.

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use super::{Dispatcher, names, text};
use crate::mail::acknowledgements::app_with;
use crate::support::app::TestApp;
use crate::support::visitors::quote;

impl Dispatcher {
    /// Stores a request by phone.
    async fn take(&self, key: &str, body: &Value) -> Response {
        let request = self.begin(Method::POST, "/inbox/phone");
        let request = request.header("idempotency-key", key).json(body);
        request.send().await.unwrap()
    }

    /// The request that was stored so.
    async fn taken(&self, key: &str, body: &Value) -> Value {
        let stored = self.take(key, body).await;
        assert_eq!(stored.status(), StatusCode::CREATED);
        stored.json().await.unwrap()
    }
}

#[tokio::test]
async fn a_request_by_phone_is_whose_took_the_call_and_waits_until_the_promise_is_kept() {
    let app = app_with(|_| {}).await;
    let desk = Dispatcher::of(&app).await;
    let mut typed = quote(json!({"last_name": "Caller", "emergency_contact": false}));
    let at = app.clock.now().plus_millis(3 * 3_600_000).to_string();
    typed["promise"] = json!(at);
    let stored = desk.taken("call-0001", &typed).await;
    assert_eq!(stored["assignee"]["id"], json!(desk.id));
    assert!(stored["answered_at"].is_null(), "talking is no answer");
    assert_eq!(stored["follow_up"]["at"], json!(at));
    let id = text(&stored["id"]);
    let attention =
        async |desk: &Dispatcher| desk.get("/inbox").await["views"]["attention"].clone();
    assert_eq!(
        attention(&desk).await,
        1,
        "it does not leave before its time"
    );
    app.clock.advance(4 * 3_600_000);
    let desk = desk.again(&app).await;
    app.run_timers().await;
    let request = desk.request(&id).await;
    assert_eq!(request["follow_up"]["due"], true);
    desk.log_call(&id, "reached").await;
    assert_eq!(attention(&desk).await, 0, "the promise is kept");

    // Kept before its time, it does not come back.
    typed["promise"] = json!(app.clock.now().plus_millis(3_600_000).to_string());
    let stored = desk.taken("call-0002", &typed).await;
    let id = text(&stored["id"]);
    desk.log_call(&id, "reached").await;
    let request = desk.request(&id).await;
    assert!(request["follow_up"].is_null(), "{request}");
}

#[tokio::test]
async fn a_number_a_name_and_what_is_needed_are_enough_on_the_phone() {
    let app = app_with(|_| {}).await;
    let desk = Dispatcher::of(&app).await;
    let typed = json!({
        "first_name": "Walter", "phone": "713 555 0188", "service_type": "fire-watch",
    });
    let stored = desk.take("call-0001", &typed).await;
    assert_eq!(stored.status(), StatusCode::CREATED);
    app.run_outbox().await;
    let mail = app.mailbox().pop().unwrap();
    let subject = mail.subject;
    assert!(subject.ends_with("Fire Watch, no place given"), "{subject}");
}

#[tokio::test]
async fn an_emergency_by_phone_raises_the_alarm_unless_the_typist_takes_it_on() {
    let app = app_with(|_| {}).await;
    let desk = Dispatcher::of(&app).await;
    let mut typed = quote(json!({"last_name": "Caller"}));
    let taken = desk.taken("call-0001", &typed).await;
    assert_eq!(taken["assignee"]["id"], json!(desk.id));
    typed["alarm"] = json!(true);
    let left = desk.taken("call-0002", &typed).await;
    assert!(
        left["assignee"].is_null() && left["answered_at"].is_null(),
        "{left}"
    );
    typed["promise"] = json!(app.clock.now().plus_millis(2 * 3_600_000).to_string());
    let refused = desk.take("call-0003", &typed).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_request_by_phone_is_stored_once_and_named_as_such_to_the_office() {
    let app = app_with(|_| {}).await;
    let desk = Dispatcher::of(&app).await;
    let mut typed = quote(json!({"last_name": "Caller"}));
    typed["acknowledge"] = json!(true);
    let mut ids = Vec::new();
    for _ in 0..2 {
        let stored = desk.taken("call-0001", &typed).await;
        assert_eq!(stored["source"], "phone");
        assert_eq!(stored["emergency_contact"], true);
        ids.push(text(&stored["id"]));
    }
    assert_eq!(ids[0], ids[1], "sent twice, stored once");
    typed["last_name"] = json!("Other");
    let reused = desk.take("call-0001", &typed).await;
    assert_eq!(reused.status(), StatusCode::CONFLICT);
    assert_eq!(names(&desk.get("/inbox").await), ["Caller"]);
    let request = desk.get(&format!("/inbox/{}", ids[0])).await;
    let taken = request["history"].as_array().unwrap();
    let taken = taken
        .iter()
        .find(|event| event["verb"] == "phoned")
        .unwrap();
    assert_eq!(taken["actor"]["id"], json!(desk.id), "who took the call");

    app.run_outbox().await;
    let mut emails: Vec<_> = app.mailbox().iter().map(|mail| mail.to.concat()).collect();
    emails.sort();
    assert_eq!(emails.len(), 2, "{emails:?}");
    assert!(emails.contains(&"maria@property.example".to_owned()));
    let office = app.mailbox().into_iter();
    let office = office.map(|mail| mail.subject).collect::<String>();
    assert!(
        office.contains("Quote request by phone: Fire Watch"),
        "{office}"
    );
    let exported = desk.get("/export?format=json").await;
    assert_eq!(exported[0]["source"], "phone");
}

#[tokio::test]
async fn a_request_by_phone_needs_no_address_and_sends_an_email_only_if_it_is_wanted() {
    let app = app_with(|_| {}).await;
    let desk = Dispatcher::of(&app).await;
    // More calls than a visitor may send, with words that would hold a visitor's request.
    for (number, email) in ["", "", "ann@site.example", "bob@site.example"]
        .into_iter()
        .enumerate()
    {
        let changes = json!({"email": email, "description": "Cheap SEO backlinks casino casino"});
        let stored = desk
            .take(&format!("call-000{number}"), &quote(changes))
            .await;
        assert_eq!(stored.status(), StatusCode::CREATED, "{number}");
        let stored: Value = stored.json().await.unwrap();
        assert_eq!(stored["held"], false);
    }
    app.run_outbox().await;
    let mails = app.mailbox().into_iter();
    let to: Vec<_> = mails.map(|mail| mail.to.concat()).collect();
    assert!(
        !to.concat().contains("site.example"),
        "the customers get none: {to:?}"
    );
    assert_eq!(to.len(), 4);

    // Two customers without an address are not one person.
    let page = desk.get("/inbox").await;
    let without = page["requests"].as_array().unwrap().last().unwrap();
    let id = text(&without["id"]);
    let reply = json!({"subject": "Hello", "text": "We will be there."});
    let (status, refused) = desk.on(&id, "replies", reply).await;
    assert_eq!(status, 409, "{refused}");
    assert!(text(&refused["detail"]).contains("no email address"));
}

#[tokio::test]
async fn customers_without_an_address_are_related_by_their_phone_number_only() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    for (number, phone) in ["713-555-0101", "713-555-0102", "+1 713 555 0101"]
        .into_iter()
        .enumerate()
    {
        let letter = "abc".get(number..=number).unwrap();
        let last_name = format!("C{letter}");
        let typed = quote(json!({"email": "", "phone": phone, "last_name": last_name}));
        desk.take(&format!("call-000{number}"), &typed).await;
    }
    let page = desk.get("/inbox?q=Ca").await;
    let first = text(&page["requests"][0]["id"]);
    let request = desk.request(&first).await;
    let related = request["related"].as_array().unwrap();
    let related: Vec<_> = related
        .iter()
        .map(|other| text(&other["last_name"]))
        .collect();
    assert_eq!(related, ["Cc"]);
}

#[tokio::test]
async fn the_office_may_write_what_visitors_may_not() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let words = "Gate 4; ask for \"Al\" -- he's there from 9";
    let typed = quote(json!({"description": words, "location": "Dock 3; Katy, TX 77449"}));
    let stored = desk.taken("call-0001", &typed).await;
    assert_eq!(stored["description"], words);
    assert_eq!(stored["location"], "Dock 3; Katy, TX 77449");
    let visitor = app.http.post(app.url("/api/quotes")).json(&typed);
    let refused = visitor.send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_request_by_phone_follows_the_rules_of_the_quote_form() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let typed = quote(json!({
        "email": "no address", "location": "", "start_date": "2020-01-01",
        "description": "<b>fat</b>"
    }));
    let refused = desk.take("call-0001", &typed).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let refused: Value = refused.json().await.unwrap();
    let fields = refused["fields"].as_array().unwrap();
    let fields: Vec<_> = fields.iter().map(|it| text(&it["field"])).collect();
    assert_eq!(fields, ["email", "start_date", "description"]);
    let typed = quote(json!({"acknowledge": "yes"}));
    let refused = desk.take("call-0001", &typed).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let visitor = app.http.post(app.url("/api/admin/inbox/phone"));
    let visitor = visitor.json(&typed).send().await.unwrap();
    assert_eq!(visitor.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(app.rows("quotes").await, 0);
}

#[tokio::test]
async fn what_was_typed_of_a_request_by_phone_is_kept_until_it_is_stored() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let draft = json!({"fields": {"firstName": "Mar", "location": "Katy"}});
    let path = "/inbox/phone/drafts/phone";
    let (status, kept) = desk.change(Method::PUT, path, draft).await;
    assert_eq!(status, 204, "{kept}");
    let kept = desk.get("/inbox/phone").await;
    assert_eq!(kept["draft"]["fields"]["firstName"], "Mar");
    let colleague = Dispatcher::colleague(&app).await;
    assert!(colleague.get("/inbox/phone").await["draft"].is_null());
    desk.take("call-0001", &quote(json!({}))).await;
    assert!(desk.get("/inbox/phone").await["draft"].is_null());
}
