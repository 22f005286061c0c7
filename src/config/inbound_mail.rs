//! `[mail.inbound]`: customers' answers by email.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::Secret;

/// Where customers' emails come in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InboundMail {
    /// The IMAP server of the mailbox, over TLS; empty: no mailbox is read.
    pub imap_host: String,
    /// Its port.
    pub imap_port: u16,
    /// The user name.
    pub imap_user: String,
    /// The password; only from the environment or `imap_password_file`.
    pub imap_password: Secret,
    /// A file that contains only the password.
    pub imap_password_file: String,
    /// A PEM file of certificate authorities trusted for the server, besides the public ones;
    /// empty: none.
    pub imap_ca_file: String,
    /// The folder that is read.
    pub imap_folder: String,
    /// The folder into which read messages are moved; empty: they stay where they are.
    pub imap_move_to: String,
}

impl Default for InboundMail {
    fn default() -> Self {
        Self {
            imap_host: String::new(),
            imap_port: 993,
            imap_user: String::new(),
            imap_password: Secret::default(),
            imap_password_file: String::new(),
            imap_ca_file: String::new(),
            imap_folder: "INBOX".to_owned(),
            imap_move_to: String::new(),
        }
    }
}

impl InboundMail {
    /// The password of the mailbox, from the setting or its file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn password(&self) -> Result<Secret> {
        let file = &self.imap_password_file;
        if file.is_empty() {
            return Ok(self.imap_password.clone());
        }
        let text = std::fs::read_to_string(file).with_context(|| {
            format!("setting `mail.inbound.imap_password_file`: cannot read {file}")
        })?;
        Ok(Secret::new(text.trim_end_matches(['\r', '\n'])))
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.imap_host.is_empty() {
            return Ok(());
        }
        if self.imap_user.is_empty() || self.imap_folder.is_empty() {
            bail!(
                "settings `mail.inbound.imap_user` and `mail.inbound.imap_folder`: a mailbox needs both"
            );
        }
        if self.imap_password.is_empty() && self.imap_password_file.is_empty() {
            bail!("setting `mail.inbound.imap_password_file`: a mailbox needs a password");
        }
        if self.imap_move_to == self.imap_folder {
            bail!(
                "setting `mail.inbound.imap_move_to`: it must be another folder than `imap_folder`"
            );
        }
        Ok(())
    }
}
