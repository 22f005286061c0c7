//! A session of the mail server: one connection, encrypted or not.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, empty};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use super::{Behavior, Inner, Protection};

/// A connection, encrypted or not.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

pub(super) struct Session {
    inner: Arc<Inner>,
    stream: BufReader<Box<dyn Stream>>,
}

impl Session {
    pub(super) async fn run(inner: Arc<Inner>, stream: TcpStream) {
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
