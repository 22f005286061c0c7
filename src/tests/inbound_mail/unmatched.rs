//! Emails that belong to no request.

use reqwest::Method;
use serde_json::{Value, json};

use super::desk::Desk;

/// A new email of the customer, to the office.
async fn new_email(desk: &Desk, number: u32) -> String {
    desk.receive(desk.stray(&desk.answer(number, "a new question")))
        .await;
    let list = desk.get("/api/admin/unmatched").await;
    list["emails"][0]["id"].as_str().unwrap().to_owned()
}

async fn post(desk: &Desk, path: String, body: Value) -> (u16, Value) {
    let response = desk.call(Method::POST, &path, body).await;
    let status = response.status().as_u16();
    (status, response.json().await.unwrap_or_default())
}

#[tokio::test]
async fn an_email_without_a_request_is_attached_by_one_call() {
    let desk = Desk::start().await;
    let email = new_email(&desk, 1).await;
    let list = desk.get("/api/admin/unmatched").await;
    assert_eq!(list["count"], 1);
    assert_eq!(list["emails"][0]["detail"]["text"], "a new question");
    let path = format!("/api/admin/unmatched/{email}/attach");
    let reference = desk.request().await["reference"].clone();
    let (status, _) = post(&desk, path.clone(), json!({"request": "GP-ZZZZ"})).await;
    assert_eq!(status, 422);
    let (status, _) = post(&desk, path.clone(), json!({})).await;
    assert_eq!(status, 422);
    let (status, event) = post(&desk, path.clone(), json!({"request": reference})).await;
    assert_eq!(status, 201, "{event}");
    assert_eq!(event["verb"], "wrote");
    assert!(desk.request().await["waiting_since"].is_string());
    assert_eq!(desk.get("/api/admin/unmatched").await["count"], 0);
    let (status, _) = post(&desk, path, json!({"request": reference})).await;
    assert_eq!(status, 404, "a colleague was faster");
    assert_eq!(
        desk.app.rows("audit WHERE action = 'email_attached'").await,
        1
    );
}

#[tokio::test]
async fn an_answer_to_an_attached_email_belongs_to_the_same_request() {
    let desk = Desk::start().await;
    let email = new_email(&desk, 1).await;
    let path = format!("/api/admin/unmatched/{email}/attach");
    post(&desk, path, json!({"request": desk.id})).await;
    let next = desk
        .answer(2, "and another")
        .replace(&desk.facts.signed, "office@x.example");
    desk.receive(next.replace(&desk.facts.ours, "<m1@property.example>"))
        .await;
    assert_eq!(desk.events("wrote").await.len(), 2);
}

#[tokio::test]
async fn a_contact_message_is_made_of_an_email_without_any_email_to_anybody() {
    let desk = Desk::start().await;
    let email = new_email(&desk, 1).await;
    let before = desk.app.rows("outbox").await;
    let path = format!("/api/admin/unmatched/{email}/request");
    let (status, made) = post(&desk, path, json!({})).await;
    assert_eq!(status, 201, "{made}");
    let request = desk
        .get(&format!(
            "/api/admin/inbox/{}",
            made["id"].as_str().unwrap()
        ))
        .await;
    assert_eq!(request["kind"], "message");
    assert_eq!(request["email"], desk.facts.customer);
    assert_eq!(request["first_name"], "Maria");
    assert_eq!(request["description"], "a new question");
    assert_eq!(desk.app.rows("outbox").await, before);
    assert_eq!(desk.get("/api/admin/unmatched").await["count"], 0);
}

#[tokio::test]
async fn a_discarded_email_can_be_taken_back_until_it_is_deleted() {
    let mut desk = Desk::start().await;
    let email = new_email(&desk, 1).await;
    let path = |action: &str| format!("/api/admin/unmatched/{email}/{action}");
    assert_eq!(post(&desk, path("discard"), json!({})).await.0, 204);
    assert_eq!(desk.get("/api/admin/unmatched").await["count"], 0);
    let discarded = desk.get("/api/admin/unmatched?show=discarded").await;
    assert_eq!(discarded["emails"].as_array().unwrap().len(), 1);
    assert_eq!(post(&desk, path("restore"), json!({})).await.0, 204);
    assert_eq!(desk.get("/api/admin/unmatched").await["count"], 1);
    desk.app.clock.advance(31 * 24 * 60 * 60 * 1000);
    desk.sign_in().await;
    desk.app.inbound.purge().await;
    assert_eq!(
        desk.app.rows("received_emails").await,
        1,
        "an email that waits is kept"
    );
    assert_eq!(post(&desk, path("discard"), json!({})).await.0, 204);
    desk.app.inbound.purge().await;
    assert_eq!(desk.app.rows("received_emails").await, 0);
    assert_eq!(desk.app.rows("objects WHERE bucket_id = 'mail'").await, 0);
}

#[tokio::test]
async fn what_may_be_a_persons_is_not_deleted_until_it_is_discarded() {
    let desk = Desk::start().await;
    let plain = |n: u32, head: &str, subject: &str| {
        let email = desk.email(n, head, "eve@x.example", "", "words");
        desk.stray(&email.replace("Re: Your request", subject))
    };
    let robot = "Auto-Submitted: auto-generated\n";
    for email in [
        plain(1, "", "A question"),
        plain(2, "List-Id: <news.x.example>\n", "Sent by a service"),
        plain(3, "", "Automatic reply: away"),
        plain(4, "", "Mail delivery failed: returning message to sender"),
        plain(5, robot, "Weekly news"),
    ] {
        desk.receive(email).await;
    }
    desk.app.clock.advance(31 * 24 * 60 * 60 * 1000);
    desk.app.inbound.purge().await;
    assert_eq!(desk.app.rows("received_emails").await, 4);
    assert_eq!(
        desk.app
            .rows("received_emails WHERE class = 'automatic'")
            .await,
        0
    );
}

#[tokio::test]
async fn an_email_of_a_person_without_a_request_counts_in_needs_attention() {
    let desk = Desk::start().await;
    let views = async || desk.get("/api/admin/inbox?attention=true").await["views"].clone();
    assert_eq!(views().await["attention"], 0);
    let email = new_email(&desk, 1).await;
    assert_eq!(views().await["attention"], 1);
    assert_eq!(views().await["unmatched"], 1);
    let path = format!("/api/admin/unmatched/{email}/discard");
    assert_eq!(post(&desk, path, json!({})).await.0, 204);
    assert_eq!(views().await["attention"], 0);
    let list = desk.get("/api/admin/unmatched").await;
    assert_eq!((&list["count"], &list["discarded"]), (&json!(0), &json!(1)));
}

/// A lead, as portals send them.
const LEAD: &str = "From: Leads <no-reply@portal.example>\nReply-To: Bob Lee <bob@site.example>\n\
    To: office@guardpost.example\nSubject: New lead\nMessage-ID: <lead1@portal.example>\n\n\
    Phone: (214) 555-0123\nService: Fire watch\nCity: Dallas\nState: TX\n\
    Start date: 2030-01-02\nDuration: 1 week\nComments: 2 guards at the \"north\" gate.\n";

#[tokio::test]
async fn a_quote_request_is_made_of_an_email_with_what_it_says() {
    let desk = Desk::start().await;
    desk.receive(LEAD).await;
    let before = desk.app.rows("outbox").await;
    let list = desk.get("/api/admin/unmatched").await;
    let id = list["emails"][0]["id"].as_str().unwrap();
    let path = format!("/api/admin/unmatched/{id}");
    let read = desk.get(&format!("{path}/fields")).await;
    let mut fields = read["fields"].clone();
    for (key, value) in [
        ("first_name", "Bob"),
        ("last_name", "Lee"),
        ("email", "bob@site.example"),
        ("phone", "214-555-0123"),
        ("service_type", "fire-watch"),
        ("location", "Dallas, TX"),
        ("start_date", "2030-01-02"),
        ("duration", "1-week"),
    ] {
        assert_eq!(fields[key], value, "{key}");
    }
    let quote = format!("{path}/quote");
    fields["service_type"] = json!("");
    let (status, refused) = post(&desk, quote.clone(), fields.clone()).await;
    assert_eq!(status, 422);
    assert_eq!(refused["fields"][0]["field"], "service_type", "{refused}");
    fields["service_type"] = json!("fire-watch");
    for not_said in ["last_name", "phone", "start_date", "duration"] {
        fields[not_said] = json!("");
    }
    let (status, made) = post(&desk, quote.clone(), fields.clone()).await;
    assert_eq!(status, 201, "{made}");
    let request = format!("/api/admin/inbox/{}", made["id"].as_str().unwrap());
    let request = desk.get(&request).await;
    assert_eq!(request["kind"], "quote");
    assert_eq!(request["location"], "Dallas, TX");
    let description = request["description"].as_str().unwrap();
    assert!(
        description.contains("2 guards at the “north” gate."),
        "{description}"
    );
    let history = request["history"].as_array().unwrap().iter();
    let verbs: Vec<_> = history
        .map(|event| event["verb"].as_str().unwrap())
        .collect();
    assert_eq!(verbs, ["received", "emailed_in", "wrote"]);
    assert_eq!(request["history"][2]["detail"]["known"], true);
    assert_eq!(desk.app.rows("outbox").await, before, "no email is sent");
    let found = desk.get("/api/admin/inbox?q=dallas").await;
    assert_eq!(found["requests"].as_array().unwrap().len(), 1);
    let (status, _) = post(&desk, quote, fields).await;
    assert_eq!(status, 404, "it is one request");
}

#[tokio::test]
async fn automatic_mail_without_a_request_is_in_a_list_of_its_own() {
    let desk = Desk::start().await;
    let head = "Auto-Submitted: auto-generated\n";
    let email = desk.email(1, head, "robot@x.example", "", "weekly news");
    desk.receive(desk.stray(&email)).await;
    assert_eq!(desk.get("/api/admin/unmatched").await["emails"], json!([]));
    let automatic = desk.get("/api/admin/unmatched?show=automatic").await;
    assert_eq!(automatic["emails"].as_array().unwrap().len(), 1);
    assert_eq!(automatic["automatic"], 1, "the filter says how many");
    assert_eq!(automatic["count"], 0);
}
