//! A connection to the mailbox: TLS, sign-in, the folder (RFC 9051; port 993, RFC 8314).

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use async_imap::imap_proto::{Capability, MailboxDatum, Response, ResponseCode};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::command::{ImapSession, quoted};
use super::error::ImapError;

/// A mailbox of the settings.
#[derive(Clone)]
pub(super) struct Account {
    settings: config::Inbound,
    tls: TlsConnector,
    server: ServerName<'static>,
    /// How long the server may take for an answer.
    pub(super) patience: Duration,
}

/// An open folder.
pub struct OpenFolder {
    pub(super) session: ImapSession,
    /// The number of messages in it.
    pub(super) messages: u32,
    /// The number that the server gives to the numbering of its messages (RFC 9051, 2.3.1.1).
    pub(super) uid_validity: Option<u32>,
    /// The number of the next message.
    pub(super) uid_next: Option<u32>,
    /// Whether the server reports new messages by itself (IDLE, RFC 2177).
    pub(super) can_idle: bool,
    /// Whether it moves messages (MOVE, RFC 6851).
    pub(super) can_move: bool,
}

impl Account {
    /// Fails if the certificate file cannot be read, or the host is not a name or an address.
    pub(super) fn new(settings: &config::Inbound, patience: Duration) -> Result<Self> {
        let mut roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        if !settings.ca_file.is_empty() {
            let file = &settings.ca_file;
            let read = || format!("setting `mail.inbound.ca_file`: {file}");
            let pem = std::fs::read(file).with_context(read)?;
            for authority in CertificateDer::pem_slice_iter(&pem) {
                roots
                    .add(authority.with_context(read)?)
                    .with_context(read)?;
            }
        }
        let tls = ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let server =
            ServerName::try_from(settings.host.clone()).context("setting `mail.inbound.host`")?;
        Ok(Self {
            settings: settings.clone(),
            tls: TlsConnector::from(Arc::new(tls)),
            server,
            patience,
        })
    }

    /// What the mailbox is called in the log and in the database, without the password.
    pub(super) fn name(&self) -> String {
        mailbox_name(&self.settings)
    }

    /// Connects, signs in and opens the folder.
    pub(super) async fn open(&self) -> Result<OpenFolder, ImapError> {
        let (mut session, (can_idle, can_move)) = self.within(self.sign_in()).await?;
        let name = &self.settings.folder;
        let command = format!("SELECT {}", quoted(name)?);
        let (mut messages, mut uid_validity, mut uid_next) = (0, None, None);
        let selected = session.run(&command, |response| match response {
            Response::MailboxData(MailboxDatum::Exists(count)) => messages = *count,
            Response::Data { outcome, .. } => match &outcome.code {
                Some(ResponseCode::UidValidity(number)) => uid_validity = Some(*number),
                Some(ResponseCode::UidNext(number)) => uid_next = Some(*number),
                _ => {}
            },
            _ => {}
        });
        let selected = self.within(selected).await;
        selected.map_err(|error| match error {
            ImapError::Refused(words) => ImapError::Folder(name.clone(), words),
            error => error,
        })?;
        Ok(OpenFolder {
            session,
            messages,
            uid_validity,
            uid_next,
            can_idle,
            can_move,
        })
    }

    /// Connects and signs in. Returns the connection, and its abilities.
    async fn sign_in(&self) -> Result<(ImapSession, (bool, bool)), ImapError> {
        let settings = &self.settings;
        let password = settings
            .password()
            .map_err(|error| ImapError::Unreachable(format!("{error:#}")))?;
        let unreachable = |error: std::io::Error| ImapError::Unreachable(error.to_string());
        let address = (settings.host.as_str(), settings.port);
        let stream = TcpStream::connect(address).await.map_err(unreachable)?;
        stream.set_nodelay(true).map_err(unreachable)?;
        let stream = self.tls.connect(self.server.clone(), stream).await;
        let mut session = ImapSession::open(stream.map_err(unreachable)?).await?;
        let (user, password) = (quoted(&settings.user)?, quoted(password.reveal())?);
        let mut known = None;
        let command = format!("LOGIN {user} {password}");
        let login = session.run(&command, |response| {
            known = abilities(response).or(known);
        });
        login.await.map_err(|error| match error {
            ImapError::Refused(words) => ImapError::SignInRefused(words),
            error => error,
        })?;
        if known.is_none() {
            let each = |response: &Response<'_>| known = abilities(response).or(known);
            session.run("CAPABILITY", each).await?;
        }
        Ok((session, known.unwrap_or_default()))
    }

    /// The result of a command, unless the server takes too long.
    pub(super) async fn within<T>(
        &self,
        command: impl Future<Output = Result<T, ImapError>>,
    ) -> Result<T, ImapError> {
        self.within_more(Duration::ZERO, command).await
    }

    /// The same for a command that may take so much longer.
    pub(super) async fn within_more<T>(
        &self,
        more: Duration,
        command: impl Future<Output = Result<T, ImapError>>,
    ) -> Result<T, ImapError> {
        let patience = self.patience + more;
        let result = timeout(patience, command).await;
        result.unwrap_or(Err(ImapError::Silent(patience)))
    }
}

/// Whether the server offers IDLE and MOVE, if the response says it.
fn abilities(response: &Response<'_>) -> Option<(bool, bool)> {
    let listed = match response {
        Response::Capabilities(listed) => listed,
        Response::Done { outcome, .. } => match &outcome.code {
            Some(ResponseCode::Capabilities(listed)) => listed,
            _ => return None,
        },
        _ => return None,
    };
    let has = |name: &str| listed.contains(&Capability::Atom(name.into()));
    Some((has("IDLE"), has("MOVE")))
}

/// What a mailbox is called in the log and in the database, without the password.
pub fn mailbox_name(settings: &config::Inbound) -> String {
    format!(
        "{} at {}:{}, folder {}",
        settings.user, settings.host, settings.port, settings.folder
    )
}
