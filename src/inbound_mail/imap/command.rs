//! Commands, written and read to their end here: the library's own commands give the words of a
//! refusal only in the text of `Debug`, and some of its streams end alike after success, a refusal
//! and the loss of the connection. The library reads the responses.

use std::time::Duration;

use async_imap::Client;
use async_imap::imap_proto::{AttributeValue, MailboxDatum, Response, Status};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::client::TlsStream;

use super::error::ImapError;

/// A connection to the server.
pub(super) struct ImapSession {
    client: Client<TlsStream<TcpStream>>,
    /// The number of commands so far, which is the tag of the last one.
    commands: u32,
}

impl ImapSession {
    /// Takes a new connection, and reads the server's greeting.
    pub(super) async fn open(stream: TlsStream<TcpStream>) -> Result<Self, ImapError> {
        let mut session = Self {
            client: Client::new(stream),
            commands: 0,
        };
        match session.read(|_| ()).await {
            Ok(()) => Ok(session),
            Err(_) => Err(ImapError::Broken("the server does not greet")),
        }
    }

    /// Runs a command and hands each response to `each`, its end included. Errors: `Refused` unless
    /// the server says that it was done.
    pub(super) async fn run(
        &mut self,
        command: &str,
        each: impl FnMut(&Response<'_>),
    ) -> Result<(), ImapError> {
        self.begin(command).await?;
        self.read_to_end(each).await
    }

    /// Lets the server report new messages by itself (IDLE, RFC 2177).
    pub(super) async fn begin_idle(&mut self) -> Result<(), ImapError> {
        self.begin("IDLE").await?;
        let tag = self.tag();
        loop {
            let begun = self.read(|response| match response {
                Response::Continue(_) => Some(Ok(())),
                response => end(response, &tag)
                    .map(|end| end.and(Err(ImapError::Broken("the server does not wait")))),
            });
            if let Some(begun) = begun.await? {
                return begun;
            }
        }
    }

    /// Returns when the server reports something, or after so long. What only says that the server
    /// is there is no report.
    pub(super) async fn wait_idle(&mut self, most: Duration) -> Result<(), ImapError> {
        let is_silence = |response: &Response<'_>| {
            matches!(
                response,
                Response::Data {
                    status: Status::Ok,
                    ..
                }
            )
        };
        let reported = async {
            while self.read(is_silence).await? {}
            Ok(())
        };
        timeout(most, reported).await.unwrap_or(Ok(()))
    }

    pub(super) async fn end_idle(&mut self) -> Result<(), ImapError> {
        self.write("DONE\r\n").await?;
        self.read_to_end(|_| {}).await
    }

    /// The messages that a search finds, in order; `None` if the server names no result at all.
    pub(super) async fn search(&mut self, query: &str) -> Result<Option<Vec<u32>>, ImapError> {
        let mut found: Option<Vec<u32>> = None;
        self.run(&format!("UID SEARCH {query}"), |response| {
            if let Response::MailboxData(MailboxDatum::Search(uids)) = response {
                found.get_or_insert_default().extend(uids);
            }
        })
        .await?;
        if let Some(found) = &mut found {
            found.sort_unstable();
        }
        Ok(found)
    }

    /// An attribute of a message, as `read` takes it; `None` if the server does not give it.
    pub(super) async fn fetch<T>(
        &mut self,
        uid: u32,
        attribute: &str,
        read: impl Fn(&AttributeValue<'_>) -> Option<T>,
    ) -> Result<Option<T>, ImapError> {
        let mut found = None;
        let command = format!("UID FETCH {uid} (UID {attribute})");
        self.run(&command, |response| {
            let Response::Fetch(_, attributes) = response else {
                return;
            };
            let is_ours = attributes
                .iter()
                .any(|it| matches!(it, AttributeValue::Uid(given) if *given == uid));
            if is_ours {
                found = attributes.iter().find_map(&read).or(found.take());
            }
        })
        .await?;
        Ok(found)
    }

    async fn begin(&mut self, command: &str) -> Result<(), ImapError> {
        self.commands += 1;
        self.write(&format!("{} {command}\r\n", self.tag())).await
    }

    fn tag(&self) -> String {
        format!("A{}", self.commands)
    }

    async fn write(&mut self, line: &str) -> Result<(), ImapError> {
        let stream = self.client.get_mut();
        stream.write_all(line.as_bytes()).await?;
        Ok(stream.flush().await?)
    }

    /// Reads one response.
    async fn read<T>(&mut self, take: impl FnOnce(&Response<'_>) -> T) -> Result<T, ImapError> {
        let response = self.client.read_response().await?;
        let response = response.ok_or(ImapError::Broken("the connection has ended"))?;
        Ok(take(response.parsed()))
    }

    /// Reads the responses of the last command up to its end.
    async fn read_to_end(&mut self, mut each: impl FnMut(&Response<'_>)) -> Result<(), ImapError> {
        let tag = self.tag();
        loop {
            let read = self.read(|response| {
                each(response);
                end(response, &tag)
            });
            if let Some(end) = read.await? {
                return end;
            }
        }
    }
}

/// The result of the command with this tag, if the response is its end.
fn end(response: &Response<'_>, ours: &str) -> Option<Result<(), ImapError>> {
    match response {
        Response::Done {
            tag,
            status,
            outcome,
        } if tag.0 == ours => Some(match (status, &outcome.information) {
            (Status::Ok, _) => Ok(()),
            (_, Some(words)) => Err(ImapError::Refused(words.as_ref().to_owned())),
            (_, None) => Err(ImapError::Refused("no reason given".to_owned())),
        }),
        _ => None,
    }
}

/// A text as an argument of a command (RFC 9051, 4.3). Errors: it has a line break.
pub(super) fn quoted(text: &str) -> Result<String, ImapError> {
    match text.contains(['\r', '\n']) {
        true => Err(ImapError::Broken("a setting has a line break")),
        false => Ok(format!(
            "\"{}\"",
            text.replace('\\', "\\\\").replace('"', "\\\"")
        )),
    }
}
