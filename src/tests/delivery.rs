//! Delivery by SMTP: retries, failures, timeouts, and several recipients.

use std::sync::Arc;
use std::time::Duration;

use guardpost::config::{Config, SmtpSecurity};
use guardpost::outbox::DeliveryWorker;
use guardpost::outbox::mailer::Smtp;
use guardpost::store::ClaimLimits;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::app::TestApp;
use crate::smtp::{Behavior, SmtpServer};

/// Longer than any delay between two attempts, in milliseconds.
pub const HOURS: i64 = 2 * 60 * 60 * 1000;
/// Timeout for events that must happen.
pub const BOUND: Duration = Duration::from_secs(20);

/// An application that sends its emails to `server`.
pub async fn app_with(server: &SmtpServer, adjust: impl FnOnce(&mut Config)) -> TestApp {
    TestApp::with(|config| {
        config.mail.smtp_host = server.address.ip().to_string();
        config.mail.smtp_port = server.address.port();
        config.mail.smtp_security = SmtpSecurity::None;
        config.mail.timeout_seconds = 1;
        adjust(config);
    })
    .await
}

impl TestApp {
    /// A worker that sends to the configured mail server.
    pub fn smtp_worker(&self) -> Arc<DeliveryWorker> {
        self.delivery_worker(Arc::new(Smtp::new(&self.config.mail).unwrap()))
    }

    /// Runs SQL on the database.
    pub async fn sql(&self, text: &'static str) {
        let change = move |conn: &rusqlite::Connection| Ok(conn.execute_batch(text)?);
        self.store.write(change).await.unwrap();
    }

    /// A column of the only outbox row, as text.
    pub async fn outbox_column(&self, column: &'static str) -> String {
        let read = move |conn: &rusqlite::Connection| {
            let text = format!("SELECT CAST({column} AS TEXT) FROM outbox");
            Ok(conn.query_row(&text, [], |row| row.get(0))?)
        };
        self.store.read(read).await.unwrap()
    }
}

/// Delivers until nothing is due.
pub async fn deliver_all(delivery_worker: &Arc<DeliveryWorker>) {
    while delivery_worker.deliver_due().await.unwrap() > 0 {}
}

#[tokio::test]
async fn an_email_arrives_once_despite_every_temporary_error() {
    let errors = [
        Behavior::RejectRecipient(451),
        Behavior::RejectContent(452),
        Behavior::DisconnectInContent,
        Behavior::RejectContent(421),
        Behavior::RejectRecipient(530),
    ];
    let server = SmtpServer::start(&errors).await;
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    for attempts in 1..=errors.len() {
        deliver_all(&delivery_worker).await;
        assert_eq!(server.attempts(), attempts, "one attempt, then a delay");
        assert_eq!(app.outbox_column("state").await, "due");
        app.clock.advance(HOURS);
    }
    deliver_all(&delivery_worker).await;
    app.clock.advance(HOURS);
    deliver_all(&delivery_worker).await;
    assert_eq!(server.emails().len(), 1);
    assert_eq!(app.outbox_column("state").await, "sent");
}

#[tokio::test]
async fn every_attempt_sends_the_same_message() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    deliver_all(&delivery_worker).await;
    // As if the process had died between the server's reply and the update of the row.
    app.sql("UPDATE outbox SET state = 'due'").await;
    app.clock.advance(HOURS);
    deliver_all(&delivery_worker).await;
    let emails = server.emails();
    assert_eq!(emails.len(), 2);
    assert_eq!(emails[0].message_id, emails[1].message_id);
    assert_eq!(emails[0].text, emails[1].text);
    let row = app.outbox_column("id").await;
    assert_eq!(emails[0].message_id, format!("{row}@guardpost.example"));
}

#[tokio::test]
async fn a_permanently_rejected_email_is_kept_as_failed_and_sent_on_an_operators_retry() {
    let server = SmtpServer::start(&[Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    deliver_all(&delivery_worker).await;
    assert_eq!(app.outbox_column("state").await, "failed");
    app.clock.advance(HOURS);
    deliver_all(&delivery_worker).await;
    assert_eq!(server.attempts(), 1, "it is not retried automatically");

    let row = app.outbox_column("id").await;
    let row = row.parse().unwrap();
    app.store.retry_email(row, app.clock.now()).await.unwrap();
    deliver_all(&delivery_worker).await;
    assert_eq!(server.emails().len(), 1);
}

#[tokio::test]
async fn a_server_that_rejects_the_connection_fails_no_email() {
    let server = SmtpServer::start(&[]).await;
    server.greet_with("554 go away");
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    deliver_all(&delivery_worker).await;
    assert_eq!(app.outbox_column("state").await, "due");
    server.greet_with("220 welcome");
    app.clock.advance(HOURS);
    deliver_all(&delivery_worker).await;
    assert_eq!(server.emails().len(), 1);
}

#[tokio::test]
async fn a_server_that_is_down_is_retried_with_growing_delays() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |config| {
        config.mail.smtp_port = 1;
        config.mail.retry_seconds = 10;
    })
    .await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    for delay in [10, 20, 40] {
        deliver_all(&delivery_worker).await;
        app.clock.advance(delay * 1000 - 1);
        assert_eq!(
            delivery_worker.deliver_due().await.unwrap(),
            0,
            "not before {delay} s"
        );
        app.clock.advance(delay * 250 + 1);
    }
    deliver_all(&delivery_worker).await;
    assert_eq!(app.outbox_column("attempts").await, "4");
}

/// Delivers due emails now and after every hour of the next `hours`.
async fn deliver_hourly(app: &TestApp, delivery_worker: &Arc<DeliveryWorker>, hours: u32) {
    for _ in 0..hours {
        deliver_all(delivery_worker).await;
        app.clock.advance(HOURS / 2);
    }
}

#[tokio::test]
async fn an_email_survives_a_mail_server_outage_of_four_days_and_fails_after_five() {
    let server = SmtpServer::start(&[]).await;
    let mut app = app_with(&server, |config| config.mail.smtp_port = 1).await;
    app.stored(json!({})).await;
    deliver_hourly(&app, &app.smtp_worker(), 4 * 24).await;
    assert_eq!(app.outbox_column("state").await, "due");

    app.config.mail.smtp_port = server.address.port();
    deliver_all(&app.smtp_worker()).await;
    assert_eq!(server.emails().len(), 1, "the server is back");

    app.config.mail.smtp_port = 1;
    app.sql("UPDATE outbox SET state = 'due', tried_since = NULL, attempts = 0")
        .await;
    let delivery_worker = app.smtp_worker();
    deliver_hourly(&app, &delivery_worker, 119).await;
    assert_eq!(app.outbox_column("state").await, "due");
    deliver_hourly(&app, &delivery_worker, 3).await;
    assert_eq!(app.outbox_column("state").await, "failed");
    let retried = app.store.retry_all_emails(app.clock.now()).await.unwrap();
    assert_eq!(retried, 1);
    deliver_hourly(&app, &delivery_worker, 100).await;
    assert_eq!(
        app.outbox_column("state").await,
        "due",
        "after a retry the time counts from its first attempt"
    );
}

#[tokio::test]
async fn the_time_for_which_an_email_is_retried_is_a_setting() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |config| {
        config.mail.smtp_port = 1;
        config.mail.give_up_hours = 12;
    })
    .await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    deliver_hourly(&app, &delivery_worker, 11).await;
    assert_eq!(app.outbox_column("state").await, "due");
    deliver_hourly(&app, &delivery_worker, 3).await;
    assert_eq!(app.outbox_column("state").await, "failed");
}

#[tokio::test]
async fn a_clock_that_is_a_year_ahead_for_a_moment_fails_no_email() {
    const YEAR: i64 = 365 * 24 * 60 * 60 * 1000;
    let server = SmtpServer::start(&[]).await;
    let mut app = app_with(&server, |config| config.mail.smtp_port = 1).await;
    app.stored(json!({})).await;
    deliver_all(&app.smtp_worker()).await;
    app.clock.advance(YEAR);
    deliver_all(&app.smtp_worker()).await;
    app.clock.advance(-YEAR);
    app.config.mail.smtp_port = server.address.port();
    deliver_all(&app.smtp_worker()).await;
    assert_eq!(server.emails().len(), 1);
}

#[tokio::test]
async fn replies_about_our_authentication_fail_no_email() {
    for code in [421, 450, 454, 530, 534, 535, 538] {
        let server = SmtpServer::start(&[Behavior::RejectRecipient(code)]).await;
        let app = app_with(&server, |_| {}).await;
        app.stored(json!({})).await;
        deliver_all(&app.smtp_worker()).await;
        assert_eq!(app.outbox_column("state").await, "due", "{code}");
    }
}

#[tokio::test]
async fn an_email_whose_every_attempt_crashes_the_process_is_given_up() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    for _ in 0..20 {
        let limits = ClaimLimits::any(1);
        let claimed = app.store.claim_due(limits, 1000, app.clock.now()).await;
        assert_eq!(claimed.unwrap().len(), 1);
        app.clock.advance(1000);
    }
    app.run_outbox().await;
    assert!(app.mailbox().is_empty());
    assert_eq!(app.outbox_column("state").await, "failed");
    assert_eq!(
        app.store.retry_all_emails(app.clock.now()).await.unwrap(),
        1
    );
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1, "an operator may retry it");
}

#[tokio::test]
async fn neither_visitors_nor_other_emails_wait_for_an_email_that_hangs() {
    let server = SmtpServer::start(&[Behavior::Hang]).await;
    let app = app_with(&server, |config| config.mail.timeout_seconds = 3600).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(delivery_worker.run(stopped));
    server.wait_for_attempts(1).await;
    for _ in 0..8 {
        app.stored(json!({})).await;
    }
    server.wait_for_accepted(8).await;

    stop.send_replace(true);
    server.release();
    timeout(BOUND, running)
        .await
        .expect("the send in flight is finished")
        .unwrap();
    assert_eq!(server.emails().len(), 9);
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 9);
}

#[tokio::test]
async fn a_late_reply_is_not_taken_for_the_reply_to_the_next_email() {
    let server = SmtpServer::start(&[Behavior::Hang]).await;
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    delivery_worker.deliver_due().await.unwrap();
    assert_eq!(app.outbox_column("state").await, "due", "no answer in time");
    server.release();
    app.clock.advance(HOURS);
    deliver_all(&delivery_worker).await;
    assert_eq!(app.outbox_column("state").await, "sent");
    let emails = server.emails();
    assert!(
        emails
            .iter()
            .all(|email| email.message_id == emails[0].message_id)
    );
    assert_eq!(server.attempts(), 2);
    assert_eq!(
        server.connections(),
        2,
        "a connection that ran out of time is not used again"
    );
}

#[tokio::test]
async fn a_burst_reuses_connections() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    for _ in 0..20 {
        app.stored(json!({})).await;
    }
    deliver_all(&app.smtp_worker()).await;
    assert_eq!(server.emails().len(), 20);
    assert!(server.connections() <= 4, "{}", server.connections());
}

/// Configures three recipients.
fn three_recipients(config: &mut Config) {
    config.mail.to = ["one", "two", "three"]
        .map(|name| format!("{name}@guardpost.example"))
        .to_vec();
}

/// Recipients of the accepted emails, sorted.
fn recipients(server: &SmtpServer) -> Vec<String> {
    let mut recipients: Vec<_> = server
        .emails()
        .iter()
        .map(|email| email.to.concat())
        .collect();
    recipients.sort();
    recipients
}

#[tokio::test]
async fn a_rejected_address_affects_no_other_recipient_and_nobody_gets_an_email_twice() {
    let server = SmtpServer::start(&[Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, three_recipients).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    deliver_all(&delivery_worker).await;
    assert_eq!(
        recipients(&server),
        ["three@guardpost.example", "two@guardpost.example"]
    );
    assert_eq!(app.rows("outbox WHERE state = 'failed'").await, 1);
    app.store.retry_all_emails(app.clock.now()).await.unwrap();
    deliver_all(&delivery_worker).await;
    let all = [
        "one@guardpost.example",
        "three@guardpost.example",
        "two@guardpost.example",
    ];
    assert_eq!(recipients(&server), all, "only the rejected one is retried");
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 3);
}

#[tokio::test]
async fn a_temporarily_rejected_address_is_retried_alone() {
    let server = SmtpServer::start(&[Behavior::RejectRecipient(450)]).await;
    let app = app_with(&server, three_recipients).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    deliver_all(&delivery_worker).await;
    assert_eq!(server.emails().len(), 2);
    app.clock.advance(HOURS);
    deliver_all(&delivery_worker).await;
    assert_eq!(recipients(&server).len(), 3);
    assert_eq!(server.attempts(), 4);
}

#[tokio::test]
async fn an_address_removed_from_the_settings_gets_no_more_emails() {
    let server = SmtpServer::start(&[Behavior::RejectRecipient(450)]).await;
    let mut app = app_with(&server, three_recipients).await;
    app.stored(json!({})).await;
    deliver_all(&app.smtp_worker()).await;
    app.config.mail.to.remove(0);
    app.clock.advance(HOURS);
    deliver_all(&app.smtp_worker()).await;
    assert_eq!(server.emails().len(), 2);
    assert_eq!(
        app.rows("outbox WHERE state = 'failed' AND last_error LIKE '%no longer one of%'")
            .await,
        1
    );
}
