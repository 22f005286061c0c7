//! The delivery worker and the outbox rows: leases, clock changes, several processes, `.eml` files,
//! retention and overdue emails.

use std::sync::Arc;

use outbox::DeliveryWorker;
use outbox::mailer::Folder;
use serde_json::json;
use store::outbox::delivery::ClaimLimits;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::mail::delivery::{BOUND, app_with, deliver_all, with_request};
use crate::support::app::TestApp;
use crate::support::log::Log;
use crate::support::smtp::{Behavior, SmtpServer};

#[tokio::test]
async fn two_workers_on_one_database_deliver_each_email_once() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    for _ in 0..30 {
        app.stored(json!({})).await;
    }
    let other = app.beside().await;
    tokio::join!(
        deliver_all_with(app.smtp_worker()),
        deliver_all_with(other.smtp_worker())
    );
    let mut ids: Vec<_> = server
        .emails()
        .into_iter()
        .map(|email| email.message_id)
        .collect();
    assert_eq!(ids.len(), 30);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 30);
}

async fn deliver_all_with(delivery_worker: Arc<DeliveryWorker>) {
    deliver_all(&delivery_worker).await;
}

#[tokio::test]
async fn rows_claimed_by_a_dead_process_are_delivered_when_the_lease_expires() {
    let mut app = TestApp::start().await;
    app.stored(json!({})).await;
    let lease = 60_000;
    let claimed = app
        .store
        .claim_due(ClaimLimits::any(5), lease, app.clock.now())
        .await
        .unwrap();
    assert_eq!(claimed.len(), 1);
    app.restart().await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 0, "the lease may still be in use");
    app.clock.advance(lease);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
}

#[tokio::test]
async fn a_claim_that_waited_for_the_lock_leaves_the_leases_of_another_process_alone() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let (store, limits, lease) = (&app.store, ClaimLimits::any(1), 90_000);
    // The other process took its time first, and waited for the lock of this one.
    let waited_since = app.clock.now();
    app.clock.advance(2_000);
    let ours = store.claim_due(limits, lease, app.clock.now()).await;
    let ours = ours.unwrap().remove(0);
    let others = store.claim_due(limits, lease, waited_since).await.unwrap();
    assert!(others.is_empty());
    let due = app.clock.now().plus_millis(15_000);
    let why = "the server is busy".to_owned();
    store.reschedule_email(&ours, due, why).await.unwrap();
    assert_eq!(app.outbox_column("due_at").await, due.to_string());
}

#[tokio::test]
async fn a_committed_notice_wakes_the_delivery_worker() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(app.smtp_worker().run(stopped));
    app.stored(json!({})).await;
    server.wait_for_attempts(1).await;
    let other = app.beside().await;
    other.stored(json!({})).await;
    server.wait_for_attempts(2).await;
    stop.send_replace(true);
    timeout(BOUND, running)
        .await
        .expect("the worker stops")
        .unwrap();
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 2);
}

#[tokio::test]
async fn an_email_undelivered_for_an_hour_is_logged_once_and_counted() {
    let (_server, app) = with_request(&[Behavior::RejectRecipient(450)]).await;
    let delivery_worker = app.smtp_worker();
    let log = Log::start();
    deliver_all(&delivery_worker).await;
    delivery_worker.run_housekeeping().await;
    assert_eq!(log.count("undelivered for over an hour"), 0);
    app.clock.advance(60 * 60 * 1000 + 1);
    for _ in 0..3 {
        delivery_worker.run_housekeeping().await;
    }
    assert_eq!(log.count("undelivered for over an hour"), 1);
    let counts = app.store.outbox_counts(app.clock.now()).await.unwrap();
    assert_eq!(counts.late, 1);
    assert!(
        !log.text().contains("maria@"),
        "no address in the log: {}",
        log.text()
    );
}

#[tokio::test]
async fn rows_of_emails_sent_before_the_days_of_the_setting_are_deleted() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    app.run_outbox().await;
    let delivery_worker = app.mailbox_worker();
    app.clock.advance(29 * 24 * 60 * 60 * 1000);
    delivery_worker.run_housekeeping().await;
    assert_eq!(app.rows("outbox").await, 1);
    app.stored(json!({})).await;
    app.clock.advance(2 * 24 * 60 * 60 * 1000);
    delivery_worker.run_housekeeping().await;
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 0);
    assert_eq!(app.rows("outbox").await, 1, "unsent rows are kept");

    for (days, kept) in [(0, 1), (2, 1), (1, 0)] {
        let app = TestApp::with(|config| config.retention.sent_days = days).await;
        app.stored(json!({})).await;
        app.run_outbox().await;
        app.clock.advance(36 * 60 * 60 * 1000);
        app.mailbox_worker().run_housekeeping().await;
        assert_eq!(app.rows("outbox").await, kept, "{days} days");
    }
}

#[tokio::test]
async fn without_a_mail_server_emails_are_files_and_a_retry_overwrites_the_first() {
    let app = TestApp::start().await;
    let folder = app.folder.path().join("mail");
    let delivery_worker = app.delivery_worker(Arc::new(Folder::open(&folder).unwrap()));
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    app.stored(json!({})).await;
    deliver_all(&delivery_worker).await;
    let row = app.outbox_column("id").await;
    let expected = format!("2026-11-21T12-00-00.000Z-quote-{row}.eml");
    assert_eq!(names(), std::slice::from_ref(&expected));

    app.sql("UPDATE outbox SET state = 'due'").await;
    deliver_all(&delivery_worker).await;
    assert_eq!(names(), [expected]);
    app.clock.advance(1000);
    app.stored(json!({})).await;
    deliver_all(&delivery_worker).await;
    assert!(
        names()[1].contains("12-00-01"),
        "names sort by time: {:?}",
        names()
    );
}

#[tokio::test]
async fn an_email_that_could_not_be_written_leaves_no_part_and_is_written_with_the_next() {
    let app = TestApp::start().await;
    let folder = app.folder.path().join("mail");
    let delivery_worker = app.delivery_worker(Arc::new(Folder::open(&folder).unwrap()));
    app.stored(json!({})).await;
    // A folder in the place of the file: its end fails, as it does on a full disk.
    let row = app.outbox_column("id").await;
    let file = folder.join(format!("2026-11-21T12-00-00.000Z-quote-{row}.eml"));
    std::fs::create_dir(&file).unwrap();
    deliver_all(&delivery_worker).await;
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    std::fs::remove_dir(&file).unwrap();
    app.clock.advance(1000);
    app.stored(json!({})).await;
    deliver_all(&delivery_worker).await;
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 2, "at once");
    assert!(file.is_file());
}

#[tokio::test]
async fn an_invalid_notice_is_kept_as_failed_and_blocks_no_other_email() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    app.sql("UPDATE outbox SET notice = '{\"notice\":\"unknown\"}'")
        .await;
    app.stored(json!({})).await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
    assert_eq!(app.rows("outbox WHERE state = 'failed'").await, 1);
}
