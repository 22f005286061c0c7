//! `[mail]`: email delivery, by SMTP if a host is configured, else as `.eml` files in `data/mail/`.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::{Inbound, Secret};
use domain::email::email_address::is_mailable_box;

/// Maximum of `give_up_hours`: 30 days.
const MAX_GIVE_UP_HOURS: u32 = 720;

/// The encryption of the connection to the mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SmtpSecurity {
    /// TLS from the first byte (port 465).
    Tls,
    /// STARTTLS, required (port 587).
    Starttls,
    /// No encryption; for a relay on the same host.
    None,
}

/// Email delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mail {
    /// The sender of every email; empty: the company's name and email address.
    pub from: String,
    /// Recipients of the notices of quote requests and contact messages; empty: the company's email
    /// address.
    pub to: Vec<String>,
    /// Who gets the figures of the last week on Monday, and of the last month on the first; empty:
    /// nobody.
    pub report_to: Vec<String>,
    /// Whether visitors get an acknowledgement of their request.
    pub acknowledge: bool,
    /// Emails about one request each that the office gets within ten minutes; beyond them it gets
    /// a list each minute.
    pub single_notices: u32,
    /// The SMTP server; empty: emails are written as files.
    pub smtp_host: String,
    /// Its port.
    pub smtp_port: u16,
    /// The encryption of the connection.
    pub smtp_security: SmtpSecurity,
    /// The user name; empty: no authentication.
    pub smtp_user: String,
    /// The password; only from the environment or `smtp_password_file`.
    pub smtp_password: Secret,
    /// A file that contains only the password.
    pub smtp_password_file: String,
    /// A PEM file of certificate authorities trusted for the SMTP server, besides the public ones;
    /// empty: none.
    pub smtp_ca_file: String,
    /// The selector of the DKIM key that signs the emails; empty: unknown.
    pub dkim_selector: String,
    /// Timeout of a delivery, in seconds.
    pub timeout_seconds: u32,
    /// Hours after the first attempt during which an email is retried; after that it is kept as
    /// failed and only retried by command.
    pub give_up_hours: u32,
    /// Seconds before the second attempt; each further delay doubles, up to an hour, with jitter.
    pub retry_seconds: u32,
    /// Customers' answers by email.
    pub inbound: Inbound,
}

impl Default for Mail {
    fn default() -> Self {
        Self {
            from: String::new(),
            to: Vec::new(),
            report_to: Vec::new(),
            acknowledge: true,
            single_notices: 30,
            smtp_host: String::new(),
            smtp_port: 587,
            smtp_security: SmtpSecurity::Starttls,
            smtp_user: String::new(),
            smtp_password: Secret::default(),
            smtp_password_file: String::new(),
            smtp_ca_file: String::new(),
            dkim_selector: String::new(),
            timeout_seconds: 30,
            give_up_hours: 120,
            retry_seconds: 15,
            inbound: Inbound::default(),
        }
    }
}

impl Mail {
    /// The SMTP password, from the setting or its file.
    pub fn password(&self) -> Result<Secret> {
        let file = &self.smtp_password_file;
        self.smtp_password
            .or_of_file("mail.smtp_password_file", file)
    }

    pub(super) fn check(&self) -> Result<()> {
        for address in self
            .to
            .iter()
            .chain(&self.report_to)
            .chain(Some(&self.from).filter(|from| !from.is_empty()))
        {
            let mailbox = address.parse::<lettre::message::Mailbox>();
            let usable = |mailbox: lettre::message::Mailbox| {
                let email: &str = mailbox.email.as_ref();
                email.is_ascii() && is_mailable_box(&mailbox)
            };
            if !mailbox.is_ok_and(usable) {
                bail!(
                    "setting `mail.from`, `mail.to` or `mail.report_to`: `{address}` is not an \
                     address to which email can be sent, as in office@company.example"
                );
            }
        }
        if !(1..=MAX_GIVE_UP_HOURS).contains(&self.give_up_hours) {
            bail!("setting `mail.give_up_hours`: from 1 to {MAX_GIVE_UP_HOURS}");
        }
        if self.timeout_seconds == 0 || self.retry_seconds == 0 {
            bail!("settings `mail.timeout_seconds` and `mail.retry_seconds` must be at least 1");
        }
        self.inbound.check()
    }
}
