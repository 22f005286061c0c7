//! A mail server that pipes each email into `guardpost receive`: OpenSMTPD, of the package
//! opensmtpd. It runs as root only, and delivers as the user `nobody`.

use std::io::{BufRead, BufReader, Lines};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use lettre::address::Envelope;
use lettre::{SmtpTransport, Transport};
use serde_json::Value;
use tempfile::TempDir;

use super::desk::Desk;
use super::desk::SERVER;
use crate::server::tls::free_address;

/// How long the server may take to start.
const BOUND: Duration = Duration::from_secs(20);
const PROGRAM: &str = env!("CARGO_BIN_EXE_guardpost");

/// A running server; ended when dropped.
struct OpenSmtpd {
    child: Child,
    log: Lines<BufReader<ChildStderr>>,
    port: u16,
    folder: TempDir,
}

impl OpenSmtpd {
    /// A server that pipes emails to `office+anything@guardpost.example` into a command on `data`.
    fn start(data: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        // The user who receives may not be able to reach the folder of the build.
        std::fs::copy(PROGRAM, at("guardpost")).unwrap();
        run(
            "chmod",
            &["755".into(), folder.path().into(), at("guardpost")],
        );
        run("chown", &["-R".into(), "nobody".into(), data.into()]);
        let port: u16 = free_address().rsplit_once(':').unwrap().1.parse().unwrap();
        let receive = format!(
            "{} receive --config {} --data {}",
            at("guardpost").display(),
            at("config.toml").display(),
            data.display()
        );
        let settings = format!(
            "table desk {{ \"office@guardpost.example\" = \"nobody\" }}\n\
             listen on 127.0.0.1 port {port}\n\
             action \"desk\" mda \"{receive}\" virtual <desk>\n\
             match from any for domain \"guardpost.example\" action \"desk\"\n"
        );
        std::fs::write(at("smtpd.conf"), settings).unwrap();
        let mut command = Command::new("smtpd");
        command.args(["-d", "-f"]).arg(at("smtpd.conf"));
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let log = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut server = Self {
            child,
            log,
            port,
            folder,
        };
        server.wait_for("starting", "");
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < BOUND, "OpenSMTPD starts");
            std::thread::sleep(Duration::from_millis(50));
        }
        server
    }

    /// The settings of the command.
    fn configure(&self, more: &str) {
        let text = format!(
            "{more}\n[mail.inbound]\naddress = \"office@guardpost.example\"\n\
             authserv_id = \"{SERVER}\"\n"
        );
        std::fs::write(self.folder.path().join("config.toml"), text).unwrap();
    }

    /// The next line of the log that has both words.
    fn wait_for(&mut self, one: &str, other: &str) -> String {
        let found = self.log.by_ref().map(Result::unwrap);
        let mut found = found.filter(|line| line.contains(one) && line.contains(other));
        found.next().expect("the server runs; is it the only one?")
    }

    /// Sends an email to `to`; what the server says of its delivery.
    fn deliver(&mut self, to: &str, raw: &str) -> String {
        let address = |address: &str| address.parse().unwrap();
        let from = Some(address("maria@property.example"));
        let envelope = Envelope::new(from, vec![address(to)]).unwrap();
        let client = SmtpTransport::builder_dangerous("127.0.0.1").port(self.port);
        client
            .build()
            .send_raw(
                &envelope,
                raw.replace("\r\n", "\n").replace('\n', "\r\n").as_bytes(),
            )
            .unwrap();
        self.wait_for("stat=", to)
    }
}

impl Drop for OpenSmtpd {
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let _ = self.child.wait();
    }
}

fn run(program: &str, arguments: &[PathBuf]) {
    assert!(
        Command::new(program)
            .args(arguments)
            .status()
            .unwrap()
            .success()
    );
}

/// What the customer wrote, after the server has taken in what is stored.
async fn taken_in(desk: &Desk) -> Vec<Value> {
    desk.app.inbound.take_in_pending().await;
    desk.events("wrote").await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_that_the_mail_server_pipes_is_in_its_request_and_waits_while_the_disk_is_full() {
    let desk = Desk::start().await;
    let mut server = OpenSmtpd::start(desk.app.folder.path());
    let signed = desk.facts.signed.clone();
    server.configure("");
    let said = server.deliver(&signed, &desk.answer(1, "by the mail server"));
    assert!(said.contains("stat=Delivered"), "{said}");
    let wrote = taken_in(&desk).await;
    assert_eq!(wrote[0]["detail"]["text"], "by the mail server");
    assert_eq!(wrote[0]["detail"]["verified"], true);
    assert!(desk.request().await["waiting_since"].is_string());
    // The address of the envelope leads to the request too.
    let hidden = desk
        .answer(2, "as a blind copy")
        .replace(&signed, "undisclosed@x.example");
    let hidden = hidden.replace(&desk.facts.ours, "<unknown@x.example>");
    assert!(server.deliver(&signed, &hidden).contains("stat=Delivered"));
    assert_eq!(taken_in(&desk).await.len(), 2);
    // A full disk: the mail server keeps the email and tries again.
    server.configure("[files]\nreserve_mb = 1000000000\n");
    let said = server.deliver(&signed, &desk.answer(3, "later"));
    assert!(said.contains("result=TempFail"), "{said}");
    assert!(said.contains("the disk is full"), "{said}");
    assert_eq!(taken_in(&desk).await.len(), 2);
    server.configure("");
    run("smtpctl", &["schedule".into(), "all".into()]);
    let said = server.wait_for("stat=", &signed);
    assert!(said.contains("stat=Delivered"), "{said}");
    assert_eq!(taken_in(&desk).await.len(), 3);
    assert_eq!(
        desk.app
            .rows("received_emails WHERE state <> 'attached'")
            .await,
        0
    );
}
