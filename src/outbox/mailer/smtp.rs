//! Letters by SMTP. Connections are kept from letter to letter while there are letters, and ended when the box is empty.
//!
//! lettre's own pool takes a connection back even when a send was given up in the middle of it; the next letter would then read the answers to
//! the last one and could count as sent without being taken. Here a connection that ran out of time is dropped.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::future::{BoxFuture, join_all};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use tokio::time::timeout;

use super::{DeliveryError, Mailer};
use crate::config::{self, SmtpSecurity};
use crate::outbox::email::Email;

/// Connections at once: a burst goes out quickly, and no server takes it for an attack.
const CONNECTIONS: u32 = 4;
/// How long a server has to answer our goodbye.
const GOODBYE: Duration = Duration::from_secs(1);
/// Answers about our sign-in at the mail server (RFC 4954, sections 4 and 6; RFC 3207, section 4),
/// not about the email: an operator can correct that.
const ABOUT_US: [u16; 4] = [530, 534, 535, 538];

/// Hands letters to a mail server.
pub struct Smtp {
    host: String,
    port: u16,
    security: SmtpSecurity,
    tls: TlsParameters,
    hello: ClientId,
    credentials: Option<Credentials>,
    patience: Duration,
    idle: Mutex<Vec<AsyncSmtpConnection>>,
}

impl Smtp {
    /// A mailer for the server in `settings`; connects with the first letter.
    ///
    /// # Errors
    /// When the password file or the certificate authorities cannot be read, or the host is no name that a certificate could be for.
    pub fn new(settings: &config::Mail) -> Result<Self> {
        let password = settings.password()?;
        let credentials = (!settings.smtp_user.is_empty())
            .then(|| Credentials::new(settings.smtp_user.clone(), password.reveal().to_owned()));
        Ok(Self {
            host: settings.smtp_host.clone(),
            port: settings.smtp_port,
            security: settings.smtp_security,
            tls: tls_parameters(settings)?,
            hello: ClientId::default(),
            credentials,
            patience: Duration::from_secs(settings.timeout_seconds.into()),
            idle: Mutex::default(),
        })
    }

    async fn deliver(&self, letter: &Email) -> Result<(), DeliveryError> {
        let mut connection = match self.idle_connection().await {
            Some(connection) => connection,
            None => self.connect().await.map_err(|error| refused_us(&error))?,
        };
        let message = &letter.message;
        let outcome = connection
            .send(message.envelope(), &message.formatted())
            .await;
        if !connection.has_broken() {
            self.lock().push(connection);
        }
        outcome.map(drop).map_err(|error| refused_letter(&error))
    }

    /// A connection that is still answered.
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
            Some(self.patience),
            &self.hello,
            wrapped,
            None,
        )
        .await?;
        if self.security == SmtpSecurity::Starttls {
            connection.starttls(self.tls.clone(), &self.hello).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection
                .auth(&[Mechanism::Plain, Mechanism::Login], credentials)
                .await?;
        }
        Ok(connection)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<AsyncSmtpConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mailer for Smtp {
    fn send<'a>(&'a self, letter: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        Box::pin(async move {
            timeout(self.patience, self.deliver(letter))
                .await
                .unwrap_or_else(|_| {
                    Err(DeliveryError::temporary(
                        "the mail server took too long",
                        format!("no end after {} s", self.patience.as_secs()),
                    ))
                })
        })
    }

    fn at_once(&self) -> u32 {
        CONNECTIONS
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        let idle = std::mem::take(&mut *self.lock());
        Box::pin(async move {
            let goodbyes = idle.into_iter().map(|mut connection| async move {
                let _ = timeout(GOODBYE, connection.quit()).await;
            });
            join_all(goodbyes).await;
        })
    }
}

/// Trusts the public certificate authorities and those in `mail.smtp_ca_file`.
fn tls_parameters(settings: &config::Mail) -> Result<TlsParameters> {
    let mut builder = TlsParameters::builder(settings.smtp_host.clone());
    for authority in authorities(&settings.smtp_ca_file).context("setting `mail.smtp_ca_file`")? {
        builder = builder.add_root_certificate(authority);
    }
    builder
        .build()
        .context("settings `mail.smtp_host` and `mail.smtp_ca_file`")
}

/// The certificates in a PEM file; none where no file is named.
fn authorities(file: &str) -> Result<Vec<Certificate>> {
    if file.is_empty() {
        return Ok(Vec::new());
    }
    let pem = std::fs::read(file).with_context(|| format!("cannot read {file}"))?;
    let found = CertificateDer::pem_slice_iter(&pem)
        .collect::<Result<Vec<_>, _>>()
        .ok()
        .filter(|found| !found.is_empty())
        .with_context(|| format!("{file} holds no certificates in PEM form"))?;
    found
        .into_iter()
        .map(|der| Certificate::from_der(der.to_vec()).with_context(|| format!("in {file}")))
        .collect()
}

/// The server would not talk to us at all: that says nothing about the letter, which waits until somebody has mended it.
fn refused_us(error: &Error) -> DeliveryError {
    let brief = match error.status() {
        Some(code) => format!("the mail server would not talk to us ({code})"),
        None if error.is_tls() => "no protected connection to the mail server".to_owned(),
        None => "the mail server cannot be reached".to_owned(),
    };
    DeliveryError::temporary(brief, error)
}

/// The server answered to the letter itself, or was lost while it was handed over.
fn refused_letter(error: &Error) -> DeliveryError {
    let code = error
        .status()
        .and_then(|code| code.to_string().parse::<u16>().ok());
    let brief = match code {
        Some(code) => format!("the mail server refused it ({code})"),
        None => "the connection to the mail server was lost".to_owned(),
    };
    let about_us = code.is_some_and(|code| ABOUT_US.contains(&code));
    if (error.is_permanent() && !about_us) || error.is_client() {
        DeliveryError::permanent(brief, error)
    } else {
        DeliveryError::temporary(brief, error)
    }
}
