//! Sends emails by SMTP. Connections are reused while the outbox has emails and closed when it is
//! empty.
//!
//! lettre's own pool reuses a connection even if a send on it was canceled by a timeout; the next
//! email would then read the replies to the previous one and could count as sent without being
//! accepted. Here a connection is dropped after a timeout.

use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::future::{BoxFuture, join_all};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use parking_lot::{Mutex, MutexGuard};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use tokio::time::timeout;

use super::{DeliveryError, Mailer};
use crate::email::Email;
use config::{self, SmtpSecurity};

/// Maximum connections: enough for a burst, few enough for the connection limits of mail servers.
const CONNECTIONS: u32 = 4;
/// Timeout for the reply to QUIT.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);
/// Reply codes about our authentication and TLS (RFC 4954, sections 4 and 6; RFC 3207, section 4),
/// not about the email: an operator can correct those, so they are temporary.
const AUTH_REPLIES: [u16; 4] = [530, 534, 535, 538];

/// Sends emails through a mail server.
pub struct Smtp {
    host: String,
    port: u16,
    security: SmtpSecurity,
    tls: TlsParameters,
    client_id: ClientId,
    credentials: Option<Credentials>,
    send_timeout: Duration,
    idle: Mutex<Vec<AsyncSmtpConnection>>,
}

impl Smtp {
    /// A mailer for the server in `settings`; connects when the first email is sent. Fails if the
    /// password file or the certificate authorities cannot be read, or the host is not a valid
    /// server name for a certificate.
    pub fn new(settings: &config::Mail) -> Result<Self> {
        let password = settings.password()?;
        let credentials = (!settings.smtp_user.is_empty())
            .then(|| Credentials::new(settings.smtp_user.clone(), password.reveal().to_owned()));
        Ok(Self {
            host: settings.smtp_host.clone(),
            port: settings.smtp_port,
            security: settings.smtp_security,
            tls: tls_parameters(settings)?,
            client_id: ClientId::default(),
            credentials,
            send_timeout: Duration::from_secs(settings.timeout_seconds.into()),
            idle: Mutex::default(),
        })
    }

    /// Connects, signs in if a user is configured, and leaves again.
    pub async fn sign_in(&self) -> Result<(), DeliveryError> {
        let connected = timeout(self.send_timeout, self.connect()).await;
        let Ok(connected) = connected else {
            let detail = format!("no reply after {} s", self.send_timeout.as_secs());
            return Err(DeliveryError::temporary("mail server timeout", detail));
        };
        let mut connection = connected.map_err(|error| self.connection_error(&error))?;
        let _ = timeout(QUIT_TIMEOUT, connection.quit()).await;
        Ok(())
    }

    async fn deliver(&self, email: &Email) -> Result<(), DeliveryError> {
        let mut connection = match self.idle_connection().await {
            Some(connection) => connection,
            None => self
                .connect()
                .await
                .map_err(|error| self.connection_error(&error))?,
        };
        let message = &email.message;
        let outcome = connection
            .send(message.envelope(), &message.formatted())
            .await;
        if !connection.has_broken() {
            self.lock().push(connection);
        }
        outcome.map(drop).map_err(|error| {
            let refused = reply_error(&error);
            match error.status() {
                Some(_) => refused,
                None => self.down(refused),
            }
        })
    }

    /// An error while connecting or authenticating. It does not concern the email, which is
    /// retried.
    fn connection_error(&self, error: &Error) -> DeliveryError {
        let summary = match error.status() {
            Some(code) => format!("mail server rejected the connection ({code})"),
            None if error.is_tls() => "no TLS connection to the mail server".to_owned(),
            None => "mail server unreachable".to_owned(),
        };
        self.down(DeliveryError::temporary(summary, error))
    }

    /// The error of a server that accepts no email at all.
    fn down(&self, error: DeliveryError) -> DeliveryError {
        DeliveryError {
            down: (!error.permanent).then(|| format!("{}:{}", self.host, self.port)),
            ..error
        }
    }

    /// An idle connection that still responds.
    async fn idle_connection(&self) -> Option<AsyncSmtpConnection> {
        loop {
            let mut connection = self.lock().pop()?;
            if connection.test_connected().await {
                return Some(connection);
            }
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let wrapped = (self.security == SmtpSecurity::Tls).then(|| self.tls.clone());
        let server = (self.host.as_str(), self.port);
        let mut connection = AsyncSmtpConnection::connect_tokio1(
            server,
            Some(self.send_timeout),
            &self.client_id,
            wrapped,
            None,
        )
        .await?;
        if self.security == SmtpSecurity::Starttls {
            connection
                .starttls(self.tls.clone(), &self.client_id)
                .await?;
        }
        if let Some(credentials) = &self.credentials {
            connection
                .auth(&[Mechanism::Plain, Mechanism::Login], credentials)
                .await?;
        }
        Ok(connection)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<AsyncSmtpConnection>> {
        self.idle.lock()
    }
}

impl Mailer for Smtp {
    fn send<'a>(&'a self, email: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        Box::pin(async move {
            timeout(self.send_timeout, self.deliver(email))
                .await
                .unwrap_or_else(|_| {
                    let detail = format!("no reply after {} s", self.send_timeout.as_secs());
                    let error = DeliveryError::temporary("mail server timeout", detail);
                    Err(self.down(error))
                })
        })
    }

    fn concurrency(&self) -> u32 {
        CONNECTIONS
    }

    fn close_idle(&self) -> BoxFuture<'_, ()> {
        let idle = std::mem::take(&mut *self.lock());
        Box::pin(async move {
            let quits = idle.into_iter().map(|mut connection| async move {
                let _ = timeout(QUIT_TIMEOUT, connection.quit()).await;
            });
            join_all(quits).await;
        })
    }
}

/// TLS settings that trust the public certificate authorities and those in `mail.smtp_ca_file`.
fn tls_parameters(settings: &config::Mail) -> Result<TlsParameters> {
    let mut builder = TlsParameters::builder(settings.smtp_host.clone());
    for authority in authorities(&settings.smtp_ca_file).context("setting `mail.smtp_ca_file`")? {
        builder = builder.add_root_certificate(authority);
    }
    builder
        .build()
        .context("settings `mail.smtp_host` and `mail.smtp_ca_file`")
}

/// The certificates in a PEM file; empty if no file is configured.
fn authorities(file: &str) -> Result<Vec<Certificate>> {
    if file.is_empty() {
        return Ok(Vec::new());
    }
    let pem = std::fs::read(file).with_context(|| format!("cannot read {file}"))?;
    let certificates = CertificateDer::pem_slice_iter(&pem)
        .collect::<Result<Vec<_>, _>>()
        .ok()
        .filter(|certificates| !certificates.is_empty())
        .with_context(|| format!("{file} holds no certificates in PEM form"))?;
    certificates
        .into_iter()
        .map(|der| Certificate::from_der(der.to_vec()).with_context(|| format!("in {file}")))
        .collect()
}

/// A reply to the email itself, or a connection lost while it was sent.
fn reply_error(error: &Error) -> DeliveryError {
    let code = error
        .status()
        .and_then(|code| code.to_string().parse::<u16>().ok());
    let summary = match code {
        Some(code) => format!("rejected by the mail server ({code})"),
        None => "connection to the mail server lost".to_owned(),
    };
    let concerns_auth = code.is_some_and(|code| AUTH_REPLIES.contains(&code));
    if (error.is_permanent() && !concerns_auth) || error.is_client() {
        DeliveryError::permanent(summary, error)
    } else {
        DeliveryError::temporary(summary, error)
    }
}
