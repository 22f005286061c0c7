//! Emails to the office about overdue requests.

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::mail::Mail;

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;

/// The escalations that are sent now.
async fn escalations(app: &TestApp) -> Vec<Mail> {
    let before = app.mailbox().len();
    app.run_timers().await;
    app.run_outbox().await;
    let mails = app.mailbox().split_off(before);
    mails
        .into_iter()
        .filter(|mail| mail.subject.contains("in time:") || mail.subject.starts_with("Still not"))
        .collect()
}

async fn subjects(app: &TestApp) -> Vec<String> {
    let found = escalations(app).await;
    found.into_iter().map(|mail| mail.subject).collect()
}

#[tokio::test]
async fn the_office_is_told_at_the_due_time_and_an_hour_later_once_each() {
    let mut app = TestApp::with(|config| config.desk.answer_hours = 8).await;
    assert_eq!(subjects(&app).await.len(), 0);
    app.stored(json!({"emergency_contact": false})).await;
    app.clock.advance(8 * HOUR - MINUTE);
    assert_eq!(subjects(&app).await.len(), 0);
    app.clock.advance(MINUTE);
    let first = escalations(&app).await;
    assert_eq!(first.len(), 1);
    assert!(
        first[0].subject.starts_with("Not answered in time: GP-"),
        "{}",
        first[0].subject
    );
    assert!(
        first[0]
            .text
            .contains("Saturday, November 21, 2026 at 2:00 PM CST"),
        "{}",
        first[0].text
    );
    assert_eq!(subjects(&app).await.len(), 0, "once");
    app.restart().await;
    assert_eq!(subjects(&app).await.len(), 0, "once, despite a restart");
    app.clock.advance(HOUR);
    let second = subjects(&app).await;
    assert_eq!(second.len(), 1);
    assert!(
        second[0].starts_with("Still not answered: GP-"),
        "{second:?}"
    );
    app.clock.advance(48 * HOUR);
    assert_eq!(subjects(&app).await.len(), 0);
    assert_eq!(app.rows("events WHERE verb = 'escalated'").await, 2);
}

#[tokio::test]
async fn an_escalation_links_to_the_panel_of_its_request_of_either_kind() {
    let app = TestApp::start().await;
    subjects(&app).await;
    app.stored(json!({"emergency_contact": false})).await;
    let message = json!({
        "first_name": "Ana", "last_name": "Silva", "email": "ana@dock.example",
        "phone": "713-555-0177", "service": "emergency", "details": "Guard did not turn up tonight."
    });
    let sent = app.http.post(app.url("/api/contact")).json(&message);
    assert_eq!(sent.send().await.unwrap().status(), 201);
    app.clock.advance(24 * HOUR);
    let mails = escalations(&app).await;
    assert_eq!(mails.len(), 2);
    for mail in mails {
        let (_, reference) = mail.text.split_once("\nReference ").unwrap();
        let reference = reference.lines().next().unwrap();
        let link = format!("http://127.0.0.1:8080/admin?view=attention&request={reference}");
        assert_eq!(mail.link(), Some(link));
        let received = "Received  Saturday, November 21, 2026 at 6:00 AM CST\n";
        assert!(mail.text.contains(received), "{}", mail.text);
    }
}

#[tokio::test]
async fn a_process_that_was_down_at_the_due_time_escalates_once_after_its_start() {
    let mut app = TestApp::start().await;
    subjects(&app).await;
    app.stored(json!({"emergency_contact": false})).await;
    app.clock.advance(36 * HOUR);
    app.restart().await;
    let late = subjects(&app).await;
    assert_eq!(late.len(), 1, "{late:?}");
    assert!(late[0].starts_with("Still not answered"));
    assert_eq!(subjects(&app).await.len(), 0);
}

#[tokio::test]
async fn a_request_for_a_call_right_away_is_escalated_after_minutes() {
    let app = TestApp::with(|config| config.desk.emergency_minutes = 20).await;
    subjects(&app).await;
    app.stored(json!({})).await;
    app.clock.advance(20 * MINUTE);
    let mails = escalations(&app).await;
    assert_eq!(mails.len(), 1);
    let Mail { subject, text, .. } = &mails[0];
    assert!(subject.starts_with("Not called in time: GP-"), "{subject}");
    let words: Vec<_> = text.split_whitespace().collect();
    let how = "record in the dashboard that you reached them. Sending an email does not stop them.";
    assert!(words.join(" ").contains(how), "{text}");
}

#[tokio::test]
async fn answered_closed_and_held_requests_are_not_escalated_but_accepted_ones_are() {
    let app = TestApp::start().await;
    subjects(&app).await;
    for _ in 0..4 {
        app.stored(json!({"emergency_contact": false})).await;
    }
    app.sql(
        "UPDATE requests SET answered_at = created_at WHERE seq = (SELECT min(seq) FROM requests);
         UPDATE requests SET status = 'cancelled' WHERE seq = (SELECT min(seq) + 1 FROM requests);
         UPDATE requests SET held = '[]' WHERE seq = (SELECT min(seq) + 2 FROM requests);
         UPDATE requests SET status = 'in_progress' \
         WHERE seq = (SELECT min(seq) + 3 FROM requests);",
    )
    .await;
    app.clock.advance(25 * HOUR);
    assert_eq!(subjects(&app).await.len(), 1);
    // Released after its due time.
    app.sql(
        "INSERT INTO events (id, seq, kind, at, verb, detail)
           SELECT (SELECT max(id) FROM events) + 1000000, seq, 'quote', '', 'released', '{}'
           FROM requests WHERE held IS NOT NULL;
         UPDATE requests SET held = NULL",
    )
    .await;
    assert_eq!(subjects(&app).await.len(), 1);
    assert_eq!(subjects(&app).await.len(), 0);
}

#[tokio::test]
async fn requests_from_before_the_first_start_and_samples_are_left_alone() {
    let app = TestApp::start().await;
    app.stored(json!({"emergency_contact": false})).await;
    app.clock.advance(90 * 24 * HOUR);
    assert_eq!(subjects(&app).await.len(), 0);
    app.stored(json!({"emergency_contact": false})).await;
    app.sql("UPDATE requests SET demo = 1").await;
    app.clock.advance(25 * HOUR);
    assert_eq!(subjects(&app).await.len(), 0);
}
