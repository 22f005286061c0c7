//! Keeps emails, and parses them from their wire format.

use futures_util::future::BoxFuture;
use mail_parser::{Address, MessageParser};
use outbox::email::Email;
use outbox::mailer::{DeliveryError, Mailer};
use parking_lot::Mutex;

/// Keeps every email, oldest first.
#[derive(Default)]
pub struct Memory(Mutex<Vec<Mail>>);

impl Memory {
    pub fn emails(&self) -> Vec<Mail> {
        self.0.lock().clone()
    }
}

impl Mailer for Memory {
    fn send<'a>(&'a self, email: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        self.0.lock().push(Mail::read(&email.message.formatted()));
        Box::pin(std::future::ready(Ok(())))
    }

    fn concurrency(&self) -> u32 {
        1
    }
}

/// A received email.
#[derive(Clone, Debug)]
pub struct Mail {
    pub message_id: String,
    pub from: String,
    pub to: Vec<String>,
    pub reply_to: Option<String>,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub raw: String,
}

impl Mail {
    /// Parses the wire format.
    pub fn read(raw: &[u8]) -> Self {
        let message = MessageParser::default().parse(raw).unwrap();
        Self {
            message_id: message.message_id().unwrap().to_owned(),
            from: addresses(message.from()).remove(0),
            to: addresses(message.to()),
            reply_to: addresses(message.reply_to()).pop(),
            subject: message.subject().unwrap().to_owned(),
            text: message.body_text(0).unwrap().replace("\r\n", "\n"),
            html: message.body_html(0).unwrap().into_owned(),
            raw: String::from_utf8(raw.to_vec()).unwrap(),
        }
    }

    /// The code of an account email: the first line that is exactly six digits.
    pub fn code(&self) -> String {
        let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|b| b.is_ascii_digit());
        self.text.lines().find(is_code).unwrap().to_owned()
    }

    /// The first line that is a URL.
    pub fn link(&self) -> Option<String> {
        let is_link = |line: &&str| line.starts_with("http://") || line.starts_with("https://");
        self.text.lines().find(is_link).map(str::to_owned)
    }
}

/// Each as `Name <address>`, or the address alone.
fn addresses(header: Option<&Address<'_>>) -> Vec<String> {
    let addresses = header.into_iter().flat_map(|address| address.iter());
    addresses
        .map(|one| match (one.name(), one.address()) {
            (Some(name), Some(address)) => format!("{name} <{address}>"),
            (None, Some(address)) => address.to_owned(),
            _ => String::new(),
        })
        .collect()
}
