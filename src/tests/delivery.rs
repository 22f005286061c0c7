//! Letters reach a mail server that behaves, once, whatever it did before.

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
use crate::smtp::{Manner, SmtpServer};

/// Longer than any pause between two tries, in milliseconds.
pub const HOURS: i64 = 2 * 60 * 60 * 1000;
/// The longest a test waits for something that is bound to happen.
pub const BOUND: Duration = Duration::from_secs(20);

/// A product whose mails go to `server`.
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
    /// A postman who talks to the configured mail server.
    pub fn smtp_postman(&self) -> Arc<DeliveryWorker> {
        self.delivery_worker(Arc::new(Smtp::new(&self.config.mail).unwrap()))
    }

    /// Changes rows behind the product's back.
    pub async fn sql(&self, text: &'static str) {
        let change = move |conn: &rusqlite::Connection| Ok(conn.execute_batch(text)?);
        self.store.write(change).await.unwrap();
    }

    /// How a column of the only outbox row reads.
    pub async fn outbox_column(&self, column: &'static str) -> String {
        let read = move |conn: &rusqlite::Connection| {
            let text = format!("SELECT CAST({column} AS TEXT) FROM outbox");
            Ok(conn.query_row(&text, [], |row| row.get(0))?)
        };
        self.store.read(read).await.unwrap()
    }
}

/// Delivers until nothing is due.
pub async fn empty(delivery_worker: &Arc<DeliveryWorker>) {
    while delivery_worker.deliver_due().await.unwrap() > 0 {}
}

#[tokio::test]
async fn a_letter_arrives_once_after_everything_that_may_pass() {
    let troubles = [
        Manner::RefuseRecipient(451),
        Manner::RefuseContent(452),
        Manner::DropInContent,
        Manner::RefuseContent(421),
        Manner::RefuseRecipient(530),
    ];
    let server = SmtpServer::start(&troubles).await;
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    for tries in 1..=troubles.len() {
        empty(&delivery_worker).await;
        assert_eq!(server.begun(), tries, "one try, then a pause");
        assert_eq!(app.outbox_column("state").await, "due");
        app.clock.advance(HOURS);
    }
    empty(&delivery_worker).await;
    app.clock.advance(HOURS);
    empty(&delivery_worker).await;
    assert_eq!(server.letters().len(), 1);
    assert_eq!(app.outbox_column("state").await, "sent");
}

#[tokio::test]
async fn every_try_is_the_same_letter() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    empty(&delivery_worker).await;
    // As if the process had ended between the server's answer and our note of it.
    app.sql("UPDATE outbox SET state = 'due'").await;
    app.clock.advance(HOURS);
    empty(&delivery_worker).await;
    let letters = server.letters();
    assert_eq!(letters.len(), 2);
    assert_eq!(letters[0].message_id, letters[1].message_id);
    assert_eq!(letters[0].text, letters[1].text);
    let row = app.outbox_column("id").await;
    assert_eq!(letters[0].message_id, format!("{row}@guardpost.example"));
}

#[tokio::test]
async fn a_letter_refused_for_good_is_kept_as_failed_and_goes_when_an_operator_says_so() {
    let server = SmtpServer::start(&[Manner::RefuseRecipient(550)]).await;
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    empty(&delivery_worker).await;
    assert_eq!(app.outbox_column("state").await, "failed");
    app.clock.advance(HOURS);
    empty(&delivery_worker).await;
    assert_eq!(server.begun(), 1, "it is not tried again by itself");

    let row = app.outbox_column("id").await;
    let row = row.parse().unwrap();
    app.store.retry_email(row, app.clock.now()).await.unwrap();
    empty(&delivery_worker).await;
    assert_eq!(server.letters().len(), 1);
}

#[tokio::test]
async fn a_server_that_will_not_talk_to_us_says_nothing_about_the_letter() {
    let server = SmtpServer::start(&[]).await;
    server.greet_with("554 go away");
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    empty(&delivery_worker).await;
    assert_eq!(app.outbox_column("state").await, "due");
    server.greet_with("220 welcome");
    app.clock.advance(HOURS);
    empty(&delivery_worker).await;
    assert_eq!(server.letters().len(), 1);
}

#[tokio::test]
async fn a_server_that_is_down_is_tried_with_growing_pauses() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |config| {
        config.mail.smtp_port = 1;
        config.mail.retry_seconds = 10;
    })
    .await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    for pause in [10, 20, 40] {
        empty(&delivery_worker).await;
        app.clock.advance(pause * 1000 - 1);
        assert_eq!(
            delivery_worker.deliver_due().await.unwrap(),
            0,
            "not before {pause} s"
        );
        app.clock.advance(pause * 250 + 1);
    }
    empty(&delivery_worker).await;
    assert_eq!(app.outbox_column("attempts").await, "4");
}

/// Tries what is due now and after every hour of the next `hours`.
async fn try_hourly(app: &TestApp, delivery_worker: &Arc<DeliveryWorker>, hours: u32) {
    for _ in 0..hours {
        empty(delivery_worker).await;
        app.clock.advance(HOURS / 2);
    }
}

#[tokio::test]
async fn an_email_outlives_a_mail_server_that_is_down_for_four_days_and_is_kept_after_five() {
    let server = SmtpServer::start(&[]).await;
    let mut app = app_with(&server, |config| config.mail.smtp_port = 1).await;
    app.stored(json!({})).await;
    try_hourly(&app, &app.smtp_postman(), 4 * 24).await;
    assert_eq!(app.outbox_column("state").await, "due");

    app.config.mail.smtp_port = server.address.port();
    empty(&app.smtp_postman()).await;
    assert_eq!(server.letters().len(), 1, "the server is back");

    app.config.mail.smtp_port = 1;
    app.sql("UPDATE outbox SET state = 'due', tried_since = NULL, attempts = 0")
        .await;
    let delivery_worker = app.smtp_postman();
    try_hourly(&app, &delivery_worker, 119).await;
    assert_eq!(app.outbox_column("state").await, "due");
    try_hourly(&app, &delivery_worker, 3).await;
    assert_eq!(app.outbox_column("state").await, "failed");
    let retried = app.store.retry_all_emails(app.clock.now()).await.unwrap();
    assert_eq!(retried, 1);
    try_hourly(&app, &delivery_worker, 100).await;
    assert_eq!(
        app.outbox_column("state").await,
        "due",
        "an operator's retry counts from its first try"
    );
}

#[tokio::test]
async fn the_time_for_which_an_email_is_tried_is_a_setting() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |config| {
        config.mail.smtp_port = 1;
        config.mail.give_up_hours = 12;
    })
    .await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    try_hourly(&app, &delivery_worker, 11).await;
    assert_eq!(app.outbox_column("state").await, "due");
    try_hourly(&app, &delivery_worker, 3).await;
    assert_eq!(app.outbox_column("state").await, "failed");
}

#[tokio::test]
async fn a_clock_that_is_a_year_ahead_for_a_moment_gives_no_email_up() {
    const YEAR: i64 = 365 * 24 * 60 * 60 * 1000;
    let server = SmtpServer::start(&[]).await;
    let mut app = app_with(&server, |config| config.mail.smtp_port = 1).await;
    app.stored(json!({})).await;
    empty(&app.smtp_postman()).await;
    app.clock.advance(YEAR);
    empty(&app.smtp_postman()).await;
    app.clock.advance(-YEAR);
    app.config.mail.smtp_port = server.address.port();
    empty(&app.smtp_postman()).await;
    assert_eq!(server.letters().len(), 1);
}

#[tokio::test]
async fn refusals_that_concern_our_sign_in_end_no_email() {
    for code in [421, 450, 454, 530, 534, 535, 538] {
        let server = SmtpServer::start(&[Manner::RefuseRecipient(code)]).await;
        let app = app_with(&server, |_| {}).await;
        app.stored(json!({})).await;
        empty(&app.smtp_postman()).await;
        assert_eq!(app.outbox_column("state").await, "due", "{code}");
    }
}

#[tokio::test]
async fn an_email_during_each_of_whose_tries_the_process_ends_is_given_up() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    for _ in 0..20 {
        let room = ClaimLimits::any(1);
        let claimed = app.store.claim_due(room, 1000, app.clock.now()).await;
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
    assert_eq!(app.mailbox().len(), 1, "an operator may try again");
}

#[tokio::test]
async fn neither_visitors_nor_other_emails_wait_for_one_that_hangs() {
    let server = SmtpServer::start(&[Manner::Hang]).await;
    let app = app_with(&server, |config| config.mail.timeout_seconds = 3600).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(delivery_worker.run(stopped));
    server.has_begun(1).await;
    for _ in 0..8 {
        app.stored(json!({})).await;
    }
    server.has_taken(8).await;

    stop.send_replace(true);
    server.let_go();
    timeout(BOUND, running)
        .await
        .expect("the send under way is finished")
        .unwrap();
    assert_eq!(server.letters().len(), 9);
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 9);
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_not_taken_for_the_next_letters() {
    let server = SmtpServer::start(&[Manner::Hang]).await;
    let app = app_with(&server, |_| {}).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    delivery_worker.deliver_due().await.unwrap();
    assert_eq!(app.outbox_column("state").await, "due", "no answer in time");
    server.let_go();
    app.clock.advance(HOURS);
    empty(&delivery_worker).await;
    assert_eq!(app.outbox_column("state").await, "sent");
    let letters = server.letters();
    assert!(
        letters
            .iter()
            .all(|letter| letter.message_id == letters[0].message_id)
    );
    assert_eq!(server.begun(), 2);
    assert_eq!(
        server.connections(),
        2,
        "a connection that ran out of time is not used again"
    );
}

#[tokio::test]
async fn a_burst_shares_connections() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    for _ in 0..20 {
        app.stored(json!({})).await;
    }
    empty(&app.smtp_postman()).await;
    assert_eq!(server.letters().len(), 20);
    assert!(server.connections() <= 4, "{}", server.connections());
}

/// An office of three addresses.
fn three(config: &mut Config) {
    config.mail.to = ["one", "two", "three"]
        .map(|name| format!("{name}@guardpost.example"))
        .to_vec();
}

/// Whom the taken letters are for, sorted.
fn told(server: &SmtpServer) -> Vec<String> {
    let mut told: Vec<_> = server
        .letters()
        .iter()
        .map(|letter| letter.to.concat())
        .collect();
    told.sort();
    told
}

#[tokio::test]
async fn an_address_that_is_refused_keeps_the_letter_from_nobody_else_and_nobody_gets_it_twice() {
    let server = SmtpServer::start(&[Manner::RefuseRecipient(550)]).await;
    let app = app_with(&server, three).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    empty(&delivery_worker).await;
    assert_eq!(
        told(&server),
        ["three@guardpost.example", "two@guardpost.example"]
    );
    assert_eq!(app.rows("outbox WHERE state = 'failed'").await, 1);
    app.store.retry_all_emails(app.clock.now()).await.unwrap();
    empty(&delivery_worker).await;
    let all = [
        "one@guardpost.example",
        "three@guardpost.example",
        "two@guardpost.example",
    ];
    assert_eq!(told(&server), all, "the retry is for the refused one alone");
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 3);
}

#[tokio::test]
async fn an_address_that_is_put_off_is_tried_again_alone() {
    let server = SmtpServer::start(&[Manner::RefuseRecipient(450)]).await;
    let app = app_with(&server, three).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_postman();
    empty(&delivery_worker).await;
    assert_eq!(server.letters().len(), 2);
    app.clock.advance(HOURS);
    empty(&delivery_worker).await;
    assert_eq!(told(&server).len(), 3);
    assert_eq!(server.begun(), 4);
}

#[tokio::test]
async fn an_address_that_left_the_office_is_not_told_any_more() {
    let server = SmtpServer::start(&[Manner::RefuseRecipient(450)]).await;
    let mut app = app_with(&server, three).await;
    app.stored(json!({})).await;
    empty(&app.smtp_postman()).await;
    app.config.mail.to.remove(0);
    app.clock.advance(HOURS);
    empty(&app.smtp_postman()).await;
    assert_eq!(server.letters().len(), 2);
    assert_eq!(
        app.rows("outbox WHERE state = 'failed' AND last_error LIKE '%no longer one of%'")
            .await,
        1
    );
}
