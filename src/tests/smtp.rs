//! A mail server on loopback that accepts, rejects, hangs or disconnects as the test says.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, empty};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::mail::Mail;

/// Timeout of the wait methods.
const BOUND: Duration = Duration::from_secs(20);

/// How the server treats an email.
#[derive(Clone, Copy, Debug)]
pub enum Behavior {
    /// Accepts it.
    Accept,
    /// Replies to its recipient with this code.
    RejectRecipient(u16),
    /// Replies to its content with this code.
    RejectContent(u16),
    /// Disconnects within its content.
    DisconnectInContent,
    /// Accepts it, but replies only after `release`.
    Hang,
}

/// A mail server.
#[derive(Clone)]
pub struct SmtpServer {
    pub address: SocketAddr,
    inner: Arc<Inner>,
}

/// Encryption of connections.
#[derive(Clone)]
pub enum Protection {
    /// None.
    None,
    /// From the first byte.
    Tls(TlsAcceptor),
    /// After STARTTLS.
    Starttls(TlsAcceptor),
}

struct Inner {
    protection: Protection,
    /// Behavior for the next emails; further ones are accepted.
    behaviors: Mutex<VecDeque<Behavior>>,
    /// The first reply on a connection.
    greeting: Mutex<&'static str>,
    accepted: Mutex<Vec<String>>,
    accepted_count: watch::Sender<usize>,
    attempts: watch::Sender<usize>,
    connections: watch::Sender<usize>,
    logins: Mutex<Vec<(String, String)>>,
    release: watch::Sender<bool>,
}

impl SmtpServer {
    /// Starts a server that treats its first emails as `behaviors` say and accepts all others.
    pub async fn start(behaviors: &[Behavior]) -> Self {
        Self::protected(Protection::None, behaviors).await
    }

    /// The same with encryption.
    pub async fn protected(protection: Protection, behaviors: &[Behavior]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            inner: Arc::new(Inner {
                protection,
                behaviors: Mutex::new(behaviors.iter().copied().collect()),
                greeting: Mutex::new("220 loopback ready"),
                accepted: Mutex::default(),
                accepted_count: watch::channel(0).0,
                attempts: watch::channel(0).0,
                connections: watch::channel(0).0,
                logins: Mutex::default(),
                release: watch::channel(false).0,
            }),
        };
        let inner = server.inner.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                inner.connections.send_modify(|count| *count += 1);
                tokio::spawn(Session::run(inner.clone(), stream));
            }
        });
        server
    }

    /// Every email accepted so far.
    pub fn emails(&self) -> Vec<Mail> {
        let accepted = self.inner.accepted.lock().unwrap();
        accepted
            .iter()
            .map(|raw| Mail::read(raw.as_bytes()))
            .collect()
    }

    /// Number of emails started, accepted or not.
    pub fn attempts(&self) -> usize {
        *self.inner.attempts.borrow()
    }

    /// Users and passwords received.
    pub fn logins(&self) -> Vec<(String, String)> {
        self.inner.logins.lock().unwrap().clone()
    }

    /// Number of connections.
    pub fn connections(&self) -> usize {
        *self.inner.connections.borrow()
    }

    /// Waits until `expected` emails have been started.
    pub async fn wait_for_attempts(&self, expected: usize) {
        let mut attempts = self.inner.attempts.subscribe();
        let wait = attempts.wait_for(|count| *count >= expected);
        timeout(BOUND, wait)
            .await
            .expect("an email arrives")
            .unwrap();
    }

    /// Waits until `expected` emails have been accepted.
    pub async fn wait_for_accepted(&self, expected: usize) {
        let mut accepted = self.inner.accepted_count.subscribe();
        let wait = accepted.wait_for(|count| *count >= expected);
        timeout(BOUND, wait)
            .await
            .expect("an email arrives")
            .unwrap();
    }

    /// Sets the greeting of new connections.
    pub fn greet_with(&self, greeting: &'static str) {
        *self.inner.greeting.lock().unwrap() = greeting;
    }

    /// Lets hanging emails complete.
    pub fn release(&self) {
        self.inner.release.send_replace(true);
    }
}

/// A connection, encrypted or not.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

struct Session {
    inner: Arc<Inner>,
    stream: BufReader<Box<dyn Stream>>,
}

impl Session {
    async fn run(inner: Arc<Inner>, stream: TcpStream) {
        let mut session = Self {
            inner: inner.clone(),
            stream: BufReader::new(Box::new(stream)),
        };
        // The session ends if the client disconnects or does not trust the certificate.
        if let Protection::Tls(acceptor) = &inner.protection
            && session.start_tls(acceptor).await.is_none()
        {
            return;
        }
        let _ = session.serve().await;
    }

    /// Switches to TLS.
    async fn start_tls(&mut self, acceptor: &TlsAcceptor) -> Option<()> {
        let plain = std::mem::replace(&mut self.stream, BufReader::new(Box::new(empty())));
        let protected = acceptor.accept(plain.into_inner()).await.ok()?;
        self.stream = BufReader::new(Box::new(protected));
        Some(())
    }

    /// The next line, without its end.
    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).await.ok()?;
        (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
    }

    async fn serve(&mut self) -> Option<()> {
        let greeting = *self.inner.greeting.lock().unwrap();
        self.reply(greeting).await?;
        let mut behavior = Behavior::Accept;
        loop {
            let line = self.line().await?;
            let verb = line
                .split([' ', ':'])
                .next()
                .unwrap_or_default()
                .to_ascii_uppercase();
            match verb.as_str() {
                "EHLO" => self.hello().await?,
                "AUTH" => {
                    self.log_in(&line);
                    self.reply("235 ok").await?;
                }
                "STARTTLS" => {
                    self.reply("220 go on").await?;
                    if let Protection::Starttls(acceptor) = &self.inner.protection.clone() {
                        self.start_tls(acceptor).await?;
                    }
                }
                "MAIL" => {
                    behavior = self.next_behavior();
                    self.reply("250 ok").await?;
                }
                "RCPT" => match behavior {
                    Behavior::RejectRecipient(code) => {
                        self.reply(&format!("{code} not here")).await?
                    }
                    _ => self.reply("250 ok").await?,
                },
                "DATA" => {
                    self.reply("354 go on").await?;
                    self.content(behavior).await?;
                }
                "QUIT" => {
                    self.reply("221 bye").await?;
                    return None;
                }
                _ => self.reply("250 ok").await?,
            }
        }
    }

    /// Records the credentials of an `AUTH PLAIN` (RFC 4616: empty, user and password, separated by
    /// NUL).
    fn log_in(&self, line: &str) {
        let encoded = line.rsplit(' ').next().unwrap();
        let decoded = String::from_utf8(STANDARD.decode(encoded).unwrap()).unwrap();
        let mut parts = decoded.split('\0').skip(1).map(ToOwned::to_owned);
        let login = (parts.next().unwrap(), parts.next().unwrap());
        self.inner.logins.lock().unwrap().push(login);
    }

    async fn hello(&mut self) -> Option<()> {
        match self.inner.protection {
            Protection::Starttls(_) => self.reply("250-loopback\r\n250 STARTTLS").await,
            _ => {
                self.reply("250-loopback\r\n250-AUTH PLAIN\r\n250 8BITMIME")
                    .await
            }
        }
    }

    fn next_behavior(&self) -> Behavior {
        self.inner.attempts.send_modify(|count| *count += 1);
        let next = self.inner.behaviors.lock().unwrap().pop_front();
        next.unwrap_or(Behavior::Accept)
    }

    async fn content(&mut self, behavior: Behavior) -> Option<()> {
        let mut content = String::new();
        loop {
            let line = self.line().await?;
            if line == "." {
                break;
            }
            if matches!(behavior, Behavior::DisconnectInContent) {
                return None;
            }
            content.push_str(line.strip_prefix('.').unwrap_or(&line));
            content.push_str("\r\n");
        }
        match behavior {
            Behavior::RejectContent(code) => return self.reply(&format!("{code} no")).await,
            Behavior::Hang => {
                let mut release = self.inner.release.subscribe();
                release.wait_for(|free| *free).await.ok()?;
            }
            _ => {}
        }
        self.inner.accepted.lock().unwrap().push(content);
        self.inner.accepted_count.send_modify(|count| *count += 1);
        self.reply("250 accepted").await
    }

    async fn reply(&mut self, line: &str) -> Option<()> {
        let line = format!("{line}\r\n");
        self.stream.write_all(line.as_bytes()).await.ok()?;
        self.stream.flush().await.ok()
    }
}
