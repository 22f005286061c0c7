//! `[mail]`: how notices leave the house: by SMTP where a host is given, else as `.eml` files in `data/mail/`.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::Secret;

/// The longest that an email may be tried: 30 days.
const MOST_HOURS: u32 = 720;

/// How the connection to the mail server is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SmtpSecurity {
    /// TLS from the first byte (port 465).
    Tls,
    /// Plain at first, then STARTTLS or nothing is sent (port 587).
    Starttls,
    /// No protection; for a relay on this very host.
    None,
}

/// How notices leave the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mail {
    /// The sender of every mail; empty: the company's name and e-mail address.
    pub from: String,
    /// Who receives the notices of contact messages and quotes; empty: the company's e-mail address.
    pub to: Vec<String>,
    /// The SMTP server; empty: mails are written as files.
    pub smtp_host: String,
    /// Its port.
    pub smtp_port: u16,
    /// How the connection is protected.
    pub smtp_security: SmtpSecurity,
    /// The user name, where the server asks for one.
    pub smtp_user: String,
    /// The password; only from the environment or `smtp_password_file`.
    pub smtp_password: Secret,
    /// A file that holds the password and nothing else.
    pub smtp_password_file: String,
    /// A PEM file of certificate authorities that the SMTP server's certificate may come from,
    /// besides the public ones; empty: none.
    pub smtp_ca_file: String,
    /// Seconds a delivery may take.
    pub timeout_seconds: u32,
    /// Hours after its first try in which an email is tried again; then it is kept as failed and
    /// only retried on demand.
    pub give_up_hours: u32,
    /// Seconds before the second try; each further wait doubles, up to an hour, with jitter.
    pub retry_seconds: u32,
}

impl Default for Mail {
    fn default() -> Self {
        Self {
            from: String::new(),
            to: Vec::new(),
            smtp_host: String::new(),
            smtp_port: 587,
            smtp_security: SmtpSecurity::Starttls,
            smtp_user: String::new(),
            smtp_password: Secret::default(),
            smtp_password_file: String::new(),
            smtp_ca_file: String::new(),
            timeout_seconds: 30,
            give_up_hours: 120,
            retry_seconds: 15,
        }
    }
}

impl Mail {
    /// The SMTP password, from the setting or its file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn password(&self) -> Result<Secret> {
        if self.smtp_password_file.is_empty() {
            return Ok(self.smtp_password.clone());
        }
        let text = std::fs::read_to_string(&self.smtp_password_file).with_context(|| {
            format!(
                "setting `mail.smtp_password_file`: cannot read {}",
                self.smtp_password_file
            )
        })?;
        Ok(Secret::new(text.trim_end_matches(['\r', '\n'])))
    }

    pub(super) fn check(&self) -> Result<()> {
        for address in self
            .to
            .iter()
            .chain(Some(&self.from).filter(|from| !from.is_empty()))
        {
            if address.parse::<lettre::message::Mailbox>().is_err() {
                bail!("setting `mail.from` or `mail.to`: `{address}` is not a mail address");
            }
        }
        if !(1..=MOST_HOURS).contains(&self.give_up_hours) {
            bail!("setting `mail.give_up_hours`: from 1 to {MOST_HOURS}");
        }
        if self.timeout_seconds == 0 || self.retry_seconds == 0 {
            bail!("settings `mail.timeout_seconds` and `mail.retry_seconds` must be at least 1");
        }
        Ok(())
    }
}
