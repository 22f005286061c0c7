//! Reports of figures by email: on Monday morning and on the first of the month, once.

use domain::clock::{DAY_MS, HOUR_MS};
use mail_parser::{MessageParser, MimeHeaders};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::mail::Mail;

const OWNER: &str = "owner@guard.example";

/// Clocks begin on Saturday, November 21, at 6 o'clock in the morning of the company.
async fn app() -> TestApp {
    TestApp::with(|config| {
        config.mail.report_to = vec![OWNER.into()];
        // The clock is turned by days.
        config.auth.access_token_seconds = 60 * 24 * 3600;
        config.auth.session_idle_seconds = 60 * 24 * 3600;
        config.auth.session_absolute_seconds = 60 * 24 * 3600;
    })
    .await
}

/// The reports that have arrived.
async fn reports(app: &TestApp) -> Vec<Mail> {
    app.run_outbox().await;
    let mut mail = app.mailbox();
    mail.retain(|mail| mail.to == [OWNER]);
    mail
}

#[tokio::test]
async fn the_figures_of_the_last_week_are_sent_on_monday_morning_once() {
    let app = app().await;
    let ada = app.admin().await;
    app.stored(json!({})).await;
    // The one that was due before they were switched on is not sent.
    assert_eq!(app.reports().send_due().await.unwrap(), 0);
    app.clock.advance(2 * DAY_MS + HOUR_MS - 1);
    assert_eq!(
        app.reports().send_due().await.unwrap(),
        0,
        "Monday, before 7 o'clock"
    );
    app.clock.advance(1);

    // Two processes, and one of them again after a restart.
    let other = app.beside().await;
    let (ours, theirs) = (app.reports(), other.reports());
    let (one, two) = tokio::join!(ours.send_due(), theirs.send_due());
    assert_eq!(one.unwrap() + two.unwrap(), 1);
    let again = app.beside().await;
    assert_eq!(again.reports().send_due().await.unwrap(), 0);

    let mail = reports(&app).await;
    assert_eq!(mail.len(), 1);
    assert_eq!(mail[0].subject, "Your week: 1 request, 0 won");
    for text in [
        "Your week: November 16 to 22, 2026",
        "Asked              1 (before: 0; +1)",
        "Answered           none (before: none)",
        "What needs doing now:\n- 1 emergency waits for a call\n",
        "/admin/figures?from=2026-11-16&to=2026-11-22",
    ] {
        assert!(mail[0].text.contains(text), "{text}: {}", mail[0].text);
    }
    // The page of figures has the same list, and each line leads to where it is done.
    let request = app.http.get(app.url("/api/admin/to-do"));
    let answer = request.bearer_auth(&ada.access_token).send().await.unwrap();
    let to_do: Value = answer.json().await.unwrap();
    let lines = to_do["lines"].as_array().unwrap();
    let origin = app.config.server.origin();
    assert!(lines.len() > 2, "{to_do}");
    for line in lines {
        let text = line["text"].as_str().unwrap();
        let link = line["path"]
            .as_str()
            .map(|path| format!("\n  {}{path}\n", origin));
        let listed = format!("- {text}{}", link.unwrap_or_default());
        assert!(mail[0].text.contains(&listed), "{listed}: {}", mail[0].text);
    }
    let file = MessageParser::default().parse(&mail[0].raw).unwrap();
    let file = file.attachment(0).unwrap();
    assert_eq!(
        file.attachment_name(),
        Some("Figures-2026-11-16-2026-11-22.pdf")
    );
    assert!(file.contents().starts_with(b"%PDF-"));
}

#[tokio::test]
async fn the_figures_of_the_last_month_are_sent_on_the_first() {
    let app = app().await;
    app.reports().send_due().await.unwrap();
    // Tuesday, December 1, at 7 o'clock; Monday's report is sent, too, a day late.
    app.clock.advance(10 * DAY_MS + HOUR_MS);
    assert_eq!(app.reports().send_due().await.unwrap(), 2);
    let subjects: Vec<_> = reports(&app)
        .await
        .into_iter()
        .map(|mail| mail.subject)
        .collect();
    assert_eq!(
        subjects,
        [
            "Your week: 0 requests, 0 won",
            "Your month: 0 requests, 0 won"
        ]
    );
}

#[tokio::test]
async fn a_report_that_is_days_late_is_not_sent_and_neither_is_one_to_nobody() {
    let app = app().await;
    app.reports().send_due().await.unwrap();
    app.clock.advance(5 * DAY_MS);
    assert_eq!(app.reports().send_due().await.unwrap(), 0);

    let off = TestApp::start().await;
    off.clock.advance(2 * DAY_MS + HOUR_MS);
    assert_eq!(off.reports().send_due().await.unwrap(), 0);
    assert_eq!(off.rows("escalations WHERE scan LIKE 'report %'").await, 0);
}

#[tokio::test]
async fn a_process_that_is_killed_while_it_sends_a_report_leaves_it_whole_or_due() {
    let app = app().await;
    app.reports().send_due().await.unwrap();
    app.clock.advance(2 * DAY_MS + HOUR_MS);
    for polls in 0..40 {
        let reports = app.reports();
        let mut work = Box::pin(async move { reports.send_due().await });
        for _ in 0..polls {
            let step = std::future::poll_fn(|context| {
                std::task::Poll::Ready(work.as_mut().poll(context).is_ready())
            });
            if step.await {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(work);
    }
    app.reports().send_due().await.unwrap();
    assert_eq!(reports(&app).await.len(), 1);
    assert_eq!(app.rows("outbox WHERE kind = 'report'").await, 1);
}
