//! The postman and the rows: leases, clocks, several processes, files, and what becomes of old and late letters.

use std::sync::Arc;

use guardpost::outbox::DeliveryWorker;
use guardpost::outbox::mailer::Folder;
use guardpost::store::ClaimLimits;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::app::TestApp;
use crate::delivery::{BOUND, HOURS, app_with, empty};
use crate::log::Log;
use crate::smtp::SmtpServer;

#[tokio::test]
async fn two_postmen_on_one_database_deliver_each_letter_once() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    for _ in 0..40 {
        app.stored(json!({})).await;
    }
    let other = app.beside().await;
    tokio::join!(empty_of(app.smtp_postman()), empty_of(other.smtp_postman()));
    let mut ids: Vec<_> = server
        .letters()
        .into_iter()
        .map(|letter| letter.message_id)
        .collect();
    assert_eq!(ids.len(), 40);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 40);
}

async fn empty_of(delivery_worker: Arc<DeliveryWorker>) {
    empty(&delivery_worker).await;
}

#[tokio::test]
async fn what_a_dead_process_had_in_hand_is_delivered_when_its_lease_is_over() {
    let mut app = TestApp::start().await;
    app.stored(json!({})).await;
    let lease = 60_000;
    let in_hand = app
        .store
        .claim_due(ClaimLimits::any(5), lease, app.clock.now())
        .await
        .unwrap();
    assert_eq!(in_hand.len(), 1);
    app.restart().await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 0, "somebody may still be at it");
    app.clock.advance(lease);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
}

#[tokio::test]
async fn a_clock_that_jumps_back_delays_no_letter() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    app.clock.advance(-30 * 60 * 1000);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1, "a first try waits for no clock");

    app.stored(json!({})).await;
    app.sql(
        "UPDATE outbox SET due_at = '2026-11-23T12:00:00.000Z', attempts = 3 WHERE state = 'due'",
    )
    .await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 2, "nothing is ever put off so far");

    app.stored(json!({})).await;
    let lease = 90_000;
    app.store
        .claim_due(ClaimLimits::any(5), lease, app.clock.now())
        .await
        .unwrap();
    app.clock.advance(-24 * 60 * 60 * 1000);
    app.run_outbox().await;
    assert_eq!(
        app.mailbox().len(),
        2,
        "the holder of a lease has its full time"
    );
    app.clock.advance(lease);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 3);
}

#[tokio::test]
async fn a_committed_notice_wakes_the_postman() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(app.smtp_postman().run(stopped));
    app.stored(json!({})).await;
    server.has_begun(1).await;
    let other = app.beside().await;
    other.stored(json!({})).await;
    server.has_begun(2).await;
    stop.send_replace(true);
    timeout(BOUND, running)
        .await
        .expect("the delivery_worker stops")
        .unwrap();
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 2);
}

#[tokio::test]
async fn a_letter_untold_for_an_hour_is_one_line_in_the_log_and_a_figure() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |config| config.mail.smtp_port = 1).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    let log = Log::start();
    empty(&delivery_worker).await;
    delivery_worker.tend().await;
    assert_eq!(log.count("could not be told for an hour"), 0);
    app.clock.advance(60 * 60 * 1000 + 1);
    for _ in 0..3 {
        delivery_worker.tend().await;
    }
    assert_eq!(log.count("could not be told for an hour"), 1);
    let counts = app.store.outbox_counts(app.clock.now()).await.unwrap();
    assert_eq!(counts.late, 1);
    assert!(
        !log.text().contains("maria@"),
        "no address in the log: {}",
        log.text()
    );
}

#[tokio::test]
async fn rows_of_letters_that_left_long_ago_are_removed() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    app.run_outbox().await;
    let delivery_worker = app.mailbox_worker();
    app.clock.advance(29 * 24 * 60 * 60 * 1000);
    delivery_worker.tend().await;
    assert_eq!(app.rows("outbox").await, 1);
    app.stored(json!({})).await;
    app.clock.advance(2 * 24 * 60 * 60 * 1000);
    delivery_worker.tend().await;
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 0);
    assert_eq!(app.rows("outbox").await, 1, "what has not left stays");
}

#[tokio::test]
async fn without_a_mail_server_letters_are_files_and_a_second_try_writes_over_the_first() {
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
    empty(&delivery_worker).await;
    let row = app.outbox_column("id").await;
    let expected = format!("2026-11-21T12-00-00.000Z-quote-{row}.eml");
    assert_eq!(names(), std::slice::from_ref(&expected));

    app.sql("UPDATE outbox SET state = 'due'").await;
    empty(&delivery_worker).await;
    assert_eq!(names(), [expected]);
    app.clock.advance(1000);
    app.stored(json!({})).await;
    empty(&delivery_worker).await;
    assert!(
        names()[1].contains("12-00-01"),
        "names sort by time: {:?}",
        names()
    );
}

#[tokio::test]
async fn a_mail_folder_that_cannot_be_written_loses_nothing() {
    let app = TestApp::start().await;
    let folder = app.folder.path().join("mail");
    let delivery_worker = app.delivery_worker(Arc::new(Folder::open(&folder).unwrap()));
    std::fs::remove_dir(&folder).unwrap();
    app.stored(json!({})).await;
    empty(&delivery_worker).await;
    assert_eq!(app.outbox_column("state").await, "due");
    std::fs::create_dir(&folder).unwrap();
    app.clock.advance(HOURS);
    empty(&delivery_worker).await;
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[tokio::test]
async fn a_notice_that_cannot_be_read_is_kept_as_failed_and_holds_up_nobody() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    app.sql("UPDATE outbox SET notice = '{\"notice\":\"pigeon\"}'")
        .await;
    app.stored(json!({})).await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
    assert_eq!(app.rows("outbox WHERE state = 'failed'").await, 1);
}
