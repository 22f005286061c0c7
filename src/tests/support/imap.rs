//! A mailbox on loopback that is read by IMAP over TLS, and misbehaves as the test says.

use std::net::SocketAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::{AsyncBufReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

/// What the server does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// It refuses the password.
    Password,
    /// It does not answer the command that starts with this word.
    Silent(&'static str),
    /// It ends the connection in the middle of a message.
    HalfMessage,
    /// It answers with something that is not IMAP.
    Nonsense,
    /// It answers the first command with these words so: the untagged line (`{uid}` is the number
    /// of the message), and the end.
    Once(&'static str, &'static str, &'static str),
    /// It answers each command with these words so.
    Always(&'static str, &'static str, &'static str),
    /// It ends the connection at the command with these words.
    HangUp(&'static str),
}

/// The contents of the mailbox.
pub struct Contents {
    pub uid_validity: u32,
    /// Numbers and raw messages of the inbox.
    pub inbox: Vec<(u32, Vec<u8>)>,
    /// Messages that were moved, with their folder.
    pub moved: Vec<(String, Vec<u8>)>,
    pub next_uid: u32,
    pub fault: Fault,
    /// The capabilities besides IMAP4rev1.
    pub capabilities: &'static str,
    /// The commands of all connections, without their tags.
    pub commands: Vec<String>,
}

/// A mailbox server; its user is `office`, the password `secret`.
#[derive(Clone)]
pub struct ImapServer {
    pub address: SocketAddr,
    contents: Arc<Mutex<Contents>>,
    changed: watch::Sender<()>,
    /// The last command of any connection.
    last_command: watch::Sender<String>,
}

impl ImapServer {
    pub async fn start(acceptor: TlsAcceptor) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            contents: Arc::new(Mutex::new(Contents {
                uid_validity: 1,
                inbox: Vec::new(),
                moved: Vec::new(),
                next_uid: 1,
                fault: Fault::None,
                capabilities: "IDLE MOVE",
                commands: Vec::new(),
            })),
            changed: watch::Sender::new(()),
            last_command: watch::Sender::default(),
        };
        let served = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, server) = (acceptor.clone(), served.clone());
                tokio::spawn(async move { server.serve(acceptor, stream).await });
            }
        });
        server
    }

    /// Changes the mailbox as another program would.
    pub fn change(&self, change: impl FnOnce(&mut Contents)) {
        change(&mut self.contents.lock());
        self.changed.send_replace(());
    }

    /// Delivers a message into the inbox.
    pub fn deliver(&self, raw: impl Into<Vec<u8>>) {
        let raw = raw.into();
        self.change(|contents| {
            contents.inbox.push((contents.next_uid, raw));
            contents.next_uid += 1;
        });
    }

    /// Returns when a client gives this command.
    pub async fn wait_for(&self, command: &str) {
        let mut last = self.last_command.subscribe();
        last.wait_for(|it| it == command).await.unwrap();
    }

    /// Returns when a client gives a command with this word, after the first `seen` commands.
    pub async fn wait_for_next(&self, seen: usize, word: &str) {
        let given = |contents: &Contents| {
            let mut new = contents.commands.iter().skip(seen);
            new.any(|it| it.contains(word))
        };
        let mut last = self.last_command.subscribe();
        while !self.read(given) {
            last.changed().await.unwrap();
        }
    }

    /// What is in the mailbox.
    pub fn read<T>(&self, read: impl FnOnce(&Contents) -> T) -> T {
        read(&self.contents.lock())
    }

    async fn serve(&self, acceptor: TlsAcceptor, stream: TcpStream) -> Option<()> {
        let mut stream = BufReader::new(acceptor.accept(stream).await.ok()?);
        stream.write_all(b"* OK ready\r\n").await.ok()?;
        let mut changed = self.changed.subscribe();
        loop {
            stream.flush().await.ok()?;
            let mut line = String::new();
            if stream.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            let (tag, command) = line.trim_end().split_once(' ')?;
            let fault = {
                let mut contents = self.contents.lock();
                contents.commands.push(command.to_owned());
                self.last_command.send_replace(command.to_owned());
                contents.fault
            };
            match fault {
                Fault::Silent(word) if command.starts_with(word) => {
                    std::future::pending::<()>().await;
                }
                Fault::Nonsense => stream
                    .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                    .await
                    .ok()?,
                Fault::HangUp(words) if command.starts_with(words) => return None,
                Fault::Once(words, line, end) | Fault::Always(words, line, end)
                    if command.contains(words) =>
                {
                    if matches!(fault, Fault::Once(..)) {
                        self.contents.lock().fault = Fault::None;
                    }
                    let uid = command.split(' ').nth(2).unwrap_or_default();
                    let line = line.replace("{uid}", uid);
                    let answer = format!("{line}{tag} {end}\r\n");
                    stream.write_all(answer.as_bytes()).await.ok()?;
                    continue;
                }
                _ => {}
            }
            if command == "IDLE" {
                self.idle(&mut stream, tag, &mut changed).await?;
                continue;
            }
            if command.starts_with("UID SEARCH") {
                changed.mark_unchanged();
            }
            let half = fault == Fault::HalfMessage && command.contains("BODY.PEEK[]");
            let answer = self.answer(command);
            if half {
                stream
                    .write_all(&answer.0[..answer.0.len() / 2])
                    .await
                    .ok()?;
                stream.shutdown().await.ok()?;
                return None;
            }
            stream.write_all(&answer.0).await.ok()?;
            let end = format!("{tag} {}\r\n", answer.1);
            stream.write_all(end.as_bytes()).await.ok()?;
            if command == "LOGOUT" {
                stream.flush().await.ok()?;
                return None;
            }
        }
    }

    /// Reports each change until the client is done.
    async fn idle<S>(
        &self,
        stream: &mut BufReader<S>,
        tag: &str,
        changed: &mut watch::Receiver<()>,
    ) -> Option<()>
    where
        S: tokio::io::AsyncRead + AsyncWrite + Unpin,
    {
        stream.write_all(b"+ idling\r\n").await.ok()?;
        stream.flush().await.ok()?;
        let mut line = String::new();
        loop {
            tokio::select! {
                read = stream.read_line(&mut line) => {
                    if read.ok()? == 0 || line.trim_end() != "DONE" {
                        return None;
                    }
                    break;
                }
                _ = changed.changed() => {
                    let exists = format!("* {} EXISTS\r\n", self.read(|it| it.inbox.len()));
                    stream.write_all(exists.as_bytes()).await.ok()?;
                    stream.flush().await.ok()?;
                }
            }
        }
        stream
            .write_all(format!("{tag} OK done\r\n").as_bytes())
            .await
            .ok()
    }

    /// The untagged lines and the end of an answer.
    fn answer(&self, command: &str) -> (Vec<u8>, &'static str) {
        let mut contents = self.contents.lock();
        let words: Vec<&str> = command.split(' ').collect();
        let mut lines = Vec::new();
        let text = |text: String| text.into_bytes();
        match words[..] {
            ["LOGIN", user, password] => {
                let known = user == "\"office\"" && password == "\"secret\"";
                if !known || contents.fault == Fault::Password {
                    return (lines, "NO [AUTHENTICATIONFAILED] Invalid credentials");
                }
            }
            ["CAPABILITY"] => {
                let capabilities = contents.capabilities;
                lines = text(format!("* CAPABILITY IMAP4rev1 {capabilities}\r\n"));
            }
            ["SELECT", "\"INBOX\""] => {
                lines = text(format!(
                    "* {} EXISTS\r\n* OK [UIDVALIDITY {}] valid\r\n* OK [UIDNEXT {}] next\r\n",
                    contents.inbox.len(),
                    contents.uid_validity,
                    contents.next_uid
                ));
            }
            ["SELECT", ..] => return (lines, "NO no such folder"),
            ["UID", "SEARCH", "UID", range] => {
                let first: u32 = range.trim_end_matches(":*").parse().unwrap();
                let last = contents.inbox.last().map(|it| it.0);
                let is_range = range.ends_with('*');
                let uids = contents.inbox.iter().map(|it| it.0);
                let uids = uids.filter(|uid| match is_range {
                    true => *uid >= first || Some(*uid) == last,
                    false => *uid == first,
                });
                let uids: String = uids.map(|uid| format!(" {uid}")).collect();
                lines = text(format!("* SEARCH{uids}\r\n"));
            }
            ["UID", "SEARCH", "SINCE", _] => {
                let uids: String = contents
                    .inbox
                    .iter()
                    .map(|it| format!(" {}", it.0))
                    .collect();
                lines = text(format!("* SEARCH{uids}\r\n"));
            }
            ["UID", "FETCH", uid, "(UID", "RFC822.SIZE)"] => {
                for (number, (_, raw)) in found(&contents, uid) {
                    lines = text(format!(
                        "* {number} FETCH (UID {uid} RFC822.SIZE {})\r\n",
                        raw.len()
                    ));
                }
            }
            ["UID", "FETCH", uid, "(UID", part] => {
                for (number, (_, raw)) in found(&contents, uid) {
                    let header = raw.windows(4).position(|it| it == b"\r\n\r\n");
                    let (name, part) = match part.contains("HEADER") {
                        true => ("BODY[HEADER]", &raw[..header.unwrap() + 4]),
                        false => ("BODY[]", &raw[..]),
                    };
                    lines = text(format!(
                        "* {number} FETCH (UID {uid} {name} {{{}}}\r\n",
                        part.len()
                    ));
                    lines.extend_from_slice(part);
                    lines.extend_from_slice(b")\r\n");
                }
            }
            ["UID", "MOVE", uid, folder] => {
                let uid: u32 = uid.parse().unwrap();
                let folder = folder.trim_matches('"').to_owned();
                if folder == "Missing" {
                    return (lines, "NO [TRYCREATE] no such folder");
                }
                let place = contents.inbox.iter().position(|it| it.0 == uid).unwrap();
                let (_, raw) = contents.inbox.remove(place);
                contents.moved.push((folder, raw));
                lines = text(format!("* {} EXPUNGE\r\n", place + 1));
            }
            ["NOOP" | "LOGOUT"] => {}
            _ => return (lines, "BAD unknown command"),
        }
        (lines, "OK done")
    }
}

/// The message with this number, and its place in the inbox from 1.
fn found<'a>(
    contents: &'a Contents,
    uid: &str,
) -> impl Iterator<Item = (usize, &'a (u32, Vec<u8>))> {
    let uid: u32 = uid.parse().unwrap();
    let all = contents.inbox.iter().enumerate();
    all.map(|(place, it)| (place + 1, it))
        .filter(move |it| it.1.0 == uid)
}
