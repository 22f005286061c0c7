//! Replies from the dashboard to visitors.

mod failed;
mod kills;

use serde_json::{Value, json};

use super::Dispatcher;
use crate::mail::acknowledgements;
use crate::mail::acknowledgements::receipt;
use crate::support::app::TestApp;

const DELAY: i64 = 10_000;

impl Dispatcher {
    /// Replies to a request; the status and the event.
    async fn reply(&self, id: &str, subject: &str, text: &str) -> (u16, Value) {
        let body = json!({"subject": subject, "text": text});
        self.on(id, "replies", body).await
    }
}

/// The detail of the newest event with this verb.
async fn detail(app: &TestApp, verb: &'static str) -> Value {
    let read = move |conn: &rusqlite::Connection| {
        let newest = "SELECT detail FROM events WHERE verb = ?1 ORDER BY id DESC LIMIT 1";
        Ok(conn.query_row(newest, [verb], |row| row.get::<_, String>(0))?)
    };
    serde_json::from_str(&app.store.read(read).await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_reply_leaves_after_ten_seconds_and_answers_the_request() {
    let app = acknowledgements::app_with(|_| {}).await;
    let receipt = receipt(&app, json!({"emergency_contact": false})).await;
    let (id, reference) = (
        receipt["id"].as_str().unwrap(),
        receipt["reference"].as_str().unwrap(),
    );
    app.run_outbox().await;
    let acknowledgement = app.mailbox().pop().unwrap();
    let desk = Dispatcher::of(&app).await;
    let text = "Hello María,\n\nthe price is < 900 & fixed.\n  Ana";
    let (status, event) = desk.reply(reference, "Your quote", text).await;
    assert_eq!(status, 201, "{event}");
    assert_eq!(event["verb"], "replied");
    assert_eq!(event["actor"]["email"], desk.email);
    assert_eq!(event["detail"]["state"], "queued");
    assert_eq!(event["undoable_until"], "2026-11-21T12:00:10.000Z");
    app.clock.advance(DELAY - 1);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 2, "not yet");
    assert_eq!(app.rows("requests WHERE answered_at IS NOT NULL").await, 0);
    app.clock.advance(1);
    app.run_outbox().await;
    let mail = app.mailbox().pop().unwrap();
    assert_eq!(mail.to, ["maria@property.example"]);
    assert_eq!(mail.subject, "Your quote");
    assert_eq!(
        mail.reply_to.as_deref(),
        Some("Guardpost Security <office@guardpost.example>")
    );
    assert!(mail.text.starts_with(text), "{}", mail.text);
    assert!(
        mail.html.contains("the price is &lt; 900 &amp; fixed.<br>"),
        "{}",
        mail.html
    );
    let thread = format!("<{}>", acknowledgement.message_id);
    for header in ["In-Reply-To", "References"] {
        assert!(
            mail.raw.contains(&format!("{header}: {thread}\r\n")),
            "{}",
            mail.raw
        );
    }
    assert!(!mail.raw.contains("Auto-Submitted"));
    let delivered = detail(&app, "replied").await;
    assert_eq!(delivered["state"], "delivered");
    assert_eq!(delivered["at"], "2026-11-21T12:00:10.000Z");
    assert_eq!(
        app.rows("requests WHERE answered_at = '2026-11-21T12:00:10.000Z'")
            .await,
        1
    );
    let again = desk.reply(id, "Your quote", text).await;
    assert_eq!(
        again.1["id"], event["id"],
        "the same reply again is a second click"
    );
    assert_eq!(app.rows("events WHERE verb = 'replied'").await, 1);
}

#[tokio::test]
async fn a_reply_can_be_undone_until_it_leaves_despite_a_restart() {
    let mut app = TestApp::start().await;
    let id = app.stored(json!({"emergency_contact": false})).await;
    app.run_outbox().await;
    let desk = Dispatcher::of(&app).await;
    let (_, event) = desk.reply(&id, "Your quote", "Hello").await;
    let event = event["id"].clone();
    app.restart().await;
    let desk = desk.again(&app).await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 0, "a start sends no reply early");
    assert_eq!(desk.undo(&id, &event).await.0, 200);
    app.clock.advance(DELAY);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 0);
    assert_eq!(detail(&app, "replied").await["state"], "undone");
    let (_, event) = desk.reply(&id, "Your quote", "Hello").await;
    app.clock.advance(DELAY);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
    assert_eq!(desk.undo(&id, &event["id"]).await.0, 409);
}

#[tokio::test]
async fn the_office_emails_of_a_request_have_their_state_in_its_history() {
    let app = acknowledgements::app_with(|config| {
        config.mail.to = vec![
            "one@guardpost.example".into(),
            "two@guardpost.example".into(),
        ];
    })
    .await;
    app.stored(json!({"emergency_contact": false})).await;
    app.run_outbox().await;
    let read = |conn: &rusqlite::Connection| {
        let sql = "SELECT detail ->> 'kind' || ' ' || (detail ->> 'to') || ' ' || (detail ->> \
                   'state') FROM events ORDER BY id";
        let mut rows = conn.prepare(sql)?;
        let rows = rows.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<Vec<String>>>()?)
    };
    assert_eq!(
        app.store.read(read).await.unwrap(),
        [
            "acknowledgement maria@property.example delivered",
            "quote one@guardpost.example delivered",
            "quote two@guardpost.example delivered",
        ]
    );
}

#[tokio::test]
async fn a_reply_without_text_or_with_an_open_blank_is_refused_and_nothing_is_stored() {
    let app = TestApp::start().await;
    let id = app.stored(json!({"emergency_contact": false})).await;
    let desk = Dispatcher::of(&app).await;
    let long = "x".repeat(10_001);
    for (subject, text, field) in [
        ("", "Hello", "subject"),
        ("Your quote", " \n ", "text"),
        ("Your quote", "Hello {{first_name}}", "text"),
        ("Your quote", &long, "text"),
    ] {
        let (status, problem) = desk.reply(&id, subject, text).await;
        assert_eq!(status, 422, "{problem}");
        assert_eq!(problem["fields"][0]["field"], field);
    }
    assert_eq!(desk.reply("GP-2222", "Your quote", "Hello").await.0, 404);
    app.sql("UPDATE requests SET held = '[]'").await;
    assert_eq!(desk.reply(&id, "Your quote", "Hello").await.0, 409);
    assert_eq!(app.rows("events").await, 0);
}

#[tokio::test]
async fn templates_are_filled_in_with_the_facts_of_the_request() {
    let app = TestApp::start().await;
    let id = app.stored(json!({"emergency_contact": false})).await;
    let desk = Dispatcher::of(&app).await;
    let plain = desk.get("/reply-templates").await;
    let filled = desk.get(&format!("/inbox/{id}/reply-templates")).await;
    assert_eq!(plain["templates"].as_array().unwrap().len(), 4);
    assert!(plain.to_string().contains("{{first_name}}"));
    assert!(!filled.to_string().contains("{{"));
    let text = filled["templates"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("Hello María,\n\nThank you for your request about Fire Watch."),
        "{text}"
    );
    assert!(
        text.contains("by Sunday, November 22, 2026 at 6:00 AM CST"),
        "{text}"
    );
}

#[tokio::test]
async fn a_template_promises_no_time_that_has_passed() {
    let app = TestApp::start().await;
    let id = app.stored(json!({"emergency_contact": false})).await;
    let desk = Dispatcher::of(&app).await;
    let path = format!("/inbox/{id}/reply-templates");
    let texts = async |desk: &Dispatcher| desk.get(&path).await.to_string();
    let due = "by Sunday, November 22, 2026 at 6:00 AM CST";
    assert!(texts(&desk).await.contains(&format!("hear from us {due}.")));
    app.clock.advance(24 * 3_600_000 - 60_000);
    let late = texts(&desk.again(&app).await).await;
    assert!(!late.contains(due), "a minute before it is due");
    assert!(late.contains("hear from us as soon as possible."));
}

#[tokio::test]
async fn addresses_in_a_reply_are_links_in_its_html_and_nothing_else_is() {
    let app = TestApp::start().await;
    let id = app.stored(json!({"emergency_contact": false})).await;
    app.run_outbox().await;
    let desk = Dispatcher::of(&app).await;
    let text = "See https://guard.example/a?b=1&c=\"2\", or write to ann@guard.example.\n\
                Call (713) 555-0142; not javascript:alert(1) <script>x</script>.";
    desk.reply(&id, "Your quote", text).await;
    app.clock.advance(DELAY);
    app.run_outbox().await;
    let mail = app.mailbox().pop().unwrap();
    assert!(mail.text.starts_with(text), "{}", mail.text);
    let links: Vec<_> = mail.html.split("href=\"").skip(1).collect();
    let links: Vec<_> = links
        .iter()
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    for link in [
        "https://guard.example/a?b=1&amp;c=",
        "mailto:ann@guard.example",
        "tel:+17135550142",
    ] {
        assert!(links.contains(&link), "{link}: {links:?}");
    }
    assert!(
        links.iter().any(|link| link.contains("GP-")),
        "the status page"
    );
    assert!(
        links.iter().all(|link| !link.contains("javascript")),
        "{links:?}"
    );
    assert!(!mail.html.contains("<script"), "{}", mail.html);
}
