//! The visitor's side of a request: the acknowledgement and the status page.

use config::Config;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::visitors::{json, quote, visitor};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// An application that sends acknowledgements.
pub async fn app_with(adjust: impl FnOnce(&mut Config)) -> TestApp {
    TestApp::with(|config| {
        config.mail.acknowledge = true;
        adjust(config);
    })
    .await
}

/// The receipt of a quote request by a new visitor.
pub async fn receipt(app: &TestApp, changes: Value) -> Value {
    let newcomer = visitor(app.rows("requests").await.try_into().unwrap());
    json(app.ask(&newcomer, None, &quote(changes)).await).await
}

/// The path of the status page, from the acknowledgement.
async fn status_page(app: &TestApp) -> String {
    app.run_outbox().await;
    let link = app.mailbox().pop().unwrap().link().unwrap();
    let (_, path) = link.split_once("/case/").unwrap();
    format!("/case/{path}")
}

async fn page(app: &TestApp, path: &str) -> (u16, String) {
    let response = app.http.get(app.url(path)).send().await.unwrap();
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-robots-tag", "noindex"),
        ("referrer-policy", "same-origin"),
    ] {
        assert_eq!(response.headers()[name], value, "{path}");
    }
    (response.status().as_u16(), response.text().await.unwrap())
}

#[tokio::test]
async fn a_visitor_gets_the_reference_the_due_time_and_a_link_but_none_of_their_own_words() {
    let app = app_with(|_| {}).await;
    let receipt = receipt(&app, json!({"emergency_contact": false})).await;
    app.run_outbox().await;
    let mails = app.mailbox();
    assert_eq!(mails.len(), 2);
    let mail = &mails[1];
    let reference = receipt["reference"].as_str().unwrap();
    assert_eq!(mail.to, ["maria@property.example"]);
    assert_eq!(
        mail.reply_to.as_deref(),
        Some("Guardpost Security <office@guardpost.example>")
    );
    assert_eq!(
        mail.subject,
        format!("We received your quote request ({reference})")
    );
    assert!(
        mail.raw.contains("Auto-Submitted: auto-replied\r\n"),
        "{}",
        mail.raw
    );
    for part in [&mail.text, &mail.html] {
        for fact in [
            reference,
            "Sunday, November 22, 2026 at 6:00 AM CST",
            "(713) 555-0142",
        ] {
            assert!(part.contains(fact), "{fact}: {part}");
        }
        for own in [
            "María",
            "O’Brien",
            "Bayou",
            "Panel",
            "Houston, TX\n",
            "0188",
            "2026-12-01",
        ] {
            assert!(!part.contains(own), "{own}: {part}");
        }
    }
    assert!(mails[0].raw.contains("Auto-Submitted: auto-generated\r\n"));
}

#[tokio::test]
async fn one_who_asks_for_a_call_reads_how_soon() {
    let app = app_with(|config| config.desk.emergency_minutes = 15).await;
    receipt(&app, json!({})).await;
    app.run_outbox().await;
    let mail = app.mailbox().pop().unwrap();
    let soon = "We will call you by Saturday, November 21, 2026 at 6:15 AM CST.";
    assert!(mail.text.contains(soon), "{}", mail.text);
}

#[tokio::test]
async fn each_request_of_an_address_is_acknowledged_those_within_a_minute_in_one_email() {
    let app = app_with(|_| {}).await;
    let mut references = Vec::new();
    for email in [
        "ana@dock.example",
        "Ana@Dock.example",
        "a.na+1@dock.example",
    ] {
        let receipt = receipt(&app, json!({ "email": email })).await;
        references.push(receipt["reference"].as_str().unwrap().to_owned());
        app.run_outbox().await;
    }
    assert_eq!(acknowledged(&app), ["ana@dock.example"]);
    app.clock.advance(MINUTE);
    app.run_outbox().await;
    assert_eq!(acknowledged(&app).len(), 2);
    let list = app.mailbox().pop().unwrap();
    assert_eq!(list.subject, "We received your 2 requests");
    for part in [&list.text, &list.html] {
        assert_eq!(part.matches("/case/").count(), 2, "{part}");
        assert!(part.contains(&references[1]) && part.contains(&references[2]));
    }
    // The history of each has the outcome.
    let delivered = "events WHERE verb = 'emailed' AND detail ->> 'kind' = 'acknowledgement'
        AND detail ->> 'state' = 'delivered'";
    assert_eq!(app.rows(delivered).await, 3);
    app.clock.advance(18 * MINUTE);
    receipt(&app, json!({ "email": "ana@dock.example" })).await;
    app.run_outbox().await;
    assert_eq!(acknowledged(&app).len(), 3, "at once");
}

#[tokio::test]
async fn an_address_gets_five_acknowledgements_an_hour_and_the_last_one_lists_the_others() {
    let app = app_with(|config| config.mail.single_notices = 1000).await;
    for minute in 0..60 {
        let email = json!({ "email": "ana@dock.example" });
        receipt(&app, email).await;
        app.run_outbox().await;
        let expected = (minute + 1).min(5);
        assert_eq!(acknowledged(&app).len(), expected, "{minute}");
        app.clock.advance(MINUTE);
    }
    app.run_outbox().await;
    let list = app.mailbox().pop().unwrap();
    assert_eq!(list.subject, "We received your 55 requests");
}

/// To whom acknowledgements were sent.
fn acknowledged(app: &TestApp) -> Vec<String> {
    let mails = app.mailbox().into_iter();
    mails
        .filter(|mail| mail.raw.contains("auto-replied"))
        .map(|mail| mail.to.concat())
        .collect()
}

#[tokio::test]
async fn no_acknowledgement_is_sent_if_the_setting_is_off_or_the_request_is_held() {
    let app = app_with(|config| config.mail.acknowledge = false).await;
    receipt(&app, json!({})).await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
    let app = app_with(|_| {}).await;
    receipt(&app, json!({})).await;
    app.sql("UPDATE requests SET held = '[]'").await;
    app.run_outbox().await;
    assert!(
        app.mailbox()
            .iter()
            .all(|mail| !mail.raw.contains("auto-replied"))
    );
}

#[tokio::test]
async fn a_contact_message_is_acknowledged_too() {
    let app = app_with(|config| config.company.time_zone = "America/New_York".into()).await;
    let message = json!({
        "first_name": "Ana", "last_name": "Silva", "email": "ana@dock.example",
        "phone": "713-555-0177", "company": "",
        "service": "emergency", "details": "Gate 4, please call."
    });
    let post = app.http.post(app.url("/api/contact")).json(&message);
    let receipt: Value = post.send().await.unwrap().json().await.unwrap();
    app.run_outbox().await;
    let mail = app.mailbox().pop().unwrap();
    let reference = receipt["reference"].as_str().unwrap();
    assert_eq!(
        mail.subject,
        format!("We received your message ({reference})")
    );
    assert!(
        mail.text
            .contains("Sunday, November 22, 2026 at 7:00 AM EST"),
        "{}",
        mail.text
    );
}

#[tokio::test]
async fn the_status_page_says_where_the_request_stands_and_nothing_personal() {
    let app = app_with(|config| config.desk.answer_hours = 4).await;
    receipt(&app, json!({"emergency_contact": false})).await;
    let path = status_page(&app).await;
    let (status, waiting) = page(&app, &path).await;
    assert_eq!(status, 200);
    assert!(waiting.contains("We are on it"), "{waiting}");
    assert!(
        waiting.contains("Saturday, November 21, 2026 at 10:00 AM CST"),
        "{waiting}"
    );
    assert!(!waiting.contains("{{") && !waiting.contains("<script type=\"module\""));
    for own in ["María", "O’Brien", "Bayou", "Panel", "0188", "maria@"] {
        assert!(!waiting.contains(own), "{own}");
    }
    app.clock.advance(5 * HOUR);
    let (_, overdue) = page(&app, &path).await;
    assert!(overdue.contains("We owe you an answer") && !overdue.contains("We are on it"));
    let head = app.http.head(app.url(&path)).send().await.unwrap();
    assert_eq!(head.status(), 200);
    assert_eq!(
        app.http.put(app.url(&path)).send().await.unwrap().status(),
        405
    );
    assert_eq!(app.rows("events").await, 2, "reading changes nothing");
}

#[tokio::test]
async fn an_unknown_reference_and_a_wrong_tag_get_the_same_response() {
    let app = app_with(|_| {}).await;
    receipt(&app, json!({})).await;
    let path = status_page(&app).await;
    let flipped = if path.ends_with('0') { "1" } else { "0" };
    let wrong_tag = format!("{}{flipped}", &path[..path.len() - 1]);
    let responses = [
        page(&app, &wrong_tag).await,
        page(&app, "/case/GP-2222-00000000000000000000000000000000").await,
        page(&app, "/case/nonsense").await,
    ];
    app.sql("DELETE FROM requests").await;
    let deleted = page(&app, &path).await;
    for response in responses {
        assert_eq!(response.0, 404);
        assert_eq!(response, deleted);
    }
}

#[tokio::test]
async fn a_rotation_of_the_keys_keeps_the_links() {
    let mut app = app_with(|_| {}).await;
    receipt(&app, json!({})).await;
    let path = status_page(&app).await;
    auth::keys::rotate(app.folder.path(), 900, app.clock.now()).unwrap();
    app.restart().await;
    assert_eq!(page(&app, &path).await.0, 200);
}
