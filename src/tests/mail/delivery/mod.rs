//! Delivery by SMTP: retries, failures, timeouts, and several recipients.

mod recipients;
mod retries;

use std::sync::Arc;
use std::time::Duration;

use config::{Config, SmtpSecurity};
use outbox::DeliveryWorker;
use outbox::mailer::Smtp;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::support::app::TestApp;
use crate::support::smtp::{Behavior, SmtpServer};

/// Longer than any delay between two attempts, in milliseconds.
pub const HOURS: i64 = 2 * 60 * 60 * 1000;
/// Timeout for events that must happen.
pub const BOUND: Duration = Duration::from_secs(20);

/// An application that sends its emails to `server`.
pub async fn app_with(server: &SmtpServer, adjust: impl FnOnce(&mut Config)) -> TestApp {
    TestApp::with(|config| {
        send_by(config, server);
        adjust(config);
    })
    .await
}

/// A mail server that behaves so, and an application that sends to it, with a request.
pub async fn with_request(behaviors: &[Behavior]) -> (SmtpServer, TestApp) {
    let server = SmtpServer::start(behaviors).await;
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    (server, app)
}

/// Sends emails to `server`.
pub fn send_by(config: &mut Config, server: &SmtpServer) {
    config.mail.smtp_host = server.address.ip().to_string();
    config.mail.smtp_port = server.address.port();
    config.mail.smtp_security = SmtpSecurity::None;
    config.mail.timeout_seconds = 1;
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

    /// The text of the first column of the first row.
    pub async fn sql_text(&self, sql: &'static str) -> String {
        let read =
            move |conn: &rusqlite::Connection| Ok(conn.query_row(sql, [], |row| row.get(0))?);
        self.store.read(read).await.unwrap()
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
    let (server, app) = with_request(&errors).await;
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
    let (server, app) = with_request(&[]).await;
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
    let id = emails[0].message_id.as_str();
    assert!(id.starts_with(&format!("{row}.")), "{id}");
    assert!(id.ends_with("@guardpost.example"), "{id}");
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
    let (server, app) = with_request(&[Behavior::Hang]).await;
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
