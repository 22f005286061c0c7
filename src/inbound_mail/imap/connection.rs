//! A connection to the mailbox: TLS, sign-in, the folder (RFC 9051; port 993, RFC 8314).

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use async_imap::types::Mailbox;
use async_imap::{Client, Session};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::error::ImapError;

/// A signed-in connection.
pub(super) type ImapSession = Session<TlsStream<TcpStream>>;

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
pub(super) struct OpenFolder {
    pub(super) session: ImapSession,
    pub(super) mailbox: Mailbox,
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
        let (mut session, capabilities) = self.within(self.sign_in()).await?;
        let (can_idle, can_move) = match capabilities {
            Some(known) => known,
            None => {
                let known = self
                    .within(async { Ok(session.capabilities().await?) })
                    .await?;
                (known.has_str("IDLE"), known.has_str("MOVE"))
            }
        };
        let folder = &self.settings.folder;
        let mailbox = self
            .within(async { Ok(session.select(folder).await?) })
            .await;
        let mailbox = mailbox.map_err(|error| match error {
            ImapError::Refused(words) => ImapError::Folder(folder.clone(), words),
            error => error,
        })?;
        Ok(OpenFolder {
            session,
            mailbox,
            can_idle,
            can_move,
        })
    }

    async fn sign_in(&self) -> Result<(ImapSession, Option<(bool, bool)>), ImapError> {
        let settings = &self.settings;
        let password = settings
            .password()
            .map_err(|error| ImapError::Unreachable(format!("{error:#}")))?;
        let unreachable = |error: std::io::Error| ImapError::Unreachable(error.to_string());
        let address = (settings.host.as_str(), settings.port);
        let stream = TcpStream::connect(address).await.map_err(unreachable)?;
        stream.set_nodelay(true).map_err(unreachable)?;
        let stream = self.tls.connect(self.server.clone(), stream).await;
        let mut client = Client::new(stream.map_err(unreachable)?);
        let greeting = client.read_response().await;
        if !matches!(greeting, Ok(Some(_))) {
            return Err(ImapError::Broken("the server does not greet"));
        }
        let signed_in = client
            .login_with_capabilities(&settings.user, password.reveal())
            .await;
        match signed_in {
            Ok((session, capabilities)) => {
                let known = capabilities.map(|it| (it.has_str("IDLE"), it.has_str("MOVE")));
                Ok((session, known))
            }
            Err((error, _)) => Err(match error.into() {
                ImapError::Refused(words) => ImapError::SignInRefused(words),
                error => error,
            }),
        }
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

/// What a mailbox is called in the log and in the database, without the password.
pub fn mailbox_name(settings: &config::Inbound) -> String {
    format!(
        "{} at {}:{}, folder {}",
        settings.user, settings.host, settings.port, settings.folder
    )
}
