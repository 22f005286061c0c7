//! The mailbox of customers' answers, read by IMAP from a server that misbehaves.

use std::sync::Arc;
use std::time::Duration;

use config::{Inbound, Secret};
use domain::clock::Clock;
use futures_util::future::BoxFuture;
use inbound_mail::imap::{MailboxReader, Receive};
use parking_lot::Mutex;
use store::Store;
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::support::imap::{Fault, ImapServer};
use crate::support::log::Log;
use crate::support::tls::issued_by_authority;

/// Maximum time for a message to arrive.
const BOUND: Duration = Duration::from_secs(40);
/// The timeout of the reader for an answer of the server.
const PATIENCE: Duration = Duration::from_millis(400);

/// Receives messages; the first ones are refused as on a full disk, as many as `failures` says.
#[derive(Default)]
pub(super) struct Inbox {
    received: Mutex<Vec<String>>,
    pub(super) failures: Mutex<usize>,
    arrived: watch::Sender<usize>,
}

impl Receive for Inbox {
    fn receive(&self, raw: Vec<u8>) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move {
            let mut failures = self.failures.lock();
            if *failures > 0 {
                *failures -= 1;
                return Err("the disk is full".to_owned());
            }
            self.received.lock().push(String::from_utf8(raw).unwrap());
            self.arrived.send_modify(|count| *count += 1);
            Ok(())
        })
    }
}

impl Inbox {
    /// Returns when so many messages have arrived.
    pub(super) async fn wait_for(&self, count: usize) {
        let mut arrived = self.arrived.subscribe();
        let enough = arrived.wait_for(|it| *it == count);
        timeout(BOUND, enough).await.unwrap().unwrap();
    }

    /// The subjects of what was received.
    pub(super) fn subjects(&self) -> Vec<String> {
        let received = self.received.lock();
        let subject = |raw: &String| {
            raw.split_once("Subject: ")
                .unwrap()
                .1
                .lines()
                .next()
                .map(str::to_owned)
        };
        received.iter().filter_map(subject).collect()
    }
}

/// A mailbox, its reader, and what the reader has received.
pub(super) struct Mailbox {
    pub(super) server: ImapServer,
    pub(super) inbox: Arc<Inbox>,
    pub(super) settings: Inbound,
    pub(super) store: Store,
    pub(super) clock: Clock,
    folder: TempDir,
}

impl Mailbox {
    pub(super) async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("authority.pem");
        let server = ImapServer::start(issued_by_authority(&file)).await;
        Self {
            inbox: Arc::default(),
            settings: Inbound {
                host: server.address.ip().to_string(),
                port: server.address.port(),
                user: "office".to_owned(),
                password: Secret::new("secret"),
                ca_file: file.to_str().unwrap().to_owned(),
                ..Inbound::default()
            },
            server,
            store: Store::open(&folder.path().join("guardpost.db")).unwrap(),
            clock: Clock::system(),
            folder,
        }
    }

    pub(super) fn reader(&self) -> MailboxReader {
        let (inbox, store) = (self.inbox.clone(), self.store.clone());
        let reader = MailboxReader::new(&self.settings, PATIENCE, inbox, store, self.clock.clone());
        reader.unwrap().unwrap()
    }

    /// Reads the mailbox; returns how many messages were new.
    pub(super) async fn read(&self) -> usize {
        self.reader().connect_and_read().await.unwrap().1
    }

    /// What its state says that is wrong.
    pub(super) async fn problems(&self) -> String {
        let name = inbound_mail::imap::mailbox_name(&self.settings);
        let state = self.store.mailbox_state(name).await.unwrap();
        state.problems(self.clock.now()).join(" ")
    }

    pub(super) fn set_fault(&self, fault: Fault) {
        self.server.change(|it| it.fault = fault);
    }

    /// Reads the mailbox; why it failed.
    pub(super) async fn failure(&self) -> String {
        let read = self.reader().connect_and_read().await;
        read.map(drop).unwrap_err().to_string()
    }
}

pub(super) fn message(subject: &str) -> String {
    format!("From: maria@customer.example\r\nSubject: {subject}\r\n\r\nHello\r\n")
}

#[tokio::test]
async fn each_message_is_received_once_and_in_order_across_restarts() {
    let mailbox = Mailbox::open().await;
    for subject in ["one", "two"] {
        mailbox.server.deliver(message(subject));
    }
    assert_eq!(mailbox.read().await, 2);
    assert_eq!(mailbox.read().await, 0);
    mailbox.server.deliver(message("three"));
    assert_eq!(mailbox.read().await, 1);
    assert_eq!(mailbox.inbox.subjects(), ["one", "two", "three"]);
    assert_eq!(
        mailbox.server.read(|it| it.inbox.len()),
        3,
        "nothing is deleted"
    );
}

#[tokio::test]
async fn the_password_can_be_in_a_file() {
    let mut mailbox = Mailbox::open().await;
    let file = mailbox.folder.path().join("password");
    std::fs::write(&file, "secret\n").unwrap();
    mailbox.settings.password = Secret::default();
    mailbox.settings.password_file = file.to_str().unwrap().to_owned();
    mailbox.server.deliver(message("one"));
    assert_eq!(mailbox.read().await, 1);
}

#[tokio::test]
async fn an_empty_mailbox_remembers_its_place() {
    let mailbox = Mailbox::open().await;
    mailbox.server.change(|it| it.next_uid = 4000);
    assert_eq!(mailbox.read().await, 0);
    mailbox.read().await;
    let asked = mailbox.server.read(|it| it.commands.join("\n"));
    assert!(asked.contains("UID SEARCH SINCE"), "{asked}");
    assert!(asked.contains("UID SEARCH UID 4000:*"), "{asked}");
}

#[tokio::test]
async fn a_message_that_cannot_be_stored_is_read_again() {
    let mailbox = Mailbox::open().await;
    for subject in ["one", "two", "three"] {
        mailbox.server.deliver(message(subject));
    }
    *mailbox.inbox.failures.lock() = 1;
    assert_eq!(
        mailbox.failure().await,
        "a message could not be stored: the disk is full"
    );
    assert_eq!(mailbox.read().await, 3);
    assert_eq!(mailbox.inbox.subjects(), ["one", "two", "three"]);
}

#[tokio::test]
async fn after_a_new_numbering_the_last_days_are_read_again() {
    let mailbox = Mailbox::open().await;
    mailbox.server.deliver(message("one"));
    mailbox.read().await;
    mailbox.server.change(|it| {
        it.uid_validity = 2;
        it.inbox = vec![(1, message("one").into()), (2, message("two").into())];
        it.next_uid = 3;
    });
    assert_eq!(mailbox.read().await, 2);
    assert_eq!(mailbox.read().await, 0);
    assert_eq!(
        mailbox.inbox.subjects(),
        ["one", "one", "two"],
        "repeated ones are detected later"
    );
}

#[tokio::test]
async fn read_messages_are_moved_if_a_folder_is_named() {
    let mut mailbox = Mailbox::open().await;
    mailbox.settings.done_folder = "Done".to_owned();
    mailbox.server.deliver(message("one"));
    mailbox.read().await;
    let moved = mailbox.server.read(|it| (it.inbox.len(), it.moved.len()));
    assert_eq!(moved, (0, 1));
    for (capabilities, folder) in [("IDLE", "Done"), ("IDLE MOVE", "Missing")] {
        mailbox.settings.done_folder = folder.to_owned();
        mailbox.server.change(|it| it.capabilities = capabilities);
        mailbox.server.deliver(message("stays"));
        assert_eq!(mailbox.read().await, 1, "{folder}");
    }
    assert_eq!(
        mailbox.server.read(|it| it.inbox.len()),
        2,
        "what cannot be moved stays"
    );
}

#[tokio::test]
async fn a_message_is_received_whole_up_to_the_size_of_the_settings() {
    let mut mailbox = Mailbox::open().await;
    let long = |megabytes: usize| message("Plans") + &"x".repeat(megabytes * 1024 * 1024);
    for (max_mb, is_whole) in [(2, false), (4, true)] {
        mailbox.settings.max_mb = max_mb;
        mailbox.inbox = Arc::default();
        mailbox.server.deliver(long(3));
        mailbox.read().await;
        let received = mailbox.inbox.received.lock().join("");
        assert!(received.contains("Subject: Plans"), "{max_mb} MB");
        assert_eq!(received.len() > 3 * 1024 * 1024, is_whole, "{max_mb} MB");
        assert_eq!(received.contains("too long"), !is_whole, "{max_mb} MB");
    }
}

#[tokio::test]
async fn each_fault_of_the_server_is_named_and_nothing_is_lost() {
    let mailbox = Mailbox::open().await;
    mailbox.server.deliver(message("one"));
    for (fault, error) in [
        (
            Fault::Password,
            "the user name or the password is refused: [AUTHENTICATIONFAILED] Invalid credentials",
        ),
        (Fault::Silent("LOGIN"), "no answer for 0 s"),
        (Fault::Silent("UID FETCH"), "no answer for 0 s"),
        (Fault::HalfMessage, "the connection has ended"),
        (
            Fault::Nonsense,
            "the server sends something that is not IMAP",
        ),
    ] {
        mailbox.set_fault(fault);
        let failure = mailbox.failure().await;
        assert!(failure.starts_with(error), "{fault:?}: {failure}");
        assert!(!failure.contains("Subject"), "{failure}");
    }
    mailbox.set_fault(Fault::None);
    assert_eq!(mailbox.read().await, 1);
}

#[tokio::test]
async fn a_wrong_folder_and_an_unknown_certificate_are_named() {
    let mut mailbox = Mailbox::open().await;
    mailbox.settings.folder = "Nowhere".to_owned();
    assert_eq!(
        mailbox.failure().await,
        "the folder `Nowhere` cannot be opened: no such folder"
    );
    mailbox.settings.ca_file.clear();
    let failure = mailbox.failure().await;
    assert!(failure.contains("UnknownIssuer"), "{failure}");
}

#[tokio::test]
async fn a_message_is_received_while_the_connection_is_idle() {
    let mailbox = Mailbox::open().await;
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(mailbox.reader().run(stopped));
    for count in 1..=3 {
        mailbox.server.deliver(message("now"));
        mailbox.inbox.wait_for(count).await;
    }
    let logins = mailbox.server.read(|it| {
        it.commands
            .iter()
            .filter(|it| it.starts_with("LOGIN"))
            .count()
    });
    assert_eq!(logins, 1, "on one connection");
    stop.send_replace(true);
    running.await.unwrap();
}

#[tokio::test]
async fn an_outage_is_a_line_of_the_log() {
    let log = Log::start();
    let mailbox = Mailbox::open().await;
    mailbox.set_fault(Fault::Password);
    let (_stop, stopped) = watch::channel(false);
    let running = tokio::spawn(mailbox.reader().run(stopped));
    let line = "the mailbox cannot be read";
    let logged = async {
        while log.count(line) == 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(BOUND, logged).await.unwrap();
    running.abort();
    let reason = "the user name or the password is refused";
    assert_eq!(
        (log.count(line), log.count(reason)),
        (1, 1),
        "{}",
        log.text()
    );
}

#[tokio::test]
async fn a_server_that_reports_nothing_is_asked() {
    let mut mailbox = Mailbox::open().await;
    mailbox.server.change(|it| it.capabilities = "MOVE");
    mailbox.settings.poll_seconds = 1;
    let (_stop, stopped) = watch::channel(false);
    let running = tokio::spawn(mailbox.reader().run(stopped));
    timeout(BOUND, mailbox.server.wait_for("NOOP"))
        .await
        .unwrap();
    mailbox.server.deliver(message("now"));
    mailbox.inbox.wait_for(1).await;
    running.abort();
}
