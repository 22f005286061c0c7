//! SIGHUP: reloads the settings that can change without a restart. It never ends the server.

use std::sync::Arc;

use anyhow::{Context, Result};
use tokio::signal::unix::{Signal, SignalKind, signal};
use toml::{Table, Value};

use crate::cli::startup::global_args::GlobalArgs;
use config::{Config, Mail};
use http::server::Reloader;
use outbox::DeliveryWorker;
use outbox::mailer::Smtp;

/// The reloaded parts: certificates, log file, and the connection to the mail server.
pub(super) struct Reload {
    globals: GlobalArgs,
    /// The settings in force.
    config: Config,
    web: Reloader,
    delivery: Arc<DeliveryWorker>,
}

/// The signal, which no longer ends the process.
pub(super) fn hangups() -> Result<Signal> {
    signal(SignalKind::hangup()).context("cannot listen for SIGHUP")
}

impl Reload {
    /// Fails if the settings cannot be read.
    pub(super) fn new(
        globals: &GlobalArgs,
        web: Reloader,
        delivery: Arc<DeliveryWorker>,
    ) -> Result<Self> {
        Ok(Self {
            globals: globals.clone(),
            // The settings of the file, without flags and the port that the system has chosen.
            config: globals.settings()?,
            web,
            delivery,
        })
    }

    /// Reloads at each signal, until it is dropped.
    pub(super) async fn run(mut self, mut hangups: Signal) {
        while hangups.recv().await.is_some() {
            if let Err(error) = self.reload() {
                tracing::error!("not everything was reloaded: {error:#}");
            }
        }
    }

    fn reload(&mut self) -> Result<()> {
        // The files need no valid settings: rotated logs and renewed certificates come first.
        let files = self.web.reload();
        let new = self.globals.settings().context("the settings stay")?;
        let mut mail = self.config.mail.clone();
        copy_connection(&mut mail, &new.mail);
        if mail != self.config.mail {
            if !mail.smtp_host.is_empty() && !self.config.mail.smtp_host.is_empty() {
                self.delivery.replace_mailer(Arc::new(Smtp::new(&mail)?));
                self.config.mail = mail;
            }
        } else if !mail.smtp_password_file.is_empty() {
            self.delivery.replace_mailer(Arc::new(Smtp::new(&mail)?));
        }
        let waiting = differences(&self.config, &new)?;
        match waiting.is_empty() {
            true => tracing::info!("reloaded"),
            false => tracing::warn!(
                settings = waiting.join(", "),
                "reloaded; these settings take effect at the next start"
            ),
        }
        files
    }
}

/// Copies the connection settings of the mail server.
fn copy_connection(mail: &mut Mail, new: &Mail) {
    mail.smtp_host.clone_from(&new.smtp_host);
    mail.smtp_port = new.smtp_port;
    mail.smtp_security = new.smtp_security;
    mail.smtp_user.clone_from(&new.smtp_user);
    mail.smtp_password = new.smtp_password.clone();
    mail.smtp_password_file.clone_from(&new.smtp_password_file);
    mail.smtp_ca_file.clone_from(&new.smtp_ca_file);
}

/// The names of the settings that differ, as in `server.listen`.
fn differences(old: &Config, new: &Config) -> Result<Vec<String>> {
    let (old, new) = (Table::try_from(old)?, Table::try_from(new)?);
    let mut names = Vec::new();
    for (section, settings) in &new {
        let before = old.get(section).and_then(Value::as_table);
        for (key, value) in settings.as_table().into_iter().flatten() {
            if before.and_then(|before| before.get(key)) != Some(value) {
                names.push(format!("{section}.{key}"));
            }
        }
    }
    Ok(names)
}
