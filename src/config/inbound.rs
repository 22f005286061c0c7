//! `[mail.inbound]`: customers' answers by email.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::Secret;
use domain::email::email_address::is_mailable_everywhere;

/// Maximum characters of the local part of `address`: a signature follows it, and 64 is the limit
/// of mail servers.
const MAX_LOCAL: usize = 30;

/// Where customers' emails come in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Inbound {
    /// The mailbox for answers, which accepts `name+anything@domain` as well; empty: answers go to
    /// the company's address, and are recognized by the email that they answer.
    pub address: String,
    /// The name of the receiving mail server in `Authentication-Results`; empty: no sender is
    /// verified.
    pub authserv_id: String,
    /// Maximum size of an email, in MB.
    #[serde(skip)]
    pub max_mb: u32,
    /// The IMAP server of the mailbox, over TLS; empty: no mailbox is read.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The user name.
    pub user: String,
    /// The password; only from the environment or `password_file`.
    pub password: Secret,
    /// A file that contains only the password.
    pub password_file: String,
    /// A PEM file of certificate authorities trusted for the server, besides the public ones;
    /// empty: none.
    pub ca_file: String,
    /// The folder that is read.
    pub folder: String,
    /// The folder into which read messages are moved; empty: they stay where they are.
    pub done_folder: String,
    /// Seconds between two looks at the mailbox, if the server does not report new messages by
    /// itself.
    #[serde(skip)]
    pub poll_seconds: u32,
}

impl Default for Inbound {
    fn default() -> Self {
        Self {
            address: String::new(),
            authserv_id: String::new(),
            max_mb: 30,
            host: String::new(),
            port: 993,
            user: String::new(),
            password: Secret::default(),
            password_file: String::new(),
            ca_file: String::new(),
            folder: "INBOX".to_owned(),
            done_folder: String::new(),
            poll_seconds: 60,
        }
    }
}

impl Inbound {
    /// The password of the mailbox, from the setting or its file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn password(&self) -> Result<Secret> {
        self.password
            .or_of_file("mail.inbound.password_file", &self.password_file)
    }

    /// Maximum size of an email, in bytes.
    pub fn max_bytes(&self) -> u64 {
        u64::from(self.max_mb) * 1024 * 1024
    }

    pub(super) fn check(&self) -> Result<()> {
        let address = &self.address;
        let local = address.rsplit_once('@').map(|(local, _)| local);
        let is_usable = local.is_some_and(|local| !local.contains('+') && local.len() <= MAX_LOCAL);
        let is_valid = address.is_empty() || is_usable && is_mailable_everywhere(address);
        if !is_valid {
            bail!(
                "setting `mail.inbound.address`: `{address}` is not an address without a plus \
                 sign, as in office@company.example"
            );
        }
        if self.host.is_empty() {
            return Ok(());
        }
        if self.user.is_empty() || self.folder.is_empty() {
            bail!("settings `mail.inbound.user` and `mail.inbound.folder`: a mailbox needs both");
        }
        if self.password.is_empty() && self.password_file.is_empty() {
            bail!("setting `mail.inbound.password_file`: a mailbox needs a password");
        }
        if self.done_folder == self.folder {
            bail!("setting `mail.inbound.done_folder`: it must be another folder than `folder`");
        }
        Ok(())
    }
}
