//! The mailbox of customers' answers on a real mail server: Dovecot, of the package dovecot-imapd.

use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Duration;

use config::{Inbound, Secret};
use domain::clock::Clock;
use guardpost::app;
use inbound_mail::imap::MailboxReader;
use store::Store;
use store::conversation::received::Way;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::mailbox::{Inbox, message};
use crate::inbound_mail::desk::Desk;
use crate::support::tls::issue_by_authority;

/// How long the server may take to start, and for an answer.
const BOUND: Duration = Duration::from_secs(20);

/// A running server; ended when dropped.
pub struct Dovecot {
    child: Child,
    folder: TempDir,
    port: u16,
}

impl Dovecot {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let (certificate, key) = issue_by_authority(&at.join("authority.pem"));
        std::fs::write(at.join("certificate.pem"), certificate.pem()).unwrap();
        std::fs::write(at.join("key.pem"), key.serialize_pem()).unwrap();
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/support/dovecot.sh");
        let mut command = Command::new("bash");
        let child = command.arg(script).arg(at).arg(port.to_string()).spawn();
        let server = Self {
            child: child.unwrap(),
            folder,
            port,
        };
        let listens = async {
            while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let listens = tokio::time::timeout(BOUND, listens).await;
        listens.expect("Dovecot starts; is the package dovecot-imapd installed?");
        server
    }

    /// Delivers a message as mail servers do.
    pub fn deliver(&self, name: &str, raw: impl AsRef<[u8]>) {
        let inbox = self.folder.path().join("mail");
        std::fs::write(inbox.join("tmp").join(name), raw).unwrap();
        std::fs::rename(inbox.join("tmp").join(name), inbox.join("new").join(name)).unwrap();
    }

    /// How many messages were moved into the folder `Done`.
    pub fn moved(&self) -> usize {
        let done = self.folder.path().join("mail/.Done");
        let files = ["new", "cur"].map(|part| std::fs::read_dir(done.join(part)).unwrap());
        files.into_iter().flatten().count()
    }

    /// How its mailbox is read.
    pub fn settings(&self) -> Inbound {
        let file = |name: &str| self.folder.path().join(name).to_str().unwrap().to_owned();
        Inbound {
            host: "127.0.0.1".to_owned(),
            port: self.port,
            user: "office".to_owned(),
            password: Secret::new("secret"),
            ca_file: file("authority.pem"),
            done_folder: "Done".to_owned(),
            ..Inbound::default()
        }
    }

    fn reader(&self, inbox: &Arc<Inbox>) -> MailboxReader {
        let settings = self.settings();
        let store = Store::open(&self.folder.path().join("guardpost.db")).unwrap();
        let reader = MailboxReader::new(&settings, BOUND, inbox.clone(), store, Clock::system());
        reader.unwrap().unwrap()
    }
}

impl Drop for Dovecot {
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn messages_are_received_while_the_server_waits_and_are_moved() {
    let server = Dovecot::start().await;
    let inbox: Arc<Inbox> = Arc::default();
    server.deliver("1", message("before the start"));
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(server.reader(&inbox).run(stopped));
    inbox.wait_for(1).await;
    for count in 2..=4 {
        server.deliver(&count.to_string(), message("while it waits"));
        inbox.wait_for(count).await;
    }
    stop.send_replace(true);
    running.await.unwrap();
    let again = server.reader(&inbox).read_once().await.unwrap();
    assert_eq!((again, inbox.subjects().len(), server.moved()), (0, 4, 4));
}

#[tokio::test]
async fn an_answer_in_the_mailbox_is_in_the_timeline_of_its_request() {
    let server = Dovecot::start().await;
    let desk = Desk::with(|config| {
        let inbound = config.mail.inbound.clone();
        config.mail.inbound = Inbound {
            address: inbound.address,
            authserv_id: inbound.authserv_id,
            ..server.settings()
        };
    })
    .await;
    let reader = app::workers::mailbox_reader(&desk.app.config, &desk.app.inbound);
    let reader = reader.unwrap().unwrap();
    assert_eq!(reader.read_once().await.unwrap(), 0);
    let answer = desk.answer(1, "Tuesday works.\n\nOn Mon, Nov 23, 2026 at 10:43 AM Guardpost <office@guardpost.example> wrote:\n> When shall we start?");
    server.deliver("1", &answer);
    assert_eq!(reader.read_once().await.unwrap(), 1);
    let wrote = desk.events("wrote").await;
    assert_eq!(wrote.len(), 1);
    assert_eq!(wrote[0]["detail"]["text"], "Tuesday works.");
    assert_eq!(wrote[0]["detail"]["verified"], true);
    let request = desk.request().await;
    assert_eq!(request["unread"], true);
    assert!(request["waiting_since"].is_string(), "{request}");
    assert_eq!(desk.attention().await, 1);
    // The same email by the pipe is no second message.
    let inbound = &desk.app.inbound;
    let again = inbound.receive(answer.into_bytes(), Way::Pipe, None);
    again.await.unwrap();
    inbound.take_in_pending().await;
    assert_eq!(desk.events("wrote").await.len(), 1);
    let sent = desk.reply("See you on Tuesday.").await;
    assert!(sent.raw.contains("In-Reply-To: <m1@property.example>"));
    assert!(desk.request().await["waiting_since"].is_null());
    assert_eq!(server.moved(), 1);
}
