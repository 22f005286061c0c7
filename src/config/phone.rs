//! `[phone]`: calls and text messages, through a provider with the HTTP interface of Twilio.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::Secret;
use domain::phone::e164;

/// The provider of calls and text messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Phone {
    /// The base address of its interface.
    pub url: String,
    /// The account; empty: no calls are made.
    pub account: String,
    /// A file that contains only the account's secret (Twilio: the auth token).
    pub secret_file: String,
    /// The number that calls, as in +17135550142.
    pub from: String,
    /// Whether text messages are sent too: carriers accept them from registered numbers only.
    pub sms: bool,
}

impl Default for Phone {
    fn default() -> Self {
        Self {
            url: "https://api.twilio.com".to_owned(),
            account: String::new(),
            secret_file: String::new(),
            from: String::new(),
            sms: false,
        }
    }
}

impl Phone {
    /// Whether people can be called.
    pub fn is_on(&self) -> bool {
        !self.account.is_empty()
    }

    /// The account's secret. Fails if its file cannot be read.
    pub fn secret(&self) -> Result<Secret> {
        let secret = Secret::of_file("phone.secret_file", &self.secret_file)?;
        Ok(Secret::new(secret.reveal().trim()))
    }

    pub(super) fn check(&self) -> Result<()> {
        if !self.is_on() {
            return Ok(());
        }
        if !(self.url.starts_with("https://") || self.url.starts_with("http://")) {
            bail!("setting `phone.url`: must be a URL, as in https://api.twilio.com");
        }
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if !self.account.bytes().all(is_word) {
            bail!("setting `phone.account`: letters, digits, - and _");
        }
        if self.secret_file.is_empty() {
            bail!("setting `phone.secret_file`: name the file with the secret of the account");
        }
        if e164(&self.from).as_deref() != Some(&self.from) {
            bail!("setting `phone.from`: a number with its country code, as in +17135550142");
        }
        Ok(())
    }
}
