//! The mailbox of customers' answers on a real mail server: Dovecot, of the package dovecot-imapd.

use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Duration;

use config::{Inbound, Secret};
use domain::clock::Clock;
use inbound_mail::imap::MailboxReader;
use store::Store;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::mailbox::{Inbox, message};
use crate::support::tls::issue_by_authority;

/// How long the server may take to start, and for an answer.
const BOUND: Duration = Duration::from_secs(20);

/// A running server; ended when dropped.
struct Dovecot {
    child: Child,
    folder: TempDir,
    port: u16,
}

impl Dovecot {
    async fn start() -> Self {
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
    fn deliver(&self, name: &str, raw: impl AsRef<[u8]>) {
        let inbox = self.folder.path().join("mail");
        std::fs::write(inbox.join("tmp").join(name), raw).unwrap();
        std::fs::rename(inbox.join("tmp").join(name), inbox.join("new").join(name)).unwrap();
    }

    /// How many messages were moved into the folder `Done`.
    fn moved(&self) -> usize {
        let done = self.folder.path().join("mail/.Done");
        let files = ["new", "cur"].map(|part| std::fs::read_dir(done.join(part)).unwrap());
        files.into_iter().flatten().count()
    }

    /// How its mailbox is read.
    fn settings(&self) -> Inbound {
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
    let again = server.reader(&inbox).connect_and_read().await.unwrap().1;
    assert_eq!((again, inbox.subjects().len(), server.moved()), (0, 4, 4));
}
