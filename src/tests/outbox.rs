//! The promise is kept later: letters reach a mail server that behaves, once, whatever happened before.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use guardpost::config::{Config, SmtpSecurity};
use guardpost::outbox::Postman;
use guardpost::outbox::mailer::{Folder, Smtp};
use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;
use tracing::subscriber::DefaultGuard;

use crate::app::TestApp;
use crate::quotes::quote;
use crate::smtp::{Manner, SmtpServer};

/// Longer than any pause between two tries, in milliseconds.
const HOURS: i64 = 2 * 60 * 60 * 1000;
/// The longest a test waits for something that is bound to happen.
const BOUND: Duration = Duration::from_secs(20);

/// A product whose mails go to `server`.
async fn app_with(server: &SmtpServer, adjust: impl FnOnce(&mut Config)) -> TestApp {
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
    fn smtp_postman(&self) -> Arc<Postman> {
        self.postman(Arc::new(Smtp::new(&self.config.mail).unwrap()))
    }

    /// Stores a quote with its notice.
    async fn quote_from(&self, address: u8) {
        let answer = self
            .ask(&format!("198.51.100.{address}"), None, &quote(json!({})))
            .await;
        assert_eq!(answer.status(), 201);
    }

    /// Changes rows behind the product's back.
    async fn sql(&self, text: &'static str) {
        let change = move |conn: &rusqlite::Connection| Ok(conn.execute_batch(text)?);
        self.store.write(change).await.unwrap();
    }

    /// How a column of the only outbox row reads.
    async fn outbox_column(&self, column: &'static str) -> String {
        let read = move |conn: &rusqlite::Connection| {
            let text = format!("SELECT CAST({column} AS TEXT) FROM outbox");
            Ok(conn.query_row(&text, [], |row| row.get(0))?)
        };
        self.store.read(read).await.unwrap()
    }
}

/// Delivers until nothing is due.
async fn empty(postman: &Arc<Postman>) {
    while postman.deliver_due().await.unwrap() > 0 {}
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
    app.quote_from(1).await;
    let postman = app.smtp_postman();
    for tries in 1..=troubles.len() {
        empty(&postman).await;
        assert_eq!(server.begun(), tries, "one try, then a pause");
        assert_eq!(app.outbox_column("state").await, "due");
        app.clock.turn(HOURS);
    }
    empty(&postman).await;
    app.clock.turn(HOURS);
    empty(&postman).await;
    assert_eq!(server.letters().len(), 1);
    assert_eq!(app.outbox_column("state").await, "sent");
}

#[tokio::test]
async fn every_try_is_the_same_letter() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    app.quote_from(1).await;
    let postman = app.smtp_postman();
    empty(&postman).await;
    // As if the process had ended between the server's answer and our note of it.
    app.sql("UPDATE outbox SET state = 'due'").await;
    app.clock.turn(HOURS);
    empty(&postman).await;
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
    app.quote_from(1).await;
    let postman = app.smtp_postman();
    empty(&postman).await;
    assert_eq!(app.outbox_column("state").await, "failed");
    app.clock.turn(HOURS);
    empty(&postman).await;
    assert_eq!(server.begun(), 1, "it is not tried again by itself");

    let row = app.outbox_column("id").await;
    app.store.retry_letter(row, app.clock.now()).await.unwrap();
    empty(&postman).await;
    assert_eq!(server.letters().len(), 1);
}

#[tokio::test]
async fn a_server_that_will_not_talk_to_us_says_nothing_about_the_letter() {
    let server = SmtpServer::start(&[]).await;
    server.greet_with("554 go away");
    let app = app_with(&server, |_| {}).await;
    app.quote_from(1).await;
    let postman = app.smtp_postman();
    empty(&postman).await;
    assert_eq!(app.outbox_column("state").await, "due");
    server.greet_with("220 welcome");
    app.clock.turn(HOURS);
    empty(&postman).await;
    assert_eq!(server.letters().len(), 1);
}

#[tokio::test]
async fn a_server_that_is_down_is_tried_with_growing_pauses_and_in_the_end_the_letter_is_kept() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |config| {
        config.mail.smtp_port = 1;
        config.mail.max_attempts = 4;
        config.mail.retry_seconds = 10;
    })
    .await;
    app.quote_from(1).await;
    let postman = app.smtp_postman();
    for pause in [10, 20, 40] {
        empty(&postman).await;
        app.clock.turn(pause * 1000 - 1);
        assert_eq!(
            postman.deliver_due().await.unwrap(),
            0,
            "not before {pause} s"
        );
        app.clock.turn(pause * 250 + 1);
    }
    empty(&postman).await;
    assert_eq!(app.outbox_column("state").await, "failed");
    assert_eq!(app.outbox_column("attempts").await, "4");
    assert_eq!(
        app.store.retry_all_letters(app.clock.now()).await.unwrap(),
        1
    );
    assert_eq!(app.outbox_column("state").await, "due");
}

#[tokio::test]
async fn no_visitor_waits_for_a_server_that_hangs() {
    let server = SmtpServer::start(&[Manner::Hang]).await;
    let app = app_with(&server, |config| config.mail.timeout_seconds = 3600).await;
    app.quote_from(1).await;
    let postman = app.smtp_postman();
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(postman.run(stopped));
    server.has_begun(1).await;
    app.quote_from(2).await;
    assert_eq!(
        server.letters().len(),
        0,
        "the first letter is still hanging"
    );

    stop.send_replace(true);
    server.let_go();
    timeout(BOUND, running)
        .await
        .expect("the send under way is finished")
        .unwrap();
    let sent = server.letters().len();
    assert!(sent >= 1);
    assert_eq!(
        app.rows("outbox WHERE state = 'sent'").await,
        i64::try_from(sent).unwrap()
    );
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_not_taken_for_the_next_letters() {
    let server = SmtpServer::start(&[Manner::Hang]).await;
    let app = app_with(&server, |_| {}).await;
    app.quote_from(1).await;
    let postman = app.smtp_postman();
    postman.deliver_due().await.unwrap();
    assert_eq!(app.outbox_column("state").await, "due", "no answer in time");
    server.let_go();
    app.clock.turn(HOURS);
    empty(&postman).await;
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
    for address in 1..=20 {
        app.quote_from(address).await;
    }
    empty(&app.smtp_postman()).await;
    assert_eq!(server.letters().len(), 20);
    assert!(server.connections() <= 4, "{}", server.connections());
}

#[tokio::test]
async fn two_postmen_on_one_database_deliver_each_letter_once() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    for address in 1..=40 {
        app.quote_from(address).await;
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

async fn empty_of(postman: Arc<Postman>) {
    empty(&postman).await;
}

#[tokio::test]
async fn what_a_dead_process_had_in_hand_is_delivered_when_its_lease_is_over() {
    let mut app = TestApp::start().await;
    app.quote_from(1).await;
    let lease = 60_000;
    let in_hand = app
        .store
        .claim_due(5, lease, app.clock.now())
        .await
        .unwrap();
    assert_eq!(in_hand.len(), 1);
    app.restart().await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 0, "somebody may still be at it");
    app.clock.turn(lease);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
}

#[tokio::test]
async fn a_clock_that_jumps_back_delays_no_letter() {
    let app = TestApp::start().await;
    app.quote_from(1).await;
    app.clock.turn(-30 * 60 * 1000);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1, "a first try waits for no clock");

    app.quote_from(2).await;
    app.sql(
        "UPDATE outbox SET due_at = '2026-11-23T12:00:00.000Z', attempts = 3 WHERE state = 'due'",
    )
    .await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 2, "nothing is ever put off so far");

    app.quote_from(3).await;
    let lease = 90_000;
    app.store
        .claim_due(5, lease, app.clock.now())
        .await
        .unwrap();
    app.clock.turn(-24 * 60 * 60 * 1000);
    app.run_outbox().await;
    assert_eq!(
        app.mailbox().len(),
        2,
        "the holder of a lease has its full time"
    );
    app.clock.turn(lease);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 3);
}

#[tokio::test]
async fn a_committed_notice_wakes_the_postman() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |_| {}).await;
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(app.smtp_postman().run(stopped));
    app.quote_from(1).await;
    server.has_begun(1).await;
    let other = app.beside().await;
    other.quote_from(2).await;
    server.has_begun(2).await;
    stop.send_replace(true);
    timeout(BOUND, running)
        .await
        .expect("the postman stops")
        .unwrap();
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 2);
}

#[tokio::test]
async fn a_letter_untold_for_an_hour_is_one_line_in_the_log_and_a_figure() {
    let server = SmtpServer::start(&[]).await;
    let app = app_with(&server, |config| config.mail.smtp_port = 1).await;
    app.quote_from(1).await;
    let postman = app.smtp_postman();
    let log = Log::start();
    empty(&postman).await;
    postman.tend().await;
    assert_eq!(log.count("could not be told for an hour"), 0);
    app.clock.turn(60 * 60 * 1000 + 1);
    for _ in 0..3 {
        postman.tend().await;
    }
    assert_eq!(log.count("could not be told for an hour"), 1);
    assert_eq!(app.store.outbox_counts().await.unwrap().late, 1);
    assert!(
        !log.text().contains("maria@"),
        "no address in the log: {}",
        log.text()
    );
}

#[tokio::test]
async fn rows_of_letters_that_left_long_ago_are_removed() {
    let app = TestApp::start().await;
    app.quote_from(1).await;
    app.run_outbox().await;
    let postman = app.mailbox_postman();
    app.clock.turn(29 * 24 * 60 * 60 * 1000);
    postman.tend().await;
    assert_eq!(app.rows("outbox").await, 1);
    app.quote_from(2).await;
    app.clock.turn(2 * 24 * 60 * 60 * 1000);
    postman.tend().await;
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 0);
    assert_eq!(app.rows("outbox").await, 1, "what has not left stays");
}

#[tokio::test]
async fn without_a_mail_server_letters_are_files_and_a_second_try_writes_over_the_first() {
    let app = TestApp::start().await;
    let folder = app.folder.path().join("mail");
    let postman = app.postman(Arc::new(Folder::open(&folder).unwrap()));
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    app.quote_from(1).await;
    empty(&postman).await;
    let row = app.outbox_column("id").await;
    let expected = format!("2026-11-21T12-00-00.000Z-quote-{row}.eml");
    assert_eq!(names(), std::slice::from_ref(&expected));

    app.sql("UPDATE outbox SET state = 'due'").await;
    empty(&postman).await;
    assert_eq!(names(), [expected]);
    app.clock.turn(1000);
    app.quote_from(2).await;
    empty(&postman).await;
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
    let postman = app.postman(Arc::new(Folder::open(&folder).unwrap()));
    std::fs::remove_dir(&folder).unwrap();
    app.quote_from(1).await;
    empty(&postman).await;
    assert_eq!(app.outbox_column("state").await, "due");
    std::fs::create_dir(&folder).unwrap();
    app.clock.turn(HOURS);
    empty(&postman).await;
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[tokio::test]
async fn a_notice_that_cannot_be_read_is_kept_as_failed_and_holds_up_nobody() {
    let app = TestApp::start().await;
    app.quote_from(1).await;
    app.sql("UPDATE outbox SET notice = '{\"notice\":\"pigeon\"}'")
        .await;
    app.quote_from(2).await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
    assert_eq!(app.rows("outbox WHERE state = 'failed'").await, 1);
}

/// What this thread logs while it lives.
struct Log {
    text: Arc<Mutex<Vec<u8>>>,
    _guard: DefaultGuard,
}

impl Log {
    fn start() -> Self {
        let text: Arc<Mutex<Vec<u8>>> = Arc::default();
        let writer = LogWriter(text.clone());
        let subscriber = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .with_ansi(false)
            .finish();
        Self {
            text,
            _guard: tracing::subscriber::set_default(subscriber),
        }
    }

    fn text(&self) -> String {
        String::from_utf8(self.text.lock().unwrap().clone()).unwrap()
    }

    fn count(&self, words: &str) -> usize {
        self.text().matches(words).count()
    }
}

#[derive(Clone)]
struct LogWriter(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
