//! A mail server on loopback that does what the test says: takes letters, refuses, hangs, or hangs up in the middle of one.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;

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

struct Inner {
    /// How the next letters are met; then they are taken.
    manners: Mutex<VecDeque<Manner>>,
    /// What the server says first.
    greeting: Mutex<&'static str>,
    taken: Mutex<Vec<String>>,
    begun: watch::Sender<usize>,
    connections: watch::Sender<usize>,
    let_go: watch::Sender<bool>,
}

impl SmtpServer {
    /// Starts one that meets its first letters as `manners` say and takes all others.
    pub async fn start(manners: &[Manner]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            inner: Arc::new(Inner {
                manners: Mutex::new(manners.iter().copied().collect()),
                greeting: Mutex::new("220 loopback ready"),
                taken: Mutex::default(),
                begun: watch::channel(0).0,
                connections: watch::channel(0).0,
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

    /// Says this to everybody who connects from now on.
    pub fn greet_with(&self, greeting: &'static str) {
        *self.inner.greeting.lock().unwrap() = greeting;
    }

    /// Ends every hanging.
    pub fn let_go(&self) {
        self.inner.let_go.send_replace(true);
    }
}

struct Session {
    inner: Arc<Inner>,
    lines: tokio::io::Lines<BufReader<OwnedReadHalf>>,
    out: OwnedWriteHalf,
}

impl Session {
    async fn run(inner: Arc<Inner>, stream: TcpStream) {
        let (read, out) = stream.into_split();
        let lines = BufReader::new(read).lines();
        let mut session = Self { inner, lines, out };
        // Whoever hangs up ends the session.
        let _ = session.talk().await;
    }

    async fn talk(&mut self) -> Option<()> {
        let greeting = *self.inner.greeting.lock().unwrap();
        self.say(greeting).await?;
        let mut manner = Manner::Take;
        loop {
            let line = self.lines.next_line().await.ok()??;
            let verb = line
                .split([' ', ':'])
                .next()
                .unwrap_or_default()
                .to_ascii_uppercase();
            match verb.as_str() {
                "EHLO" => self.say("250-loopback\r\n250 8BITMIME").await?,
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

    fn next_manner(&self) -> Manner {
        self.inner.begun.send_modify(|count| *count += 1);
        let next = self.inner.manners.lock().unwrap().pop_front();
        next.unwrap_or(Manner::Take)
    }

    async fn content(&mut self, manner: Manner) -> Option<()> {
        let mut content = String::new();
        loop {
            let line = self.lines.next_line().await.ok()??;
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
        self.say("250 taken").await
    }

    async fn say(&mut self, line: &str) -> Option<()> {
        self.out
            .write_all(format!("{line}\r\n").as_bytes())
            .await
            .ok()
    }
}
