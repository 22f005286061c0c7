//! A mail server on loopback that does what the test says: takes letters, refuses, hangs, or hangs up in the middle of one.

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

/// The longest a test waits for the server to have seen something.
const BOUND: Duration = Duration::from_secs(20);

/// How the server meets a letter.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    /// Takes it.
    Take,
    /// Answers this to its recipient.
    RefuseRecipient(u16),
    /// Answers this to its content.
    RefuseContent(u16),
    /// Hangs up in the middle of its content.
    DropInContent,
    /// Takes it, but says so only when it is let go.
    Hang,
}

/// A mail server.
#[derive(Clone)]
pub struct SmtpServer {
    pub address: SocketAddr,
    inner: Arc<Inner>,
}

/// How connections are protected.
#[derive(Clone)]
pub enum Protection {
    /// Not at all.
    None,
    /// From the first byte.
    Tls(TlsAcceptor),
    /// After STARTTLS.
    Starttls(TlsAcceptor),
}

struct Inner {
    protection: Protection,
    /// How the next letters are met; then they are taken.
    manners: Mutex<VecDeque<Manner>>,
    /// What the server says first.
    greeting: Mutex<&'static str>,
    taken: Mutex<Vec<String>>,
    count: watch::Sender<usize>,
    begun: watch::Sender<usize>,
    connections: watch::Sender<usize>,
    logins: Mutex<Vec<(String, String)>>,
    let_go: watch::Sender<bool>,
}

impl SmtpServer {
    /// Starts one that meets its first letters as `manners` say and takes all others.
    pub async fn start(manners: &[Manner]) -> Self {
        Self::protected(Protection::None, manners).await
    }

    /// The same with protected connections.
    pub async fn protected(protection: Protection, manners: &[Manner]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            inner: Arc::new(Inner {
                protection,
                manners: Mutex::new(manners.iter().copied().collect()),
                greeting: Mutex::new("220 loopback ready"),
                taken: Mutex::default(),
                count: watch::channel(0).0,
                begun: watch::channel(0).0,
                connections: watch::channel(0).0,
                logins: Mutex::default(),
                let_go: watch::channel(false).0,
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

    /// Every letter taken so far, as its reader sees it.
    pub fn letters(&self) -> Vec<Mail> {
        let taken = self.inner.taken.lock().unwrap();
        taken.iter().map(|raw| Mail::read(raw.as_bytes())).collect()
    }

    /// How many letters were begun, taken or not.
    pub fn begun(&self) -> usize {
        *self.inner.begun.borrow()
    }

    /// Users and passwords as they were given.
    pub fn logins(&self) -> Vec<(String, String)> {
        self.inner.logins.lock().unwrap().clone()
    }

    /// How many connections were made.
    pub fn connections(&self) -> usize {
        *self.inner.connections.borrow()
    }

    /// Done when `letters` have been begun.
    pub async fn has_begun(&self, letters: usize) {
        let mut begun = self.inner.begun.subscribe();
        let wait = begun.wait_for(|count| *count >= letters);
        timeout(BOUND, wait).await.expect("a letter comes").unwrap();
    }

    /// Done when `letters` have been taken.
    pub async fn has_taken(&self, letters: usize) {
        let mut taken = self.inner.count.subscribe();
        let wait = taken.wait_for(|count| *count >= letters);
        timeout(BOUND, wait).await.expect("a letter comes").unwrap();
    }

    /// Says this to everybody who connects from now on.
    pub fn greet_with(&self, greeting: &'static str) {
        *self.inner.greeting.lock().unwrap() = greeting;
    }

    /// Ends every hanging.
    pub fn let_go(&self) {
        self.inner.let_go.send_replace(true);
    }
}

/// A connection, protected or not.
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
        // Whoever hangs up, or does not trust the certificate, ends the session.
        if let Protection::Tls(acceptor) = &inner.protection
            && session.protect(acceptor).await.is_none()
        {
            return;
        }
        let _ = session.talk().await;
    }

    /// Goes on with TLS.
    async fn protect(&mut self, acceptor: &TlsAcceptor) -> Option<()> {
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

    async fn talk(&mut self) -> Option<()> {
        let greeting = *self.inner.greeting.lock().unwrap();
        self.say(greeting).await?;
        let mut manner = Manner::Take;
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
                    self.say("235 ok").await?;
                }
                "STARTTLS" => {
                    self.say("220 go on").await?;
                    if let Protection::Starttls(acceptor) = &self.inner.protection.clone() {
                        self.protect(acceptor).await?;
                    }
                }
                "MAIL" => {
                    manner = self.next_manner();
                    self.say("250 ok").await?;
                }
                "RCPT" => match manner {
                    Manner::RefuseRecipient(code) => self.say(&format!("{code} not here")).await?,
                    _ => self.say("250 ok").await?,
                },
                "DATA" => {
                    self.say("354 go on").await?;
                    self.content(manner).await?;
                }
                "QUIT" => {
                    self.say("221 bye").await?;
                    return None;
                }
                _ => self.say("250 ok").await?,
            }
        }
    }

    /// Remembers what an `AUTH PLAIN` says (RFC 4616: nothing, user and password between NULs).
    fn log_in(&self, line: &str) {
        let encoded = line.rsplit(' ').next().unwrap();
        let said = String::from_utf8(STANDARD.decode(encoded).unwrap()).unwrap();
        let mut parts = said.split('\0').skip(1).map(ToOwned::to_owned);
        let login = (parts.next().unwrap(), parts.next().unwrap());
        self.inner.logins.lock().unwrap().push(login);
    }

    async fn hello(&mut self) -> Option<()> {
        match self.inner.protection {
            Protection::Starttls(_) => self.say("250-loopback\r\n250 STARTTLS").await,
            _ => {
                self.say("250-loopback\r\n250-AUTH PLAIN\r\n250 8BITMIME")
                    .await
            }
        }
    }

    fn next_manner(&self) -> Manner {
        self.inner.begun.send_modify(|count| *count += 1);
        let next = self.inner.manners.lock().unwrap().pop_front();
        next.unwrap_or(Manner::Take)
    }

    async fn content(&mut self, manner: Manner) -> Option<()> {
        let mut content = String::new();
        loop {
            let line = self.line().await?;
            if line == "." {
                break;
            }
            if matches!(manner, Manner::DropInContent) {
                return None;
            }
            content.push_str(line.strip_prefix('.').unwrap_or(&line));
            content.push_str("\r\n");
        }
        match manner {
            Manner::RefuseContent(code) => return self.say(&format!("{code} no")).await,
            Manner::Hang => {
                let mut let_go = self.inner.let_go.subscribe();
                let_go.wait_for(|free| *free).await.ok()?;
            }
            _ => {}
        }
        self.inner.taken.lock().unwrap().push(content);
        self.inner.count.send_modify(|count| *count += 1);
        self.say("250 taken").await
    }

    async fn say(&mut self, line: &str) -> Option<()> {
        let line = format!("{line}\r\n");
        self.stream.write_all(line.as_bytes()).await.ok()?;
        self.stream.flush().await.ok()
    }
}
