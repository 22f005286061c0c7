//! A mail server on loopback that accepts, rejects, hangs or disconnects as the test says.

mod session;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use session::Session;

use super::mail::Mail;

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
