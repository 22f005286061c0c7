//! Which errors are retried, how soon and for how long, and which fail an email.

use std::sync::Arc;

use outbox::DeliveryWorker;
use serde_json::json;

use super::{HOURS, app_with, deliver_all, with_request};
use crate::support::app::TestApp;
use crate::support::log::Log;
use crate::support::smtp::{Behavior, SmtpServer};

#[tokio::test]
async fn a_permanently_rejected_email_is_kept_as_failed_and_sent_on_an_operators_retry() {
    let (server, app) = with_request(&[Behavior::RejectRecipient(550)]).await;
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

#[tokio::test]
async fn a_mail_server_that_is_down_is_one_line_as_it_begins_one_an_hour_and_one_as_it_ends() {
    let server = SmtpServer::start(&[]).await;
    server.greet_with("421 down for maintenance");
    let app = app_with(&server, |_| {}).await;
    for n in 0..12 {
        app.stored(json!({"location": format!("Lot {n}")})).await;
    }
    let (delivery_worker, log) = (app.smtp_worker(), Log::start());
    deliver_all(&delivery_worker).await;
    let down = "the mail server takes no emails";
    assert_eq!(log.count(down), 1, "{}", log.text());
    let line = log.text();
    let host = format!(
        "server=\"{}:{}\"",
        app.config.mail.smtp_host, app.config.mail.smtp_port
    );
    assert!(line.contains(&host) && line.contains("(421)"), "{line}");
    for quarter in 1..=8 {
        app.clock.advance(15 * 60 * 1000 + 1);
        deliver_all(&delivery_worker).await;
        delivery_worker.run_housekeeping().await;
        assert!(log.count(down) <= 2 + quarter / 4, "{}", log.text());
    }
    assert!(log.count(down) >= 2, "{}", log.text());
    let others = log.count("email rescheduled") + log.count("undelivered");
    assert_eq!(others, 0, "{}", log.text());
    server.greet_with("220 welcome");
    app.clock.advance(HOURS);
    deliver_all(&delivery_worker).await;
    assert_eq!(log.count("the mail server takes emails again"), 1);
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
    app.clock.advance(60 * 60 * 1000);
    app.config.mail.smtp_port = server.address.port();
    deliver_all(&app.smtp_worker()).await;
    assert_eq!(server.emails().len(), 1);
}

#[tokio::test]
async fn replies_about_our_authentication_fail_no_email() {
    for code in [421, 450, 454, 530, 534, 535, 538] {
        let (_server, app) = with_request(&[Behavior::RejectRecipient(code)]).await;
        deliver_all(&app.smtp_worker()).await;
        assert_eq!(app.outbox_column("state").await, "due", "{code}");
    }
}
